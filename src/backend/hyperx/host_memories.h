// What cores hold while they run a schedule themselves, step by step.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "backend/hyperx/host_program.h"
#include "schedule/interpret.h"

namespace muster::hyperx {

class HostMemories {
 public:
  /// Holds what the contracts say, made from `seed`.
  HostMemories(const HostProgram& program, std::uint64_t seed);

  /// A step begins: what it sends leaves the memory.
  void send(NodeId rank, const Step& step);
  /// A step ends: what it took is combined and stored.
  void finish(NodeId rank, const Step& step);

  /// What the contracts require, as interpret() returns it.
  [[nodiscard]] Outputs outputs() const;

 private:
  [[nodiscard]] std::vector<Word> read(NodeId rank, Buffer buffer, SpanId elements) const;
  std::vector<Word>& buffer(NodeId rank, Buffer buffer);

  const HostProgram& program_;
  std::vector<std::array<std::vector<Word>, 3>> buffers_;  ///< of each rank
  std::vector<std::vector<Word>> messages_;                ///< of each stream
};

}  // namespace muster::hyperx

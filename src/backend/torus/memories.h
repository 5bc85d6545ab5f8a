// What the cores and the DRAM banks hold while a program runs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "backend/torus/program.h"
#include "schedule/interpret.h"

namespace muster::torus {

class Memories {
 public:
  /// Holds what the contracts say, made from `seed`; nothing without a seed: then nothing is moved or combined.
  Memories(const TorusProgram& program, std::optional<std::uint64_t> seed);

  /// Of a core or a DRAM bank, by its tile. Behind the end of a memory there is nothing: data that would lie there is padding.
  [[nodiscard]] std::vector<Word> read(NodeId node, Address address, std::int64_t bytes) const;
  void write(NodeId node, Address address, std::span<const Word> words);
  void combine(NodeId node, Address left, Address right, Address target, std::int64_t bytes);

  /// What the contracts require, as interpret() returns it.
  [[nodiscard]] Outputs outputs() const;

 private:
  [[nodiscard]] std::size_t index_of(NodeId node) const;

  const TorusProgram& program_;
  std::optional<std::uint64_t> seed_;
  std::vector<std::vector<Word>> words_;  ///< of cores, then of banks
};

}  // namespace muster::torus

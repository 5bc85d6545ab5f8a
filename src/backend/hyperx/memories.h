// The memories of all cores, and what their switches leave in them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "backend/hyperx/program.h"
#include "schedule/interpret.h"

namespace muster::hyperx {

/// Words that all cores whose memory is used hold together in one buffer.
std::int64_t words_held(const HyperXProgram& program);

class Memories {
 public:
  /// Holds what the contracts say, made from `seed`; 0 elsewhere.
  Memories(const HyperXProgram& program, std::uint64_t seed);

  [[nodiscard]] std::span<const Word> read(NodeId rank, Buffer buffer, Range words) const {
    return std::span(buffers_[index(buffer)]).subspan(at(first(rank) + words.first), at(words.count));
  }
  void write(NodeId rank, Buffer buffer, std::int64_t first, std::span<const Word> words);

  /// What the contracts require, as interpret() returns it.
  [[nodiscard]] Outputs outputs() const;

 private:
  static std::size_t index(Buffer buffer) { return static_cast<std::size_t>(buffer) - 1; }
  /// Where a core's words begin in a buffer.
  [[nodiscard]] std::int64_t first(NodeId rank) const { return index_[at(rank)] * extent_; }

  const HyperXProgram& program_;
  std::int64_t extent_ = 0;                      ///< words of a core in each buffer
  std::vector<std::int32_t> index_;              ///< of each core among those whose memory is used
  std::array<std::vector<Word>, 3> buffers_;     ///< those in use, core by core
  std::array<std::vector<bool>, 3> is_written_;  ///< of each core
};

}  // namespace muster::hyperx

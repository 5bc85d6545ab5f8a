// The memory of all simulated processors in one piece.
//
// Processors store in turn, one word each. If every buffer were on its own page, each store would cause a TLB miss, so large pages
// are requested. If buffers were a power of two apart, they would conflict in the caches, so there is a gap between them.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "schedule/arithmetic.h"

namespace muster::wafer {

class WordArena {
 public:
  /// Words that a buffer takes, including the gap after it.
  static constexpr std::size_t with_gap(std::size_t words) { return words + kGap; }
  explicit WordArena(std::size_t words);
  /// The next words, all 0. Together, with their gaps, no more than the arena has.
  std::span<Word> take(std::size_t words);

 private:
  static constexpr std::size_t kGap = 16;
  struct Free {
    void operator()(Word* words) const;
  };
  std::unique_ptr<Word[], Free> words_;  // NOLINT(modernize-avoid-c-arrays): an aligned block has no other owner
  std::size_t size_ = 0;
  std::size_t taken_ = 0;
};

}  // namespace muster::wafer

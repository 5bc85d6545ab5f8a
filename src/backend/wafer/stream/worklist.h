// The items that are to be looked at again, lowest first.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "base/index.h"

namespace muster::wafer {

class Worklist {
 public:
  explicit Worklist(std::size_t count) : bits_((count + 63) / 64, 0), summary_((bits_.size() + 63) / 64, 0) {}

  void add(std::int32_t item) {
    const std::size_t word = at(item) / 64;
    bits_[word] |= std::uint64_t{1} << (at(item) % 64);
    summary_[word / 64] |= std::uint64_t{1} << (word % 64);
    if (word / 64 < lowest_) lowest_ = word / 64;
  }
  void add_all(std::int32_t count) {
    for (std::int32_t item = 0; item < count; ++item) add(item);
  }
  /// Takes the lowest item out; negative if there is none.
  std::int32_t take() {
    while (lowest_ < summary_.size() && summary_[lowest_] == 0) ++lowest_;
    if (lowest_ == summary_.size()) return -1;
    const std::size_t word = lowest_ * 64 + static_cast<std::size_t>(std::countr_zero(summary_[lowest_]));
    const int bit = std::countr_zero(bits_[word]);
    bits_[word] &= bits_[word] - 1;
    if (bits_[word] == 0) summary_[lowest_] &= summary_[lowest_] - 1;
    return static_cast<std::int32_t>(word * 64) + bit;
  }

 private:
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint64_t> summary_;  ///< a bit per word that is not 0
  std::size_t lowest_ = 0;              ///< no word of the summary before it has a bit
};

}  // namespace muster::wafer

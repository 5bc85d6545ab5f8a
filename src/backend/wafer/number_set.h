// A set of numbers that is walked in order, over and over, or emptied from below while others are added: two levels of
// bits, so that absent numbers cost next to nothing.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace muster::wafer {

class NumberSet {
 public:
  explicit NumberSet(std::size_t size) : words_((size + 63) / 64, 0), summary_((words_.size() + 63) / 64, 0) {}

  void add(std::int32_t id) {
    const auto i = static_cast<std::size_t>(id);
    if ((words_[i / 64] >> (i % 64) & 1U) == 0) add_absent(i);
  }
  /// Adds the numbers below `count`.
  void add_all(std::int32_t count) {
    for (std::int32_t id = 0; id < count; ++id) add(id);
  }
  void remove(std::int32_t id) {
    const auto i = static_cast<std::size_t>(id);
    words_[i / 64] &= ~bit(i);
    if (words_[i / 64] == 0) summary_[i / 4096] &= ~bit(i / 64);
  }
  [[nodiscard]] bool has(std::int32_t id) const {
    const auto i = static_cast<std::size_t>(id);
    return (words_[i / 64] & bit(i)) != 0;
  }

  /// Takes the lowest number out; negative if there is none.
  std::int32_t take_lowest() {
    while (lowest_ < summary_.size() && summary_[lowest_] == 0) ++lowest_;
    if (lowest_ == summary_.size()) return -1;
    const std::size_t w = lowest_ * 64 + static_cast<std::size_t>(std::countr_zero(summary_[lowest_]));
    const std::int32_t lowest = number(w, std::countr_zero(words_[w]));
    words_[w] &= words_[w] - 1;
    if (words_[w] == 0) summary_[lowest_] &= summary_[lowest_] - 1;
    return lowest;
  }

  /// Calls `visit(number)` upwards. What is added or removed meanwhile may or may not be met.
  template <class Visit>
  void visit_up(Visit visit) const {
    for (std::size_t s = 0; s < summary_.size(); ++s) {
      for (std::uint64_t some = summary_[s]; some != 0; some &= some - 1) {
        const std::size_t w = s * 64 + static_cast<std::size_t>(std::countr_zero(some));
        for (std::uint64_t left = words_[w]; left != 0; left &= left - 1) visit(number(w, std::countr_zero(left)));
      }
    }
  }
  /// The same, downwards.
  template <class Visit>
  void visit_down(Visit visit) const {
    for (std::size_t s = summary_.size(); s-- > 0;) {
      for (std::uint64_t some = summary_[s]; some != 0; some &= ~highest(some)) {
        const std::size_t w = s * 64 + 63 - static_cast<std::size_t>(std::countl_zero(some));
        for (std::uint64_t left = words_[w]; left != 0; left &= ~highest(left)) {
          visit(number(w, 63 - std::countl_zero(left)));
        }
      }
    }
  }

 private:
  [[gnu::noinline]] void add_absent(std::size_t i) {
    words_[i / 64] |= bit(i);
    summary_[i / 4096] |= bit(i / 64);
    if (i / 4096 < lowest_) lowest_ = i / 4096;
  }
  static constexpr std::uint64_t bit(std::size_t i) { return std::uint64_t{1} << (i % 64); }
  static constexpr std::uint64_t highest(std::uint64_t bits) { return std::bit_floor(bits); }
  static constexpr std::int32_t number(std::size_t word, int offset) {
    return static_cast<std::int32_t>(word * 64) + offset;
  }
  std::vector<std::uint64_t> words_;
  std::vector<std::uint64_t> summary_;  ///< which words are not 0
  std::size_t lowest_ = 0;              ///< no word of the summary before it has a bit
};

}  // namespace muster::wafer

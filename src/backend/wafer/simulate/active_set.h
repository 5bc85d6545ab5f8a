// A set of numbers that is walked in order, over and over: two levels of bits, so that absent numbers cost next to
// nothing.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace muster::wafer {

class ActiveSet {
 public:
  explicit ActiveSet(std::size_t size) : words_((size + 63) / 64, 0), summary_((words_.size() + 63) / 64, 0) {}

  void add(std::int32_t id) {
    const auto i = static_cast<std::size_t>(id);
    if ((words_[i / 64] & bit(i)) != 0) return;
    words_[i / 64] |= bit(i);
    summary_[i / 4096] |= bit(i / 64);
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
  static constexpr std::uint64_t bit(std::size_t i) { return std::uint64_t{1} << (i % 64); }
  static constexpr std::uint64_t highest(std::uint64_t bits) { return std::bit_floor(bits); }
  static constexpr std::int32_t number(std::size_t word, int offset) {
    return static_cast<std::int32_t>(word * 64) + offset;
  }
  std::vector<std::uint64_t> words_;
  std::vector<std::uint64_t> summary_;  ///< which words are not 0
};

}  // namespace muster::wafer

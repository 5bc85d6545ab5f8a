// Numbers of processors, row by row, as a few instructions: like class_sequence.h, but what is copied may grow on the
// way, so that a number that is the place in a row, or a multiple of it, takes one instruction.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace muster::wafer {

/// One more number (distance 0), or `length` more, each `change` more than the one `distance` before it.
struct NumberItem {
  std::int32_t length = 1;
  std::int32_t distance = 0;
  std::int32_t change = 0;  ///< the number itself, if distance is 0
  auto operator<=>(const NumberItem&) const = default;
};

/// Few items: greedy, each copies as much as it can, from one before, from a row of `width` before, or from `period`
/// before.
std::vector<NumberItem> compress_numbers(std::span<const std::int32_t> numbers, std::int32_t width,
                                         std::int32_t period);

/// The sequence that the items stand for.
std::vector<std::int32_t> expand_numbers(std::span<const NumberItem> items);

/// The sequence with its gaps filled so that it goes on as it did before them; never below 0 or above `most`.
std::vector<std::int32_t> fill_gaps(std::span<const std::optional<std::int32_t>> numbers, std::int32_t most);

}  // namespace muster::wafer

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

/// Numbers that may be left open where nobody looks at them.
using OpenNumbers = std::vector<std::optional<std::int32_t>>;

/// How far back copies may lie: rows of `width`, and sequences of `period` numbers, one for every processor.
struct NumberShape {
  std::int32_t width = 1;
  std::int32_t period = 1;
  std::int32_t most = INT32_MAX;  ///< no number is larger, or less than 0, not even an open one
};

/// Few items: greedy, each copies as much as it can from one or two numbers, rows or a period before.
std::vector<NumberItem> compress_numbers(const OpenNumbers& numbers, const NumberShape& shape);

/// The sequence that the items stand for.
std::vector<std::int32_t> expand_numbers(std::span<const NumberItem> items);

}  // namespace muster::wafer

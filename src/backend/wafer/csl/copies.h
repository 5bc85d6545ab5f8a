// Numbers of all processors, row by row, as a few copy instructions: what keeps emitted code small however many processors
// there are. A line of equal or alternating classes takes a handful of items, a tree a few per doubling; a number that is
// the position in a row, or a multiple of it, takes one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace muster::wafer {

/// One more number (distance 0), or `length` more, each `change` more than the one `distance` before it. A copy may be
/// longer than its distance: then it repeats what it has just written.
struct CopyItem {
  std::int32_t length = 1;
  std::int32_t distance = 0;
  std::int32_t change = 0;  ///< the number itself, if distance is 0
  auto operator<=>(const CopyItem&) const = default;
};

/// The sequence that the items stand for.
std::vector<std::int32_t> expand(std::span<const CopyItem> items);

/// As few items as possible without changes (greedy: each copies as much as it can, from anywhere before). Linear in the
/// number of processors.
std::vector<CopyItem> compress_classes(std::span<const std::int32_t> classes);

/// Numbers that may be left open where they are not read.
using OpenNumbers = std::vector<std::optional<std::int32_t>>;

/// How far back copies with changes may lie: rows of `width`, and sequences of `period` numbers, one for every processor.
struct NumberShape {
  std::int32_t width = 1;
  std::int32_t period = 1;
  std::int32_t most = INT32_MAX;  ///< no number is larger, or less than 0, not even an open one
};

/// Few items: greedy, each copies as much as it can from one or two numbers, rows or a period before.
std::vector<CopyItem> compress_numbers(const OpenNumbers& numbers, const NumberShape& shape);

}  // namespace muster::wafer

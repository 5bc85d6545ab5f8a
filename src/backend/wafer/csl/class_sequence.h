// The classes of a grid's processors, row by row, as a few copy instructions: what keeps emitted code small however
// many processors there are. A line of equal or alternating classes takes a handful of items, a tree a few per
// doubling.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace muster::wafer {

/// One more class (distance 0), or `length` more classes, each equal to the one `distance` before it. A copy may be
/// longer than its distance: then it repeats what it has just written.
struct ClassItem {
  std::int32_t length = 1;
  std::int32_t distance = 0;
  std::int32_t literal = 0;  ///< the class, if distance is 0
  auto operator<=>(const ClassItem&) const = default;
};

/// As few items as possible (greedy: each copies as much as it can). Linear in the number of processors.
std::vector<ClassItem> compress_classes(std::span<const std::int32_t> classes);

/// The sequence that the items stand for.
std::vector<std::int32_t> expand_classes(std::span<const ClassItem> items);

}  // namespace muster::wafer

// Segments: what a stream carries, or a span of a buffer holds, as runs of elements with the same contributions.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "schedule/verifier/memories.h"

namespace muster::verifier {

/// `count` elements that hold content.value, each of its own element + displacement.
struct Segment {
  std::int64_t count = 0;
  Content content;
};
using Segments = std::vector<Segment>;

/// Segments over the elements `from`, seen as segments over `to`, which are as many: the contributions stay, the
/// displacement is counted from the new element; a linear combination is shifted.
Segments seen_from(Contributions& contributions, const Segments& segments, std::span<const Range> from,
                   std::span<const Range> to);

/// The elements of a buffer; returns the first one that does not exist.
std::optional<std::int64_t> read_segments(Memories& memories, NodeId node, Buffer buffer,
                                          std::span<const Range> elements, Segments& segments);

void store_segments(Contributions& contributions, Intervals<Content>& memory, std::span<const Range> elements,
                    const Segments& segments);

/// a + b, over equally many elements; returns the first position at which they are of different elements of the vector.
std::optional<std::int64_t> add_segments(Contributions& contributions, const Segments& a, const Segments& b,
                                         Segments& sum);

/// In linear combinations: times a coefficient; returns the first position whose value has an array already, if that is another.
std::optional<std::int64_t> scale_segments(Contributions& contributions, Segments& segments, std::int32_t coefficient,
                                           bool is_array, NodeId node);

/// The segments at positions [range.first, range.end()).
Segments cut_segments(const Segments& segments, Range positions);

}  // namespace muster::verifier

// Segments: reading, adding, storing and renaming them.
#include "schedule/verifier/segments.h"

#include <algorithm>

namespace muster::verifier {
namespace {

void append(Contributions& contributions, Segments& segments, const Segment& segment) {
  if (!segments.empty() && same(contributions, segments.back().content, segment.content)) {
    segments.back().count += segment.count;
  } else {
    segments.push_back(segment);
  }
}

/// A position in a list of ranges or segments that moves forward.
template <class Run>
struct Cursor {
  std::span<const Run> runs;
  std::size_t index = 0;
  std::int64_t used = 0;

  [[nodiscard]] const Run& run() const { return runs[index]; }
  [[nodiscard]] std::int64_t left() const { return runs[index].count - used; }
  [[nodiscard]] bool at_end() const { return index == runs.size(); }
  void move(std::int64_t count) {
    used += count;
    if (used == runs[index].count) ++index, used = 0;
  }
};

}  // namespace

Segments seen_from(Contributions& contributions, const Segments& segments, std::span<const Range> from,
                   std::span<const Range> to) {
  Segments result;
  Cursor<Range> old{from};
  Cursor<Range> renamed{to};
  for (Cursor<Segment> segment{segments}; !segment.at_end();) {
    const std::int64_t count = std::min({segment.left(), old.left(), renamed.left()});
    Segment piece{count, segment.run().content};
    const std::int64_t by = old.run().first + old.used - renamed.run().first - renamed.used;
    if (contributions.linear()) {
      piece.content.value = contributions.shifted(piece.content.value, by);
    } else {
      piece.content.displacement += by;
    }
    append(contributions, result, piece);
    segment.move(count);
    old.move(count);
    renamed.move(count);
  }
  return result;
}

std::optional<std::int64_t> read_segments(Memories& memories, NodeId node, Buffer buffer,
                                          std::span<const Range> elements, Segments& segments) {
  segments.clear();
  std::optional<std::int64_t> absent;
  for (const Range& range : elements) {
    memories.visit(node, buffer, range, [&](Range part, const Content* content) {
      if (content != nullptr) {
        append(memories.contributions(), segments, {part.count, *content});
      } else if (!absent) {
        absent = part.first;
      }
    });
    if (absent) break;
  }
  return absent;
}

void store_segments(Contributions& contributions, Intervals<Content>& memory, std::span<const Range> elements,
                    const Segments& segments) {
  const auto equal = [&](const Content& a, const Content& b) { return same(contributions, a, b); };
  Cursor<Segment> segment{segments};
  std::vector<Intervals<Content>::Piece> pieces;
  for (const Range& range : elements) {
    pieces.clear();
    for (std::int64_t first = range.first; first < range.end();) {
      const std::int64_t count = std::min(range.end() - first, segment.left());
      pieces.push_back({first, first + count, segment.run().content});
      first += count;
      segment.move(count);
    }
    memory.assign_all(pieces, equal);
  }
}

std::optional<std::int64_t> add_segments(Contributions& contributions, const Segments& a, const Segments& b,
                                         Segments& sum) {
  sum.clear();
  std::int64_t position = 0;
  Cursor<Segment> left{a};
  Cursor<Segment> right{b};
  while (!left.at_end() && !right.at_end()) {
    const Content& x = left.run().content;
    const Content& y = right.run().content;
    if (x.displacement != y.displacement) return position;
    const std::int64_t count = std::min(left.left(), right.left());
    append(contributions, sum, {count, {contributions.add(x.value, y.value), x.displacement}});
    position += count;
    left.move(count);
    right.move(count);
  }
  return std::nullopt;
}

std::optional<std::int64_t> scale_segments(Contributions& contributions, Segments& segments, std::int32_t coefficient,
                                           bool is_array, NodeId node) {
  std::int64_t position = 0;
  for (Segment& segment : segments) {
    const auto product = contributions.times(segment.content.value, coefficient, is_array, node);
    if (!product) return position;
    segment.content.value = *product;
    position += segment.count;
  }
  return std::nullopt;
}

Segments cut_segments(const Segments& segments, Range positions) {
  Segments result;
  std::int64_t first = 0;
  for (const Segment& segment : segments) {
    const std::int64_t begin = std::max(first, positions.first);
    const std::int64_t end = std::min(first + segment.count, positions.end());
    if (begin < end) result.push_back({end - begin, segment.content});
    first += segment.count;
  }
  return result;
}

}  // namespace muster::verifier

// Spans: ordered lists of disjoint ranges of elements, kept once in a table and named by index.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace muster {

/// No element has this number or a higher one, and no buffer has more: sums of two stay far inside 64 bits.
inline constexpr std::int64_t kMostElements = std::int64_t{1} << 62;

/// Elements [first, first + count).
struct Range {
  std::int64_t first = 0;
  std::int64_t count = 0;
  [[nodiscard]] std::int64_t end() const { return first + count; }
  auto operator<=>(const Range&) const = default;
};

/// For tables of lists of ranges.
std::uint64_t hash_of(std::span<const Range> ranges);

using SpanId = std::int32_t;

/// Equal spans have equal ids: neighbouring ranges are merged and empty ones dropped before the look-up.
class SpanTable {
 public:
  /// Throws InputError if ranges overlap, are negative or reach beyond kMostElements.
  SpanId add(std::span<const Range> ranges);
  SpanId add(Range range) { return add(std::span(&range, 1)); }

  [[nodiscard]] std::span<const Range> ranges(SpanId id) const { return spans_[static_cast<std::size_t>(id)].ranges; }
  [[nodiscard]] std::int64_t count(SpanId id) const { return spans_[static_cast<std::size_t>(id)].count; }
  /// From the lowest element to the highest; empty if there is none.
  [[nodiscard]] Range hull(SpanId id) const { return spans_[static_cast<std::size_t>(id)].hull; }
  /// The element at position `index` of the span.
  [[nodiscard]] std::int64_t element(SpanId id, std::int64_t index) const;
  /// Whether some element is in both.
  [[nodiscard]] bool meet(SpanId a, SpanId b) const;
  [[nodiscard]] SpanId size() const { return static_cast<SpanId>(spans_.size()); }
  /// Whether both have the same spans under the same ids.
  bool operator==(const SpanTable& other) const { return spans_ == other.spans_; }

 private:
  struct Entry {
    std::vector<Range> ranges;
    std::int64_t count = 0;
    Range hull{};
    std::uint64_t hash = 0;
    bool operator==(const Entry&) const = default;
  };
  SpanId add_merged(std::span<const Range> key);
  [[nodiscard]] std::size_t slot_of(std::span<const Range> ranges, std::uint64_t hash) const;
  void grow();

  std::vector<Entry> spans_;
  std::vector<SpanId> ids_;  ///< by hash, a power of two long, at most half full; -1: free
};

/// Block `index` of `count` elements cut into `parts` as evenly as possible, larger blocks first.
Range block(std::int64_t count, std::int64_t parts, std::int64_t index);

}  // namespace muster

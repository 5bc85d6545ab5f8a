// The table of spans, found again by a hash table with linear probing.
#include "schedule/span.h"

#include <algorithm>

#include "base/error.h"
#include "base/index.h"
#include "base/random.h"

namespace muster {

namespace {

void require_inside(std::span<const Range> ranges) {
  for (const Range& range : ranges) {
    if (range.first < 0 || range.count < 0 || range.first > kMostElements - range.count) {
      reject("range [{}, +{}) is not inside [0, 2^62)", range.first, range.count);
    }
  }
}

/// Whether nothing is to be merged or dropped.
bool is_merged(std::span<const Range> ranges) {
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (ranges[i].count == 0 || (i > 0 && ranges[i - 1].end() == ranges[i].first)) return false;
  }
  return true;
}

std::vector<Range> merged(std::span<const Range> ranges) {
  std::vector<Range> result;
  result.reserve(ranges.size());
  for (const Range& range : ranges) {
    if (range.count == 0) continue;
    if (!result.empty() && result.back().end() == range.first) {
      result.back().count += range.count;
    } else {
      result.push_back(range);
    }
  }
  return result;
}

void require_disjoint(std::span<const Range> ranges) {
  const auto overlaps = [](const Range& before, const Range& range) { return before.end() > range.first; };
  if (std::adjacent_find(ranges.begin(), ranges.end(), overlaps) == ranges.end()) return;  // sorted and disjoint
  std::vector<Range> sorted(ranges.begin(), ranges.end());
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end(), overlaps);
  if (twice != sorted.end()) reject("element {} is in a span twice", std::next(twice)->first);
}

Range hull_of(std::span<const Range> ranges) {
  if (ranges.empty()) return {};
  std::int64_t first = kMostElements;
  std::int64_t end = 0;
  for (const Range& range : ranges) {
    first = std::min(first, range.first);
    end = std::max(end, range.end());
  }
  return {first, end - first};
}

constexpr std::size_t kFirstSize = 16;

}  // namespace

std::uint64_t hash_of(std::span<const Range> ranges) {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15U;  // 2^64 / golden ratio, odd
  std::uint64_t hash = ranges.size();
  for (const Range& range : ranges) {
    hash = (hash ^ static_cast<std::uint64_t>(range.first)) * kFactor;
    hash = (hash ^ static_cast<std::uint64_t>(range.count)) * kFactor;
  }
  return random_bits(hash, 0);
}

SpanId SpanTable::add(std::span<const Range> ranges) {
  require_inside(ranges);
  return is_merged(ranges) ? add_merged(ranges) : add_merged(merged(ranges));
}

SpanId SpanTable::add_merged(std::span<const Range> key) {
  if (2 * (spans_.size() + 1) > ids_.size()) grow();
  const std::uint64_t hash = hash_of(key);
  SpanId& id = ids_[slot_of(key, hash)];
  if (id >= 0) return id;
  require_disjoint(key);
  std::int64_t count = 0;
  for (const Range& range : key) count += range.count;
  const Range hull = hull_of(key);
  id = size();
  spans_.push_back({{key.begin(), key.end()}, count, hull, hash});
  return id;
}

/// Where the span's id is, or belongs.
std::size_t SpanTable::slot_of(std::span<const Range> ranges, std::uint64_t hash) const {
  const std::size_t mask = ids_.size() - 1;
  std::size_t slot = hash & mask;
  for (; ids_[slot] >= 0; slot = (slot + 1) & mask) {
    const auto known = this->ranges(ids_[slot]);
    if (spans_[at(ids_[slot])].hash == hash && std::equal(known.begin(), known.end(), ranges.begin(), ranges.end()))
      break;
  }
  return slot;
}

void SpanTable::grow() {
  ids_.assign(std::max(kFirstSize, 2 * ids_.size()), -1);
  for (SpanId id = 0; id < size(); ++id) ids_[slot_of(ranges(id), spans_[at(id)].hash)] = id;
}

std::int64_t SpanTable::element(SpanId id, std::int64_t index) const {
  for (const Range& range : ranges(id)) {
    if (index < range.count) return range.first + index;
    index -= range.count;
  }
  MUSTER_ASSERT(false, "index beyond span {}", id);
  return 0;
}

bool SpanTable::meet(SpanId a, SpanId b) const {
  for (const Range& x : ranges(a)) {
    for (const Range& y : ranges(b)) {
      if (x.first < y.end() && y.first < x.end()) return true;
    }
  }
  return false;
}

Range block(std::int64_t count, std::int64_t parts, std::int64_t index) {
  MUSTER_ASSERT(parts > 0 && index >= 0 && index < parts, "block {} of {}", index, parts);
  const std::int64_t size = count / parts;
  const std::int64_t larger = count % parts;
  return {index * size + std::min(index, larger), size + (index < larger ? 1 : 0)};
}

}  // namespace muster

// The table of spans.
#include "schedule/span.h"

#include <algorithm>

#include "base/error.h"

namespace muster {

namespace {

std::vector<Range> merged(std::span<const Range> ranges) {
  std::vector<Range> result;
  for (const Range& range : ranges) {
    if (range.first < 0 || range.count < 0 || range.first > kMostElements - range.count) {
      reject("range [{}, +{}) is not inside [0, 2^62)", range.first, range.count);
    }
    if (range.count == 0) continue;
    if (!result.empty() && result.back().end() == range.first) {
      result.back().count += range.count;
    } else {
      result.push_back(range);
    }
  }
  return result;
}

void require_disjoint(std::vector<Range> ranges) {
  std::sort(ranges.begin(), ranges.end());
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[i - 1].end() > ranges[i].first) reject("element {} is in a span twice", ranges[i].first);
  }
}

}  // namespace

SpanId SpanTable::add(std::span<const Range> ranges) {
  std::vector<Range> key = merged(ranges);
  if (const auto found = ids_.find(key); found != ids_.end()) return found->second;
  require_disjoint(key);
  std::int64_t count = 0;
  for (const Range& range : key) count += range.count;
  spans_.push_back({key, count});
  const SpanId id = size() - 1;
  ids_.emplace(std::move(key), id);
  return id;
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

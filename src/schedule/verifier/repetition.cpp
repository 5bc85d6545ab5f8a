// Elements that repeat, found by the distance of the first two ranges.
#include "schedule/verifier/repetition.h"

#include <algorithm>

namespace muster::verifier {
namespace {

Repetition repetition_of(const std::vector<Range>& ranges) {
  if (ranges.size() < 2) return {};
  const std::int64_t stride = ranges[1].first - ranges[0].first;
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[i].count != ranges[0].count || ranges[i].first - ranges[i - 1].first != stride) return {};
  }
  return {.stride = stride, .times = static_cast<std::int64_t>(ranges.size())};
}

}  // namespace

Repetition repetition_of(const Schedule& schedule, const std::vector<GroupSetFacts>& facts) {
  std::vector<bool> is_known(facts.size());
  Repetition common;
  for (const Phase& phase : schedule.phases) {
    const std::vector<Range>& ranges = facts[at(phase.groups)].elements;
    if (!is_known[at(phase.groups)]) {
      is_known[at(phase.groups)] = true;
      const Repetition own = repetition_of(ranges);
      if (common.times == 1) common = own;
      if (own.times == 1 || own.times != common.times || own.stride != common.stride) return {};
    }
    const Range first{ranges[0].first + phase.offset, ranges[0].count};
    if (first.first < 0 || first.end() > common.stride) return {};
  }
  return common;
}

void append(std::vector<Range>& ranges, Range range) {
  if (!ranges.empty() && range.first <= ranges.back().end()) {
    ranges.back().count = std::max(ranges.back().end(), range.end()) - ranges.back().first;
  } else {
    ranges.push_back(range);
  }
}

std::vector<Range> repeated(const std::vector<Range>& ranges, const Repetition& repetition) {
  if (repetition.times == 1) return ranges;
  std::vector<Range> all;
  all.reserve(ranges.size() * at(repetition.times));
  for (std::int64_t i = 0; i < repetition.times; ++i) {
    for (const Range& range : ranges) append(all, {range.first + i * repetition.stride, range.count});
  }
  return all;
}

}  // namespace muster::verifier

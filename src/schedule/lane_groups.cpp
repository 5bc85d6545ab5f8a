// Lanes are joined by streams; then the groups are sorted by the order of lanes on each node.
#include "schedule/lane_groups.h"

#include <algorithm>

#include "base/union_find.h"

namespace muster {

namespace {

/// Of each lane: the first lane that it is connected with by streams.
std::vector<std::int32_t> lane_groups(const Schedule& flat, const ScheduleIndex& index) {
  UnionFind joined(flat.lanes.size());
  for (StreamId stream = 0; stream < static_cast<StreamId>(flat.streams.size()); ++stream) {
    const std::int32_t from = index.lane_of[at(index.producer[at(stream)])];
    for (const StepId taker : index.takers.of(stream)) joined.join(from, index.lane_of[at(taker)]);
  }
  std::vector<std::int32_t> group(flat.lanes.size());
  for (std::size_t l = 0; l < group.size(); ++l) group[l] = joined.find(static_cast<std::int32_t>(l));
  return group;
}

/// A number for each group, by its first lane.
std::vector<std::int32_t> in_order(const Schedule& flat, const std::vector<std::int32_t>& groups) {
  std::vector<std::vector<std::int32_t>> later(groups.size());
  std::vector<std::int32_t> before(groups.size(), 0);
  for (std::size_t l = 1; l < groups.size(); ++l) {
    if (flat.lanes[l].node != flat.lanes[l - 1].node || groups[l] == groups[l - 1]) continue;
    later[at(groups[l - 1])].push_back(groups[l]);
    ++before[at(groups[l])];
  }
  std::vector<std::int32_t> order;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (groups[g] == static_cast<std::int32_t>(g) && before[g] == 0) order.push_back(groups[g]);
  }
  std::vector<std::int32_t> numbers(groups.size(), 0);
  std::size_t done = 0;
  for (; done < order.size(); ++done) {
    numbers[at(order[done])] = static_cast<std::int32_t>(done);
    for (const std::int32_t next : later[at(order[done])]) {
      if (--before[at(next)] == 0) order.push_back(next);
    }
  }
  const bool all = std::all_of(before.begin(), before.end(), [](std::int32_t left) { return left == 0; });
  return all ? numbers : std::vector<std::int32_t>(groups.size(), 0);
}

}  // namespace

std::vector<std::int32_t> lane_numbers(const Schedule& flat, const ScheduleIndex& index) {
  const std::vector<std::int32_t> groups = lane_groups(flat, index);
  const std::vector<std::int32_t> numbers = in_order(flat, groups);
  std::vector<std::int32_t> of_lanes;
  for (const std::int32_t group : groups) of_lanes.push_back(numbers[at(group)]);
  return of_lanes;
}

}  // namespace muster

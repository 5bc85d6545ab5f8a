// Lanes are joined by streams; then the groups are sorted by the order of lanes on each node.
#include "schedule/lane_groups.h"

#include <algorithm>

#include "base/index.h"

namespace muster {

namespace {

/// Of each lane: the first lane that it is connected with by streams.
std::vector<std::int32_t> lane_groups(const Schedule& flat, const std::vector<StepId>& producers) {
  std::vector<std::int32_t> lane_of(flat.steps.size());
  std::vector<std::int32_t> group(flat.lanes.size());
  for (std::size_t l = 0; l < flat.lanes.size(); ++l) {
    group[l] = static_cast<std::int32_t>(l);
    std::fill_n(lane_of.begin() + flat.lanes[l].first, flat.lanes[l].count, group[l]);
  }
  const auto root = [&](std::int32_t lane) {
    while (group[at(lane)] != lane) lane = group[at(lane)] = group[at(group[at(lane)])];
    return lane;
  };
  for (std::size_t s = 0; s < flat.steps.size(); ++s) {
    for (const StreamId id : flat.operands_of(flat.steps[s])) {
      if (id == kOwn) continue;
      const std::int32_t a = root(lane_of[s]), b = root(lane_of[at(producers[at(id)])]);
      group[at(std::max(a, b))] = std::min(a, b);
    }
  }
  for (std::size_t l = 0; l < group.size(); ++l) group[l] = root(static_cast<std::int32_t>(l));
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

std::vector<std::int32_t> lane_numbers(const Schedule& flat, const std::vector<StepId>& producers) {
  const std::vector<std::int32_t> groups = lane_groups(flat, producers);
  const std::vector<std::int32_t> numbers = in_order(flat, groups);
  std::vector<std::int32_t> of_lanes;
  for (const std::int32_t group : groups) of_lanes.push_back(numbers[at(group)]);
  return of_lanes;
}

}  // namespace muster

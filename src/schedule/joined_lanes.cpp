// The steps of a node lie one behind another, lane by lane, so joining lanes moves none of them.
#include "schedule/joined_lanes.h"

#include <algorithm>

#include "base/index.h"
#include "schedule/phase.h"

namespace muster {
namespace {

bool continues(const Schedule& schedule, const Lane& earlier, const Lane& later) {
  if (earlier.count == 0 || later.count == 0) return earlier.node == later.node;
  if (earlier.node != later.node || earlier.first + earlier.count != later.first) return false;
  const auto waits = schedule.waits_of(schedule.steps[at(later.first)]);
  return std::ranges::find(waits, later.first - 1) != waits.end();
}

std::vector<Lane> joined(const Schedule& schedule) {
  std::vector<Lane> lanes;
  for (const Lane& lane : schedule.lanes) {
    if (lanes.empty() || !continues(schedule, lanes.back(), lane)) {
      lanes.push_back(lane);
      continue;
    }
    if (lanes.back().count == 0) lanes.back().first = lane.first;
    lanes.back().count += lane.count;
  }
  return lanes;
}

/// What the order of a lane says already.
void forget_waits(Schedule& schedule) {
  std::vector<StepId> waits;
  for (const Lane& lane : schedule.lanes) {
    for (StepId s = lane.first; s < lane.first + lane.count; ++s) {
      Slice& mine = schedule.steps[at(s)].waits;
      const auto first = static_cast<std::int32_t>(waits.size());
      for (const StepId earlier : schedule.waits_of(schedule.steps[at(s)])) {
        if (earlier < lane.first || earlier >= s) waits.push_back(earlier);
      }
      mine = {.first = first, .count = static_cast<std::int32_t>(waits.size()) - first};
    }
  }
  schedule.waits = std::move(waits);
}

}  // namespace

Schedule with_joined_lanes(Schedule flat) {
  if (flat.waits.empty()) return flat;
  flat.lanes = joined(flat);
  flat.first_lane.assign(at(flat.node_count) + 1, 0);
  for (const Lane& lane : flat.lanes) ++flat.first_lane[at(lane.node) + 1];
  for (std::size_t node = 1; node < flat.first_lane.size(); ++node) flat.first_lane[node] += flat.first_lane[node - 1];
  forget_waits(flat);
  return flat;
}

Schedule expand_in_lanes(const Schedule& schedule) {
  return schedule.is_flat() ? schedule : with_joined_lanes(expand(schedule));
}

}  // namespace muster

#include "app/seismic/predict/cluster/exchange_schedule.h"

#include <map>

#include "collective/dimensions/part.h"
#include "schedule/builder.h"
#include "schedule/phase.h"

namespace muster::seismic {
namespace {

/// The pairs of an axis whose lower position is even, or odd: no process is in two of them.
struct Pairs {
  Axis axis = Axis::x;
  int parity = 0;
};

/// By the dimension that connects them.
std::map<std::size_t, std::vector<Group>> groups_of(const Placement& placement, const Pairs& pairs, SpanId on) {
  std::map<std::size_t, std::vector<Group>> groups;
  const PerAxis<int>& counts = placement.counts();
  PerAxis<int> at{};
  for (at.x = 0; at.x < counts.x; ++at.x) {
    for (at.y = 0; at.y < counts.y; ++at.y) {
      for (at.z = 0; at.z < counts.z; ++at.z) {
        const int i = at[pairs.axis];
        if (i % 2 != pairs.parity || i + 1 == counts[pairs.axis]) continue;
        PerAxis<int> next = at;
        ++next[pairs.axis];
        groups[placement.dimension_behind(pairs.axis, i)].push_back(
            {.members = {placement.npu(at), placement.npu(next)}, .on = on});
      }
    }
  }
  return groups;
}

}  // namespace

Schedule exchange_schedule(const Cluster& cluster, const Placement& placement, const HaloWords& words) {
  std::int64_t all = 0;
  for (const Axis axis : kAxes) all += 4 * words[axis];
  ScheduleBuilder builder({.nodes = node_count(cluster), .count = all, .output = 0});
  std::int64_t first = 0;
  for (const Axis axis : kAxes) {
    if (words[axis] == 0 || placement.counts()[axis] == 1) continue;
    const std::int64_t count = 2 * words[axis];  // what each of the two keeps, and what it sends
    const std::int32_t part = builder.part(direct_exchange_part(2, count));
    for (const int parity : {0, 1}) {
      const SpanId on = builder.span(Range{first, count});
      for (auto& [dimension, groups] : groups_of(placement, {axis, parity}, on)) {
        builder.phase({.part = part,
                       .groups = builder.groups(std::move(groups)),
                       .offset = 0,
                       .input = Buffer::input,
                       .output = Buffer::input,
                       .after = {}});
      }
      first += count;
    }
  }
  return std::move(builder).finish();
}

}  // namespace muster::seismic

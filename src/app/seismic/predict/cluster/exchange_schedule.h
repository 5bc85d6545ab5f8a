// The exchange of halos as a schedule of a cluster: neighbours swap what they have for each other, pair by pair.
#pragma once

#include "app/seismic/predict/cluster/placement.h"
#include "schedule/schedule.h"

namespace muster::seismic {

/// Words that go to the neighbour on each side of an axis.
using HaloWords = PerAxis<std::int64_t>;

/// Phases of pairs along every axis, which have no element in common: each is an all-to-all of two. They wait for nothing but the
/// links. Without pairs: nothing is exchanged.
Schedule exchange_schedule(const Cluster& cluster, const Placement& placement, const HaloWords& words);

}  // namespace muster::seismic

// What jobs share: the dimensions of a cluster.
#pragma once

#include "collective/dimensions/network.h"
#include "machine/cluster.h"
#include "result/sharing.h"

namespace muster::sharing {

/// The machine as a cluster whose dimensions jobs can share. Throws InputError if it is none.
const Cluster& shared_cluster(const Machine& machine);

/// How busy each dimension was in the answer's total time, and all of them by their bandwidth.
void add_dimensions(const Cluster& cluster, const DimensionNetwork& network, SharingAnswer& answer);

}  // namespace muster::sharing

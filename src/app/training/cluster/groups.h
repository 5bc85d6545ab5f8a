// From scopes to the NPUs that they stand for.
#pragma once

#include <cstdint>
#include <vector>

#include "app/training/iteration.h"
#include "machine/cluster.h"

namespace muster::training {

/// NPUs that communicate, as a cluster of their own. A part of a switched dimension counts as a dimension of its size with
/// the same bandwidth per NPU: whoever is not in the part uses other ports of the switch.
struct ClusterGroup {
  Cluster cluster;                       ///< of dimensions with two members or more
  std::vector<std::int32_t> dimensions;  ///< of the machine, for each of these
};

/// The NPUs of a communication. Throws InputError "file:line: ..." if there are no such.
Group group_on_cluster(const Communication& communication, const Workload& workload, const Machine& machine);

/// The part of a cluster that a group of it is.
const ClusterGroup& opened(const Group& group);

/// Of a group: bytes that each NPU sends in a transfer, at least (orders of dimensions differ where a switch reduces); bandwidth of
/// each, together.
double sent_bytes(const Group& group, const Transfer& transfer);
BytesPerSecond bandwidth(const Group& group);

}  // namespace muster::training

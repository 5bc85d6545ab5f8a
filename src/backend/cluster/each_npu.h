// The simulation of every NPU, for clusters whose NPUs differ.
#pragma once

#include "backend/cluster/program.h"
#include "backend/simulator.h"
#include "machine/cluster.h"

namespace muster::cluster {

/// An operation of a group begins when all members have reached it; an NPU works on one operation per dimension, and leaves it only
/// when it has been sent. Without options the result is that of simulate(). If members of a group are at different operations and
/// wait for each other, the fault says who waits for whom.
Result simulate_each(const ClusterProgram& program, const ClusterOptions& asked, const SimulateOptions& options);

}  // namespace muster::cluster

// Advice for whoever designs a cluster: how its bandwidth is spread over the dimensions, and how it would best be.
#pragma once

#include "machine/machine.h"
#include "result/advice.h"

namespace muster {

/// For allreduce, reduce-scatter and allgather, which need the same shares. Latency is taken to hide behind other chunks.
/// Throws InputError if the machine is no cluster.
AdviceAnswer advise(const Machine& machine);

}  // namespace muster

// How the bandwidth of a cluster is spread over its dimensions, and how it would best be.
#pragma once

#include "machine/machine.h"
#include "result/advice.h"

namespace muster {

/// For allreduce, reduce-scatter and allgather, which need the same shares. Latency is taken to hide behind other chunks.
AdviceAnswer advise_on_bandwidths(const Machine& machine);

}  // namespace muster

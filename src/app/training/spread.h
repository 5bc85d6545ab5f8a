// How the bandwidth of a machine would best be spread for a workload.
#pragma once

#include <functional>

#include "app/training/train.h"
#include "result/advice.h"

namespace muster::training {

/// Over the dimensions of a cluster (cluster/spread.h). Throws InputError where the machine's family has nothing to spread.
AdviceAnswer::Spread best_spread(const TrainRequest& request, const std::function<void(double)>& progress = {});

}  // namespace muster::training

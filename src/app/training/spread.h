// How the bandwidth of a cluster would best be spread over its dimensions for a workload.
#pragma once

#include <functional>
#include <vector>

#include "app/training/train.h"
#include "result/advice.h"

namespace muster::training {

/// The same total bandwidth, spread so that an iteration under `balanced` is fastest: by trying, since it depends on what
/// overlaps with computing. From the machine's own spread, shares of the total move from one dimension to another as long as that
/// helps: an eighth at first, then less and less. So it is the best of its neighbours, and no worse than the machine's own.
AdviceAnswer::Spread best_spread(const TrainRequest& request, const std::function<void(double)>& progress = {});

}  // namespace muster::training

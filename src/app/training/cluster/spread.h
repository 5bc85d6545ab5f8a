// The search for the best spread of bandwidth over the dimensions of a cluster.
#pragma once

#include <functional>

#include "app/training/train.h"
#include "result/advice.h"

namespace muster::training {

/// The same total bandwidth, spread so that an iteration under `balanced` is fastest: by trying, since it depends on what
/// overlaps with computing. From the machine's own spread, shares of the total move from one dimension to another as long as that
/// helps: an eighth at first, then less and less. So it is the best of its neighbours, and no worse than the machine's own.
AdviceAnswer::Spread best_spread_on_cluster(const TrainRequest& request, const std::function<void(double)>& progress);

}  // namespace muster::training

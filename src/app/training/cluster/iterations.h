// An iteration on the dimensions of a cluster, under every scheduler.
#pragma once

#include <cstdint>
#include <vector>

#include "app/training/train.h"
#include "result/training.h"

namespace muster::training {

/// The baseline first, then Themis and `balanced`, which is no slower; last what all bandwidth of the dimensions allows. Throws
/// InputError where time is not counted as the paper does, a collective is too large, or it takes more than a day.
std::vector<IterationAnswer> iterations_on_cluster(const TrainRequest& request, const Iteration& iteration);

/// Into how many chunks a transfer can be cut.
std::int64_t most_chunks_on_cluster(const Machine& machine);

}  // namespace muster::training

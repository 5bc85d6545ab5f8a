// How long an iteration may take at most.
#pragma once

#include "app/training/iteration.h"
#include "app/training/train.h"

namespace muster::training {

/// Throws InputError where all that is computed, and then sent in so many seconds, takes longer than a day.
void check_duration(const TrainRequest& request, const Iteration& iteration, double sending_seconds);

}  // namespace muster::training

// How long an iteration may take at most, and into how many chunks its transfers may be cut.
#pragma once

#include "app/training/iteration.h"
#include "app/training/train.h"

namespace muster::training {

/// Throws InputError where all that is computed, and then sent in so many seconds, takes longer than a day.
void check_duration(const TrainRequest& request, const Iteration& iteration, double sending_seconds);

/// Throws InputError if transfers cannot be cut into so many chunks on the machine.
void check_chunks(std::int64_t chunks, const Machine& machine);

}  // namespace muster::training

// What other subcommands want of train.
#pragma once

#include <vector>

#include "cli/arguments.h"
#include "result/training.h"

namespace muster {

/// Every workload of --workload on every machine of --machine, by workload.
std::vector<TrainingAnswer> training_answers(const Arguments& arguments);

}  // namespace muster

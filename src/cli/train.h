// What other subcommands want of train.
#pragma once

#include <vector>

#include "app/training/workload.h"
#include "cli/arguments.h"
#include "result/training.h"

namespace muster {

/// The workloads of --workload. Throws InputError where there is none.
std::vector<training::Workload> workloads_of(const Arguments& arguments);

/// Every workload of --workload on every machine of --machine, by workload.
std::vector<TrainingAnswer> training_answers(const Arguments& arguments);

}  // namespace muster

// An iteration on a HyperX of reducing switches: gradients combined by cores or in the network, behind the computation or beside
// it.
#pragma once

#include <vector>

#include "app/training/iteration.h"
#include "app/training/train.h"
#include "result/training.h"

namespace muster::training {

/// All cores: the only communication that is known is an allreduce of gradients among all. Throws InputError for others.
Group group_on_hyperx(const Communication& communication, const Workload& workload, const Machine& machine);

/// With one vector per core: Rabenseifner's algorithm first, which the cores run themselves, so that nothing overlaps; then what
/// the network does alone, after all gradients are computed and as soon as each is there; last what memory allows. With one
/// vector per node: on one tree first, then on as many as there are, after all and as soon as each; last what links allow. Throws
/// InputError where the machine has no such trees, does not say what cores' rounds take, or has failures that they do not go
/// around, and where it takes more than a day.
std::vector<IterationAnswer> iterations_on_hyperx(const TrainRequest& request, const Iteration& iteration);

/// The shape of the nodes, and who has a vector.
void describe_on_hyperx(const TrainRequest& request, TrainingAnswer& answer);

}  // namespace muster::training

// How the families that train do it. The general code makes an iteration of a workload and runs it over a carrier; who
// communicates with whom, what can carry that and how long it takes, it asks here.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "app/training/iteration.h"
#include "app/training/train.h"
#include "result/advice.h"

namespace muster::training {

struct Trainer {
  /// The NPUs of a communication. Throws InputError "file:line: ..." if there are no such, or nothing is known of it there.
  Group (*group_of)(const Communication& communication, const Workload& workload, const Machine& machine) = nullptr;
  /// The iteration over every carrier that the family compares, the baseline first and the ideal last, without speed-ups. Throws
  /// InputError where it cannot be carried, or takes more than a day.
  std::vector<IterationAnswer> (*iterations)(const TrainRequest& request, const Iteration& iteration) = nullptr;
  /// Into how many chunks a transfer can be cut; null: it is not cut.
  std::int64_t (*most_chunks)(const Machine& machine) = nullptr;
  /// Adds to the answer what only this family's says; null: nothing.
  void (*describe)(const TrainRequest& request, TrainingAnswer& answer) = nullptr;
  /// The contract of spread.h; null: there is nothing to spread.
  AdviceAnswer::Spread (*best_spread)(const TrainRequest& request,
                                      const std::function<void(double)>& progress) = nullptr;
};

/// Throws InputError where the machine's family does not train.
Trainer trainer_for(const Machine& machine);

}  // namespace muster::training

// One training iteration over every carrier that the machine's family compares.
#pragma once

#include <array>
#include <cstdint>

#include "app/training/carrier.h"
#include "app/training/workload.h"
#include "machine/machine.h"
#include "result/training.h"

namespace muster::training {

/// What an iteration's time is spent on; all of it, so that the parts add up to the end.
struct Breakdown {
  std::array<Ticks, kShares> parts{};
  Ticks end;
  Ticks communicating;  ///< while something was under way
};

Breakdown run(const Iteration& iteration, Carrier& carrier);

struct TrainRequest {
  Machine machine;
  Workload workload;
  std::int64_t chunks = 64;  ///< of every communication, where it has as many words
  double faster = 1;         ///< how many times as fast as the workload says NPUs compute
  std::int64_t batch = 0;    ///< samples per NPU; 0: as many as the workload says
  Options options = {};      ///< of the family: whether gradients are there once per node or once per core, for example
};

/// Throws InputError where the workload does not go with the machine.
TrainingAnswer train(const TrainRequest& request);

}  // namespace muster::training

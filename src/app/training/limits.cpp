// Times are added up as floating-point numbers, which hold whatever a workload says.
#include "app/training/limits.h"

#include "base/error.h"
#include "result/time_base.h"

namespace muster::training {
namespace {

constexpr double kMostIterationSeconds = 86'400;  ///< of all that is computed and sent, one after another

}  // namespace

void check_duration(const TrainRequest& request, const Iteration& iteration, double sending_seconds) {
  double seconds = sending_seconds;
  for (const Task& task : iteration.tasks)
    seconds += static_cast<double>(task.time.value()) / kPicoseconds.ticks_per_second;
  if (seconds < kMostIterationSeconds) return;
  reject("{}: an iteration may take {:.3g} s, more than {} s on {}", request.workload.file, seconds,
         kMostIterationSeconds, request.machine.name);
}

}  // namespace muster::training

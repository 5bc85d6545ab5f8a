// Times are added up as floating-point numbers, which hold whatever a workload says.
#include "app/training/limits.h"

#include "app/training/families.h"
#include "base/error.h"
#include "result/time_base.h"

namespace muster::training {
namespace {

constexpr double kMostIterationSeconds = 86'400;  ///< of all that is computed and sent, one after another

}  // namespace

void check_duration(const TrainRequest& request, const Iteration& iteration, double sending_seconds) {
  double seconds = sending_seconds;
  for (const Task& task : iteration.tasks) seconds += to_seconds(task.time, kPicoseconds).value();
  if (seconds < kMostIterationSeconds) return;
  reject("{}: an iteration may take {:.3g} s, more than {} s on {}", request.workload.file, seconds,
         kMostIterationSeconds, request.machine.name);
}

void check_chunks(std::int64_t chunks, const Machine& machine) {
  const auto most_of = trainer_for(machine).most_chunks;
  if (most_of == nullptr || chunks <= most_of(machine)) return;
  reject("--chunks: {} is out of range; use 1 to {} on {}", chunks, most_of(machine), machine.name);
}

}  // namespace muster::training

// An iteration of the workload, and what its machine's family makes of it.
#include "app/training/train.h"

#include "app/training/families.h"
#include "base/error.h"
#include "machine/family.h"

namespace muster::training {
namespace {

/// How many times as fast as the workload says: other batches take as much longer or shorter as they are larger or smaller.
double faster_with_batch(const TrainRequest& request) {
  if (request.batch == 0) return request.faster;
  if (request.workload.batch == 0) {
    reject("{}: has no 'batch', the batch size of its times; add it, or leave out --batch", request.workload.file);
  }
  return request.faster * static_cast<double>(request.workload.batch) / static_cast<double>(request.batch);
}

}  // namespace

TrainingAnswer train(const TrainRequest& request) {
  const Trainer trainer = trainer_for(request.machine);
  const Iteration iteration = iteration_of(request.workload, request.machine, faster_with_batch(request));
  TrainingAnswer answer{.machine = request.machine.name,
                        .shape = request.machine.family().shape(request.machine.network),
                        .workload = request.workload.name,
                        .summary = request.workload.summary,
                        .layers = static_cast<std::int64_t>(request.workload.layers.size()),
                        .model_npus = request.workload.model_npus,
                        .chunks = request.chunks,
                        .faster = request.faster,
                        .batch = request.batch > 0 ? request.batch : request.workload.batch,
                        .has_chunks = trainer.most_chunks != nullptr};
  if (trainer.describe != nullptr) trainer.describe(request, answer);
  answer.iterations = trainer.iterations(request, iteration);
  for (IterationAnswer& iteration_answer : answer.iterations) {
    if (iteration_answer.total > Seconds(0))
      iteration_answer.speedup = answer.iterations.front().total / iteration_answer.total;
  }
  return answer;
}

}  // namespace muster::training

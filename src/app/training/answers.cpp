// From picoseconds to an answer.
#include "app/training/answers.h"

#include "base/index.h"
#include "result/time_base.h"

namespace muster::training {

IterationAnswer iteration_answer(const Scheduled& scheduled, const Breakdown& breakdown) {
  const auto seconds = [](Ticks time) { return to_seconds(time, kPicoseconds); };
  const auto part = [&](Share share) { return seconds(breakdown.parts[at(static_cast<int>(share))]); };
  const double time = seconds(breakdown.communicating).value();
  return {.scheduler = scheduled.scheduler,
          .order = scheduled.order,
          .forward = part(Share::forward),
          .input_gradient = part(Share::input_gradient),
          .weight_gradient = part(Share::weight_gradient),
          .update = part(Share::update),
          .exposed_model = part(Share::model_wait),
          .exposed_data = part(Share::data_wait),
          .total = seconds(breakdown.end),
          .utilization = time > 0 ? scheduled.sent / (scheduled.bandwidth.value() * time) : 0};
}

}  // namespace muster::training

// A training iteration as CSV: a line per scheduler.
#include <fmt/format.h>

#include "report/csv_report.h"
#include "report/phrases.h"

namespace muster {

namespace {

std::string titles() {
  return csv_line({"machine", "dimensions", "workload", "chunks", "faster", "scheduler", "order", "forward_seconds",
                   "input_gradient_seconds", "weight_gradient_seconds", "update_seconds", "exposed_model_seconds",
                   "exposed_data_seconds", "seconds", "speedup", "utilization", "batch", "vectors"});
}

std::string lines_of(const TrainingAnswer& answer) {
  std::string text;
  const auto number = [](double value) { return fmt::format("{}", value); };
  for (const IterationAnswer& iteration : answer.iterations) {
    text +=
        csv_line({answer.machine, fmt::format("{}", fmt::join(answer.shape, "x")), answer.workload,
                  answer.has_chunks ? std::to_string(answer.chunks) : "", number(answer.faster), iteration.scheduler,
                  iteration.order, number(iteration.forward.value()), number(iteration.input_gradient.value()),
                  number(iteration.weight_gradient.value()), number(iteration.update.value()),
                  number(iteration.exposed_model.value()), number(iteration.exposed_data.value()),
                  number(iteration.total.value()), number(iteration.speedup),
                  possible_share(iteration.utilization) ? number(iteration.utilization) : "",
                  answer.batch > 0 ? std::to_string(answer.batch) : "", answer.vectors});
  }
  return text;
}

}  // namespace

std::string csv_report(const TrainingAnswer& answer) { return titles() + lines_of(answer); }

std::string csv_report(const std::vector<TrainingAnswer>& answers) {
  std::string text = titles();
  for (const TrainingAnswer& training : answers) text += lines_of(training);
  return text;
}

}  // namespace muster

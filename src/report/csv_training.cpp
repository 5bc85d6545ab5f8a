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
  for (const IterationAnswer& one : answer.iterations) {
    text += csv_line({answer.machine, fmt::format("{}", fmt::join(answer.shape, "x")), answer.workload,
                      answer.has_chunks ? std::to_string(answer.chunks) : "", number(answer.faster), one.scheduler,
                      one.order, number(one.forward.value()), number(one.input_gradient.value()),
                      number(one.weight_gradient.value()), number(one.update.value()),
                      number(one.exposed_model.value()), number(one.exposed_data.value()), number(one.total.value()),
                      number(one.speedup), possible_share(one.utilization) ? number(one.utilization) : "",
                      answer.batch > 0 ? std::to_string(answer.batch) : "", answer.vectors});
  }
  return text;
}

}  // namespace

std::string csv_report(const TrainingAnswer& answer) { return titles() + lines_of(answer); }

std::string csv_report(const std::vector<TrainingAnswer>& answers) {
  std::string text = titles();
  for (const TrainingAnswer& one : answers) text += lines_of(one);
  return text;
}

}  // namespace muster

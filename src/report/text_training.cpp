// A training iteration as a table: a line per scheduler, its time in parts.
#include <fmt/format.h>

#include <algorithm>

#include "base/counted.h"
#include "base/text_table.h"
#include "report/phrases.h"
#include "report/text_report.h"

namespace muster {
namespace {

constexpr auto kRight = TextTable::Align::right;

std::string milliseconds_text(Seconds time) { return fmt::format("{:.3f}", time.value() * 1e3); }

std::string title_of(const TrainingAnswer& answer) {
  std::string text = fmt::format("one iteration of {} on {}, {} {}", answer.workload, answer.machine,
                                 answer.shape.empty() ? "1" : fmt::format("{}", fmt::join(answer.shape, "x")),
                                 answer.has_chunks      ? "NPUs"
                                 : answer.shape.empty() ? "node"
                                                        : "nodes");
  if (answer.vectors == "node") text += ", a vector per node";
  if (answer.batch > 0) text += fmt::format(", batch {}", grouped(answer.batch));
  if (answer.model_npus > 1) text += fmt::format(", {} of them share a model", grouped(answer.model_npus));
  if (answer.faster != 1) text += fmt::format(", computation {} times as fast", answer.faster);
  return text + "; times in ms";
}

/// How much of the time gradients take that are not there yet: "25.1% by in-network, ...".
std::string shares_of(const TrainingAnswer& answer) {
  std::vector<std::string> shares;
  for (const IterationAnswer& iteration : answer.iterations) {
    if (!(iteration.total > Seconds(0))) continue;
    shares.push_back(fmt::format("{:.1f}% by {}", 100 * (iteration.exposed_data / iteration.total), iteration.name()));
  }
  return fmt::format("{}", fmt::join(shares, ", "));
}

}  // namespace

std::string text_report(const TrainingAnswer& answer, const Style& style) {
  TextTable table({{"scheduler"},
                   {"forward", kRight},
                   {"input grad", kRight},
                   {"weight grad", kRight},
                   {"update", kRight},
                   {"wait model", kRight},
                   {"wait data", kRight},
                   {"total", kRight},
                   {"speed-up", kRight},
                   {"utilization", kRight}});
  for (const IterationAnswer& iteration : answer.iterations) {
    table.add({iteration.name(), milliseconds_text(iteration.forward), milliseconds_text(iteration.input_gradient),
               milliseconds_text(iteration.weight_gradient), milliseconds_text(iteration.update),
               milliseconds_text(iteration.exposed_model), milliseconds_text(iteration.exposed_data),
               milliseconds_text(iteration.total), fmt::format("{:.3f}", iteration.speedup),
               share_text(iteration.utilization)});
  }
  std::string text = title_of(answer) + "\n\n" + table.text(style) + "\n";
  if (!answer.summary.empty()) text += fmt::format("workload   {}\n", answer.summary);
  if (!answer.vectors.empty()) text += fmt::format("wait data  {}\n", shares_of(answer));
  if (!answer.has_chunks) return text + fmt::format("layers     {}\n", grouped(answer.layers));
  return text + fmt::format("layers     {}; every communication is split into up to {}\n", grouped(answer.layers),
                            counted(answer.chunks, "chunk"));
}

namespace {

std::string speedup_text(double speedup) { return fmt::format("{:.3f}", speedup); }

/// Of the answers from `first` on that are of one workload: the mean speed-ups.
std::vector<std::string> mean_row(const std::vector<TrainingAnswer>& answers, std::size_t first, std::size_t end,
                                  bool batched) {
  std::vector<std::string> row(batched ? 4 : 3);
  row[1] = "mean";
  for (std::size_t i = 1; i < answers[first].iterations.size(); ++i) {
    double sum = 0;
    for (std::size_t a = first; a < end; ++a) sum += answers[a].iterations[i].speedup;
    row.push_back(speedup_text(sum / static_cast<double>(end - first)));
  }
  return row;
}

std::vector<std::string> speedup_row(const TrainingAnswer& answer, bool named, bool batched) {
  std::vector<std::string> row{named ? answer.workload : "", answer.machine};
  if (batched) row.push_back(answer.batch > 0 ? grouped(answer.batch) : "");
  row.push_back(milliseconds_text(answer.iterations.front().total));
  for (std::size_t i = 1; i < answer.iterations.size(); ++i) {
    row.push_back(speedup_text(answer.iterations[i].speedup));
  }
  return row;
}

}  // namespace

std::string text_report(const std::vector<TrainingAnswer>& answers, const Style& style) {
  if (answers.size() == 1) return text_report(answers.front(), style);
  if (answers.empty()) return "no iterations\n";
  const std::vector<IterationAnswer>& schedulers = answers.front().iterations;
  const bool batched =
      std::any_of(answers.begin(), answers.end(), [](const TrainingAnswer& training) { return training.batch > 0; });
  std::vector<TextTable::Column> columns{{"workload"}, {"machine"}};
  if (batched) columns.push_back({"batch", kRight});
  columns.push_back({schedulers.front().name() + " ms", kRight});
  for (std::size_t i = 1; i < schedulers.size(); ++i) columns.push_back({schedulers[i].name(), kRight});
  TextTable table(columns);
  for (std::size_t first = 0, end = 0; first < answers.size(); first = end) {
    for (; end < answers.size() && answers[end].workload == answers[first].workload; ++end) {
      table.add(speedup_row(answers[end], end == first, batched));
    }
    if (end - first > 1 && !batched) table.add(mean_row(answers, first, end, batched));
  }
  std::string text = "one training iteration: time of the baseline, and speed-up of the others over it";
  if (answers.front().vectors == "node") text += ", a vector per node";
  if (answers.front().faster != 1) text += fmt::format(", computation {} times as fast", answers.front().faster);
  return text + "\n\n" + table.text(style);
}

}  // namespace muster

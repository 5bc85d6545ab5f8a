// A training iteration as a table: a line per scheduler, its time in parts.
#include <fmt/format.h>

#include "base/text_table.h"
#include "report/phrases.h"
#include "report/text_report.h"

namespace muster {
namespace {

constexpr auto kRight = TextTable::Align::right;

std::string milliseconds_text(Seconds time) { return fmt::format("{:.3f}", time.value() * 1e3); }

std::string title_of(const TrainingAnswer& answer) {
  std::string text =
      fmt::format("one iteration of {} on {}, {} NPUs", answer.workload, answer.machine, fmt::join(answer.shape, "x"));
  if (answer.model_npus > 1) text += fmt::format(", {} of which share a model", grouped_text(answer.model_npus));
  return text + "; times in ms";
}

}  // namespace

std::string text_report(const TrainingAnswer& answer) {
  TextTable table({{"scheduler"},
                   {"forward", kRight},
                   {"input gr.", kRight},
                   {"weight gr.", kRight},
                   {"update", kRight},
                   {"wait model", kRight},
                   {"wait data", kRight},
                   {"total", kRight},
                   {"speed-up", kRight},
                   {"utilization", kRight}});
  for (const IterationAnswer& one : answer.iterations) {
    table.add({one.name(), milliseconds_text(one.forward), milliseconds_text(one.input_gradient),
               milliseconds_text(one.weight_gradient), milliseconds_text(one.update),
               milliseconds_text(one.exposed_model), milliseconds_text(one.exposed_data), milliseconds_text(one.total),
               fmt::format("{:.3f}", one.speedup), fmt::format("{:.1f}%", 100 * one.utilization)});
  }
  std::string text = title_of(answer) + "\n\n" + table.text() + "\n";
  if (!answer.summary.empty()) text += fmt::format("workload   {}\n", answer.summary);
  return text + fmt::format("layers     {}; every communication in up to {}\n", grouped_text(answer.layers),
                            counted_text(answer.chunks, "chunk"));
}

}  // namespace muster

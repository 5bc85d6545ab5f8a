// An explanation on a cluster: what each dimension did, plan by plan, and a paragraph.
#include <fmt/format.h>

#include "base/text_table.h"
#include "report/phrases.h"
#include "report/text_report.h"

namespace muster {
namespace {

constexpr auto kRight = TextTable::Align::right;
constexpr std::size_t kWidth = 100;

std::string name_of(const ExplainedChunks& plan) {
  return algorithm_text(plan.candidate.algorithm, plan.candidate.parameters);
}

void add_rows(TextTable& table, const ExplainedChunks& plan) {
  const Seconds all = plan.candidate.simulated_seconds.value();
  const auto percent = [&](Seconds part) { return fmt::format("{:.1f}%", 100 * (part / all)); };
  for (std::size_t d = 0; d < plan.dimensions.size(); ++d) {
    const ExplainedDimension& one = plan.dimensions[d];
    table.add({d == 0 ? name_of(plan) : "", d == 0 ? microseconds_text(plan.candidate.simulated_seconds) : "",
               fmt::format("{} {}", one.name, d == plan.critical ? "*" : " "), to_text(one.bytes), percent(one.busy),
               percent(one.before), percent(one.between), percent(one.after)});
  }
}

std::string sentences(const ClusterExplainAnswer& answer) {
  const ExplainedChunks& plan = answer.chosen;
  const ExplainedDimension& critical = plan.dimensions[plan.critical];
  constexpr double kLittle = 0.5;
  const double part = critical.busy / plan.candidate.simulated_seconds.value();
  std::string text = fmt::format("{} sends longest: {:.1f}% of the time of {}{}.", critical.name, 100 * part,
                                 plan.candidate.algorithm, part < kLittle ? "; the latency of messages decides" : "");
  for (const std::string& sentence : {answer.why, answer.loss}) {
    if (!sentence.empty()) text += " " + sentence + ".";
  }
  if (answer.bound) {
    text += fmt::format(" The bound is {} us ({}: {}); {} takes {} times that.",
                        microseconds_text(answer.bound->seconds), answer.bound->name, answer.bound->proves,
                        plan.candidate.algorithm, ratio_text(plan.candidate.simulated_seconds, answer.bound->seconds));
  }
  return fmt::format("{}\n", fmt::join(wrapped(text, kWidth), "\n"));
}

}  // namespace

std::string text_report(const ClusterExplainAnswer& answer, const Style& style) {
  std::string text = question_text(answer.question) + " by " + name_of(answer.chosen);
  if (!answer.chosen_is_best) text += fmt::format(" ({} is better)", answer.other->candidate.algorithm);
  TextTable table({{"plan"},
                   {"us", kRight},
                   {"dimension"},
                   {"sent by all", kRight},
                   {"busy", kRight},
                   {"idle before", kRight},
                   {"between", kRight},
                   {"after", kRight}});
  add_rows(table, answer.chosen);
  if (answer.other) add_rows(table, *answer.other);
  return text + "\n\n" + table.text(style) + "\n" + sentences(answer);
}

}  // namespace muster

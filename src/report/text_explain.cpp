// An explanation: both plans' numbers side by side, the critical path, and a paragraph.
#include <fmt/format.h>

#include "base/text_table.h"
#include "report/phrases.h"
#include "report/text_report.h"

namespace muster {
namespace {

constexpr auto kRight = TextTable::Align::right;
constexpr std::size_t kWidth = 100;

std::string name_of(const ExplainedPlan& plan) {
  return algorithm_text(plan.candidate.algorithm, plan.candidate.parameters);
}

/// One row of the comparison: a number of each plan, and what it is.
struct Row {
  const char* term;
  std::string (*value)(const ExplainedPlan&);
  const char* meaning;
};

std::string comparison_table(const ExplainAnswer& answer, const Style& style) {
  using Plan = ExplainedPlan;
  const Row rows[] = {
      {"simulated", [](const Plan& p) { return cycles_text(p.candidate.simulated_cycles); },
       "cycles, in the simulator"},
      {"predicted", [](const Plan& p) { return cycles_text(p.candidate.predicted_cycles); },
       "cycles, by the algorithm's formula"},
      {"depth", [](const Plan& p) { return grouped_text(p.depth); }, "messages that need each other"},
      {"distance", [](const Plan& p) { return grouped_text(p.distance); }, "hops of the farthest data"},
      {"energy", [](const Plan& p) { return grouped_text(p.energy); }, "hops of all words"},
      {"links", [](const Plan& p) { return grouped_text(p.links); }, "in use"},
      {"contention", [](const Plan& p) { return grouped_text(p.contention); }, "words through the busiest port"},
      {"model", [](const Plan& p) { return cycles_text(p.model); },
       "max(contention, energy / links + distance) + depth (2 T_R + 1)"},
      {"path", [](const Plan& p) { return cycles_text(p.path_end); }, "cycles of the critical path; of these"},
      {"  words", [](const Plan& p) { return cycles_text(p.path_words); }, "that pass one after another"},
      {"  hops", [](const Plan& p) { return cycles_text(p.path_hops); }, "on links"},
      {"  ramps", [](const Plan& p) { return cycles_text(p.path_ramps); }, "on ramps and to combine"},
      {"waiting", [](const Plan& p) { return cycles_text(p.waiting); },
       "simulated beyond the path: messages that meet"},
  };
  std::vector<TextTable::Column> columns{{""}, {name_of(answer.chosen), kRight}};
  if (answer.other) columns.push_back({name_of(*answer.other), kRight});
  columns.push_back({"meaning"});
  TextTable table(columns);
  for (const Row& row : rows) {
    std::vector<std::string> cells{row.term, row.value(answer.chosen)};
    if (answer.other) cells.push_back(row.value(*answer.other));
    cells.emplace_back(row.meaning);
    table.add(cells);
  }
  return table.text(style);
}

std::string path_table(const ExplainedPlan& plan, const Style& style) {
  TextTable table({{"from", kRight}, {"to", kRight}, {"cycles", kRight}, {"critical path of " + name_of(plan)}});
  for (const PathLine& line : plan.path) {
    table.add({grouped_text(line.begin.value()), grouped_text(line.end.value()),
               grouped_text((line.end - line.begin).value()), line.what});
  }
  return table.text(style);
}

std::string busy_table(const ExplainAnswer& answer, const Style& style) {
  TextTable table({{"plan"}, {"busiest port"}, {"words", kRight}, {"busiest link"}, {"words", kRight}});
  const auto add = [&table](const ExplainedPlan& plan) {
    table.add({name_of(plan), plan.busiest_port.place, grouped_text(plan.busiest_port.words), plan.busiest_link.place,
               grouped_text(plan.busiest_link.words)});
  };
  add(answer.chosen);
  if (answer.other) add(*answer.other);
  return table.text(style);
}

std::string paragraph(const ExplainAnswer& answer) {
  std::string text = answer.why + (answer.why.empty() ? "" : ". ") + answer.loss;
  if (answer.bound && answer.chosen.candidate.simulated_seconds) {
    text += fmt::format(" The bound is {} cycles ({}: {}); {} takes {} times that.", cycles_text(answer.bound->cycles),
                        answer.bound->name, answer.bound->proves, answer.chosen.candidate.algorithm,
                        ratio_text(answer.chosen.candidate.simulated_seconds, answer.bound->seconds));
  }
  return fmt::format("{}\n", fmt::join(wrapped(text, kWidth), "\n"));
}

}  // namespace

std::string text_report(const ExplainAnswer& answer, const Style& style) {
  std::string text = question_text(answer.question) + " by " + name_of(answer.chosen);
  if (!answer.chosen_is_best) text += fmt::format(" ({} is better)", answer.other->candidate.algorithm);
  text += "\n\n" + comparison_table(answer, style) + "\n" + busy_table(answer, style) + "\n" +
          path_table(answer.chosen, style) + "\n";
  if (answer.other) text += path_table(*answer.other, style) + "\n";
  text += roots_line(answer.question);
  for (const ExplainedPlan* plan : {&answer.chosen, answer.other ? &*answer.other : nullptr}) {
    if (plan == nullptr || plan->candidate.note.empty()) continue;
    text += fmt::format("note       {}: {}\n", plan->candidate.algorithm, hanging(plan->candidate.note, 11));
  }
  return text + paragraph(answer);
}

}  // namespace muster

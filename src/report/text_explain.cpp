// An explanation: both plans' numbers side by side, their busiest resources, the critical path, and a paragraph.
// What a family has none of is left out.
#include <fmt/format.h>

#include <algorithm>

#include "base/counted.h"
#include "base/text_table.h"
#include "base/time_unit.h"
#include "report/phrases.h"
#include "report/text_explain_resources.h"
#include "report/text_report.h"
#include "result/time_base.h"

namespace muster {
namespace {

constexpr auto kRight = TextTable::Align::right;
constexpr std::size_t kWidth = 100;

std::string name_of(const ExplainedPlan& plan) {
  return algorithm_text(plan.candidate.algorithm, plan.candidate.parameters);
}

/// The plan that was asked for, and the other one if there is one.
std::vector<const ExplainedPlan*> plans_of(const ExplainAnswer& answer) {
  std::vector<const ExplainedPlan*> plans{&answer.chosen};
  if (answer.other) plans.push_back(&*answer.other);
  return plans;
}

bool is_busy_resource(const ExplainedFigure& figure) {
  return figure.value && std::holds_alternative<BusyResource>(*figure.value);
}

std::string value_text(const ExplainedFigure& figure, const std::optional<TimeUnit>& unit) {
  if (!figure.value) return "-";
  if (const auto* number = std::get_if<std::int64_t>(&*figure.value)) return grouped(*number);
  const Seconds time = std::get<Seconds>(*figure.value);
  return unit ? unit->text(time) : time_text(time);
}

/// The figures of all plans that are numbers, each once, in the order of the table.
std::vector<ExplainedFigure> rows_of(const std::vector<const ExplainedPlan*>& plans) {
  std::vector<ExplainedFigure> rows;
  for (const ExplainedPlan* plan : plans) {
    for (const ExplainedFigure& figure : plan->figures) {
      const auto is_same = [&](const ExplainedFigure& row) { return row.key == figure.key; };
      if (!is_busy_resource(figure) && std::none_of(rows.begin(), rows.end(), is_same)) rows.push_back(figure);
    }
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const ExplainedFigure& a, const ExplainedFigure& b) { return a.row < b.row; });
  return rows;
}

/// Of a figure that the other plan has, or this one; a time that a plan has none of is 0. In a table of cycles, which has no
/// unit for times, each time has its own.
std::string value_in(const ExplainedPlan& plan, const ExplainedFigure& row, const std::optional<TimeUnit>& unit) {
  for (const ExplainedFigure& figure : plan.figures) {
    if (figure.key == row.key) return value_text(figure, unit);
  }
  if (!row.value || !std::holds_alternative<Seconds>(*row.value)) return "-";
  return unit ? unit->text(Seconds(0)) : "0";
}

/// Of the times of all plans and their parts.
TimeUnit unit_of(const std::vector<const ExplainedPlan*>& plans) {
  std::vector<std::optional<Seconds>> times;
  for (const ExplainedPlan* plan : plans) {
    times.insert(times.end(), {plan->candidate.simulated_seconds, plan->candidate.predicted_seconds});
    for (const ExplainedFigure& figure : plan->figures) {
      if (figure.value && std::holds_alternative<Seconds>(*figure.value))
        times.emplace_back(std::get<Seconds>(*figure.value));
    }
  }
  return TimeUnit::of_column(times);
}

std::string comparison_table(const ExplainAnswer& answer, const Style& style) {
  const std::vector<const ExplainedPlan*> plans = plans_of(answer);
  std::vector<TextTable::Column> columns{{""}};
  for (const ExplainedPlan* plan : plans) columns.push_back({name_of(*plan), kRight});
  columns.push_back({"meaning"});
  TextTable table(columns);
  const auto add = [&](const std::string& term, const auto& value, const std::string& meaning) {
    std::vector<std::string> cells{term};
    for (const ExplainedPlan* plan : plans) cells.push_back(value(*plan));
    cells.push_back(meaning);
    table.add(cells);
  };
  const bool in_cycles = answer.chosen.candidate.predicted_cycles.has_value();
  const TimeUnit unit = unit_of(plans);
  const std::string unit_name = in_cycles ? "cycles" : unit.name();
  const auto time = [&](const std::optional<Cycles>& cycles, const std::optional<Seconds>& seconds) {
    return in_cycles ? cycles_text(cycles) : unit.text(seconds);
  };
  add(
      "simulated",
      [&](const ExplainedPlan& p) { return time(p.candidate.simulated_cycles, p.candidate.simulated_seconds); },
      unit_name + (in_cycles ? " simulated" : " simulated; of these, on the critical path:"));
  const std::string formula = unit_name + " predicted by the algorithm's formula";
  const auto predicted = [&](const ExplainedPlan& p) {
    return time(p.candidate.predicted_cycles, p.candidate.predicted_seconds);
  };
  if (in_cycles) add("predicted", predicted, formula);
  for (const ExplainedFigure& row : rows_of(plans)) {
    add(
        row.term,
        [&](const ExplainedPlan& p) { return value_in(p, row, in_cycles ? std::nullopt : std::optional(unit)); },
        row.meaning);
  }
  if (!in_cycles) add("predicted", predicted, formula);
  return table.text(style);
}

std::string path_table(const ExplainedPlan& plan, const Style& style) {
  const bool in_cycles = !plan.path_in_picoseconds;
  const auto seconds = [](Cycles time) { return to_seconds(time, kPicoseconds); };
  std::vector<std::optional<Seconds>> times;
  for (const PathLine& line : plan.path) times.insert(times.end(), {seconds(line.end), seconds(line.end - line.begin)});
  const TimeUnit unit = TimeUnit::of_column(times);
  TextTable table({{in_cycles ? "from" : "from " + unit.name(), kRight},
                   {"to", kRight},
                   {in_cycles ? "cycles" : unit.name(), kRight},
                   {"critical path of " + name_of(plan)}});
  const auto text = [&](Cycles time) { return in_cycles ? grouped(time.value()) : unit.text(seconds(time)); };
  for (const PathLine& line : plan.path) {
    table.add({text(line.begin), text(line.end), text(line.end - line.begin), line.what});
  }
  return table.text(style);
}

/// The busiest resources of both plans; empty where they have none.
std::string busy_table(const ExplainAnswer& answer, const Style& style) {
  std::vector<TextTable::Column> columns{{"plan"}};
  for (const ExplainedFigure& figure : answer.chosen.figures) {
    if (!is_busy_resource(figure)) continue;
    columns.push_back({figure.term});
    columns.push_back({"words", kRight});
  }
  if (columns.size() == 1) return "";
  TextTable table(columns);
  for (const ExplainedPlan* plan : plans_of(answer)) {
    std::vector<std::string> cells{name_of(*plan)};
    for (const ExplainedFigure& figure : plan->figures) {
      if (!is_busy_resource(figure)) continue;
      const auto& busy = std::get<BusyResource>(*figure.value);
      cells.push_back(busy.name);
      cells.push_back(grouped(busy.words));
    }
    table.add(cells);
  }
  return table.text(style);
}

/// Both plans in a few sentences.
std::string paragraph(const ExplainAnswer& answer) {
  std::string text;
  for (const std::string& sentence : {answer.bottleneck, answer.why, answer.loss}) {
    if (sentence.empty()) continue;
    text += (text.empty() ? "" : " ") + sentence + (sentence.back() == '.' ? "" : ".");
  }
  if (answer.bound && answer.chosen.candidate.simulated_seconds) {
    const std::string bound =
        answer.bound->cycles ? cycles_text(answer.bound->cycles) + " cycles" : time_text(answer.bound->seconds);
    text += fmt::format(" The lower bound is {}; {} takes {} times as long. The bound ({}) holds for {}.", bound,
                        answer.chosen.candidate.algorithm,
                        ratio_text(answer.chosen.candidate.simulated_seconds, answer.bound->seconds),
                        answer.bound->name, answer.bound->proves);
  }
  return fmt::format("{}\n", fmt::join(wrapped(text, kWidth), "\n"));
}

}  // namespace

std::string text_report(const ExplainAnswer& answer, const Style& style) {
  std::string text = question_text(answer.question, name_of(answer.chosen));
  if (!answer.chosen_is_best) text += fmt::format(" ({} is better)", answer.other->candidate.algorithm);
  text += "\n\n";
  if (!answer.chosen.figures.empty()) text += comparison_table(answer, style) + "\n";
  for (const std::string& table : {busy_table(answer, style), resource_table(answer, style)}) {
    if (!table.empty()) text += table + "\n";
  }
  for (const ExplainedPlan* plan : plans_of(answer)) {
    if (!plan->path.empty() || plan->resources.empty()) text += path_table(*plan, style) + "\n";
  }
  text += roots_line(answer.question);
  for (const ExplainedPlan* plan : plans_of(answer)) {
    if (plan->candidate.note.empty()) continue;
    text += fmt::format("note       {}: {}\n", plan->candidate.algorithm, hanging(plan->candidate.note, 11));
  }
  return text + paragraph(answer);
}

}  // namespace muster

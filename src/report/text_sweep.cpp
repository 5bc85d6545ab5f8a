// A sweep as a table, a line per size and a column per algorithm; and which files its pictures are in.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/counted.h"
#include "base/text_table.h"
#include "base/time_unit.h"
#include "report/phrases.h"
#include "report/text_report.h"

namespace muster {
namespace {

constexpr auto kRight = TextTable::Align::right;

/// Simulated where there is such a time; a prediction beside simulations is in brackets.
std::string cell_text(const CandidateAnswer& candidate, bool simulated, const TimeUnit& unit) {
  if (candidate.failed) return "FAILED";
  if (candidate.simulated_cycles) return cycles_text(candidate.simulated_cycles);
  if (candidate.simulated_seconds) return unit.text(candidate.simulated_seconds);
  const std::string predicted =
      candidate.predicted_cycles ? cycles_text(candidate.predicted_cycles) : unit.text(candidate.predicted_seconds);
  return simulated ? fmt::format("({})", predicted) : predicted;
}

std::string bound_text(const SweepSize& size, const TimeUnit& unit) {
  if (!size.bound) return "-";
  return size.bound->cycles ? cycles_text(size.bound->cycles) : unit.text(size.bound->seconds);
}

/// One unit for the whole table; bounds, which may be far below all times, do not count.
TimeUnit unit_of(const SweepAnswer& answer) {
  std::vector<std::optional<Seconds>> times;
  for (const SweepSize& size : answer.sizes) {
    for (const CandidateAnswer& candidate : size.candidates) {
      times.emplace_back(candidate.simulated_seconds ? candidate.simulated_seconds : candidate.predicted_seconds);
    }
  }
  return TimeUnit::of_column(times);
}

/// With what the algorithms run, or should have.
std::string parameter_text(const SweepSize& size, const std::string& name) {
  const ParameterValues& parameters = size.candidates.empty() ? size.given : size.candidates.front().parameters;
  const auto found = parameters.find(name);
  return found == parameters.end() ? "-" : found->second.text();
}

std::vector<std::string> row_of(const SweepAnswer& answer, const SweepSize& size, const TimeUnit& unit) {
  const Question& question = size.question;
  std::map<std::string, std::string> times;
  for (const CandidateAnswer& candidate : size.candidates)
    times[candidate.algorithm] = cell_text(candidate, answer.simulated, unit);
  std::vector<std::string> row{question.shape.text, question.type.empty() ? "-" : grouped(question.count)};
  for (const std::string& name : answer.parameters) row.push_back(parameter_text(size, name));
  row.push_back(bound_text(size, unit));
  for (const std::string& algorithm : answer.algorithms) {
    row.push_back(times.contains(algorithm) ? times[algorithm] : "-");
  }
  row.push_back(size.best.empty() ? "-" : size.best);
  return row;
}

std::string title_of(const SweepAnswer& answer, const TimeUnit& time_unit) {
  const Question& question = answer.sizes.front().question;
  std::string text = question.collective;
  if (!question.op.empty()) text += fmt::format(" ({})", question.op);
  if (!question.type.empty()) text += " of " + question.type;
  text += question.of_family.per_vector;
  const std::string unit = question.has_clock ? "cycles" : time_unit.name();
  return fmt::format("{} on {}{}: {}", text, question.machine, question.of_family.members,
                     answer.simulated ? fmt::format("simulated {} (predicted in parentheses)", unit)
                                      : fmt::format("predicted {}", unit));
}

/// Why some algorithms are not for some of the sizes, where that is quickly said.
std::string gaps_of(const SweepAnswer& answer) {
  constexpr std::size_t kMostReasons = 3;
  std::set<std::string> reasons;
  for (const SweepSize& size : answer.sizes) {
    for (const SkippedAnswer& skipped : size.skipped) reasons.insert(skipped.reason);
  }
  if (reasons.empty()) return "";
  if (reasons.size() > kMostReasons) return "\n-          not supported at that size; 'muster plan' says why\n";
  std::string text = "\n";
  for (const std::string& reason : reasons) text += fmt::format("-          not supported at that size: {}\n", reason);
  return text;
}

/// Each remark once, with the algorithm that it is on and how many sizes it is about.
std::string remarks_of(const SweepAnswer& answer) {
  std::map<std::pair<std::string, std::string>, int> remarks;
  for (const SweepSize& size : answer.sizes) {
    for (const CandidateAnswer& candidate : size.candidates) {
      if (candidate.failed) ++remarks[{candidate.algorithm, candidate.note}];
    }
  }
  std::string text;
  for (const auto& [remark, sizes] : remarks) {
    text += fmt::format("FAILED     {} ({}): {}\n", remark.first, counted(sizes, "size"), hanging(remark.second, 11));
  }
  return text.empty() ? "" : "\n" + text;
}

}  // namespace

std::string text_report(const SweepAnswer& answer, const Style& style) {
  if (answer.sizes.empty()) return "no sizes\n";
  const std::string& shape = answer.sizes.front().question.shape.title;
  std::vector<TextTable::Column> columns{{shape, kRight}, {"count", kRight}};
  for (const std::string& name : answer.parameters) columns.push_back({name, kRight});
  columns.push_back({"bound", kRight});
  for (const std::string& algorithm : answer.algorithms) columns.push_back({algorithm, kRight});
  columns.push_back({"best"});
  TextTable table(columns);
  const TimeUnit unit = unit_of(answer);
  for (const SweepSize& size : answer.sizes) table.add(row_of(answer, size, unit));
  std::string text = title_of(answer, unit) + "\n\n" + table.text(style) + remarks_of(answer);
  text += gaps_of(answer);
  if (!answer.remark.empty()) text += fmt::format("\nremark     {}\n", answer.remark);
  return text;
}

std::string text_report(const FigureFilesAnswer& answer, const Style& style) {
  TextTable table({{"file"}, {"bytes", kRight}, {"figure"}});
  for (const FigureFilesAnswer::Figure& figure : answer.figures) {
    std::string title = figure.title;
    for (const EmitAnswer::File& file : figure.files) {
      table.add({answer.folder + "/" + file.name, grouped(file.size.value()), title});
      title.clear();
    }
  }
  return table.text(style);
}

}  // namespace muster

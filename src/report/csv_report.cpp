// One line per size and algorithm: what does not support a size has a line with the reason.
#include "report/csv_report.h"

#include <fmt/format.h>

#include <optional>

#include "report/phrases.h"

namespace muster {
namespace {

/// A cell as it is in a line: quoted where it must be, and without line breaks, which few readers take.
std::string cell_text(const std::string& cell) {
  if (cell.find_first_of(",\"\n\r") == std::string::npos) return cell;
  std::string text = "\"";
  for (const char c : cell) {
    if (c == '"') text += '"';
    text += c == '\n' || c == '\r' ? ' ' : c;
  }
  return text + "\"";
}

std::string number_text(const std::optional<Cycles>& cycles) { return cycles ? std::to_string(cycles->value()) : ""; }
std::string number_text(const std::optional<Seconds>& seconds) {
  return seconds ? fmt::format("{}", seconds->value()) : "";
}

std::vector<std::string> titles() {
  return {"machine",
          "collective",
          "grid",
          "ranks",
          "count",
          "type",
          "op",
          "root",
          "algorithm",
          "parameters",
          "predicted_cycles",
          "predicted_seconds",
          "simulated_cycles",
          "simulated_seconds",
          "bound",
          "bound_cycles",
          "best",
          "note",
          "bound_seconds",
          "utilization"};
}

/// The cells that all lines of a size share.
std::vector<std::string> head_of(const Question& question) {
  std::int64_t ranks = 1;
  for (const std::int64_t side : question.shape.sizes) ranks *= side;
  return {question.machine,
          question.collective,
          question.shape.text,
          std::to_string(ranks),
          question.type.empty() ? "" : std::to_string(question.count),
          question.type,
          question.op,
          question.root ? std::to_string(*question.root) : ""};
}

std::string parameters_text(const ParameterValues& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value.text());
  return text;
}

std::vector<std::string> joined(std::vector<std::string> head, const std::vector<std::string>& tail) {
  head.insert(head.end(), tail.begin(), tail.end());
  return head;
}

/// `before` are the cells before those of the size.
std::string size_lines(const std::vector<std::string>& before, const SweepSize& size) {
  const std::vector<std::string> head = joined(before, head_of(size.question));
  const std::string bound = size.bound ? size.bound->name : "";
  const std::string bound_cycles = size.bound ? number_text(size.bound->cycles) : "";
  const std::string bound_seconds = size.bound ? number_text(std::optional(size.bound->seconds)) : "";
  std::string text;
  for (const CandidateAnswer& candidate : size.candidates) {
    text += csv_line(
        joined(head, {candidate.algorithm, parameters_text(candidate.parameters),
                      number_text(candidate.predicted_cycles), number_text(std::optional(candidate.predicted_seconds)),
                      number_text(candidate.simulated_cycles), number_text(candidate.simulated_seconds), bound,
                      bound_cycles, candidate.algorithm == size.best ? "1" : "0", candidate.note, bound_seconds,
                      possible_share(candidate.utilization) ? fmt::format("{}", *candidate.utilization) : ""}));
  }
  for (const SkippedAnswer& skipped : size.skipped) {
    text += csv_line(joined(
        head, {skipped.algorithm, "", "", "", "", "", bound, bound_cycles, "0", skipped.reason, bound_seconds, ""}));
  }
  return text;
}

}  // namespace

std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) line += (i == 0 ? "" : ",") + cell_text(cells[i]);
  return line + "\n";
}

std::string csv_report(const SweepAnswer& answer) {
  std::string text = csv_line(titles());
  for (const SweepSize& size : answer.sizes) text += size_lines({}, size);
  return text;
}

namespace {

/// Of a figure that no sweep is behind.
std::string curve_lines(const Figure& figure) {
  std::string text = csv_line({"figure", "panel", "curve", "x", "x_value", "y", "y_value"});
  for (const Panel& panel : figure.panels) {
    for (const Curve& curve : panel.curves) {
      for (const auto& [x, y] : curve.points) {
        text += csv_line({figure.name, panel.title, curve.name, panel.x.title, fmt::format("{}", x), panel.y.title,
                          fmt::format("{}", y)});
      }
    }
  }
  return text;
}

}  // namespace

std::string csv_report(const FigureAnswer& answer) {
  if (answer.sweeps.empty()) return curve_lines(answer.figure);
  std::string text = csv_line(joined({"figure", "panel"}, titles()));
  for (std::size_t i = 0; i < answer.sweeps.size(); ++i) {
    const std::vector<std::string> before{answer.figure.name, answer.figure.panels[i].title};
    for (const SweepSize& size : answer.sweeps[i].sizes) text += size_lines(before, size);
  }
  return text;
}

}  // namespace muster

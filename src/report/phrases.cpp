// Numbers and sentences, in one style for all reports.
#include "report/phrases.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/counted.h"
#include "base/text_table.h"

namespace muster {

std::string cycles_text(const std::optional<Cycles>& cycles) { return cycles ? grouped(cycles->value()) : "-"; }

std::string ratio_text(const std::optional<Seconds>& time, const std::optional<Seconds>& bound) {
  if (!time || !bound || !(bound->value() > 0)) return "-";
  return fmt::format("{:.2f}", *time / *bound);
}

std::optional<double> possible_share(std::optional<double> share) {
  constexpr double kAll = 1 + 1e-9;  // what rounding adds
  return share && *share <= kAll ? share : std::nullopt;
}

std::string share_text(double share) {
  return possible_share(share) ? fmt::format("{:.1f}%", 100 * share) : std::string("-");
}

std::string without_parentheses(const std::string& name) {
  const std::size_t open = name.find(" (");
  if (open == std::string::npos || !name.ends_with(')')) return name;
  return fmt::format("{}, {}", name.substr(0, open), name.substr(open + 2, name.size() - open - 3));
}

std::string algorithm_text(const std::string& algorithm, const ParameterValues& parameters) {
  std::string text = algorithm;
  for (const auto& [name, value] : parameters) text += fmt::format(" {}={}", name, value.text());
  return text;
}

namespace {

std::string root_text(const Question& question) {
  const bool chosen = !question.roots_tried.empty();
  if (question.root.value_or(0) == 0 && !chosen) return "";
  return fmt::format(", {} {}", chosen ? "best root found:" : "root", question.root_text);
}

}  // namespace

std::string question_text(const Question& question, const std::string& by) {
  std::string text = question.collective;
  if (!question.op.empty()) text += fmt::format(" ({})", question.op);
  if (!question.type.empty()) text += fmt::format(" of {} {}", grouped(question.count), question.type);
  const FamilyFacts& family = question.of_family;
  text += fmt::format("{} on {}, {}{}{}", family.per_vector, question.machine, question.shape.with_unit, family.members,
                      root_text(question));
  if (!by.empty()) text += " by " + by;
  return text + (question.in_place ? ", in place" : "") + family.conditions;
}

std::string roots_line(const Question& question) {
  if (question.roots_tried.empty()) return "";
  std::vector<std::string> parts;
  for (const RootAnswer& root_answer : question.roots_tried) {
    parts.push_back(fmt::format("{}: {} cycles by {}{}", root_answer.text, grouped(root_answer.cycles.value()),
                                root_answer.algorithm, root_answer.simulated ? "" : " (predicted)"));
  }
  return fmt::format("root       tried {}\n", fmt::join(parts, "; "));
}

std::string proof_text(double error_probability) {
  if (error_probability <= 0) return "exactly";
  return fmt::format("by fingerprints (a wrong schedule would pass with a probability below {:.1g})",
                     error_probability);
}

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const bool fits = !lines.empty() && display_width(lines.back()) + 1 + display_width(word) <= width;
    if (fits) {
      lines.back() += " " + word;
    } else {
      lines.push_back(word);
    }
  }
  if (lines.empty()) lines.emplace_back();
  return lines;
}

std::string labelled(const std::string& word, const std::string& text) {
  constexpr std::size_t kColumn = 11;
  return fmt::format("{:<{}}{}\n", word, kColumn, hanging(text, kColumn));
}

std::string hanging(const std::string& text, std::size_t indent) {
  std::string result;
  for (const char c : text) {
    result += c;
    if (c == '\n') result.append(indent, ' ');
  }
  while (!result.empty() && (result.back() == ' ' || result.back() == '\n')) result.pop_back();
  return result;
}

}  // namespace muster

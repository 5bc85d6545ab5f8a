// The lists: machines, algorithms and claims.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/counted.h"
#include "base/one_line.h"
#include "base/text_table.h"
#include "report/phrases.h"
#include "report/text_report.h"

namespace muster {
namespace {

constexpr std::size_t kWidestValue = 48;  // a longer one continues in the next row

}  // namespace

std::string text_report(const std::vector<MachineAnswer>& answers, const Style& style) {
  TextTable table({{"machine"}, {"family"}, {"shape"}, {"summary"}});
  for (const MachineAnswer& a : answers) {
    const bool broken = !a.error.empty();
    table.add({a.name, broken ? "-" : a.family, broken ? "-" : a.shape, broken ? "broken: " + a.error : a.summary});
  }
  return table.text(style);
}

std::string text_report(const MachineAnswer& machine, const std::vector<MachineValueAnswer>& values,
                        const Style& style) {
  TextTable table({{"key"}, {"value"}, {"source"}});
  for (const MachineValueAnswer& v : values) {
    const std::vector<std::string> lines = wrapped(one_line(v.value, v.value.size()), kWidestValue);
    table.add({v.key, lines[0], v.source});
    for (std::size_t i = 1; i < lines.size(); ++i) table.add({"", lines[i]});
  }
  return fmt::format("{}: {}\nfamily {}, shape {}\n\n{}{}{}", machine.name, machine.summary, machine.family,
                     machine.shape, table.text(style), machine.remarks.empty() ? "" : "\n", machine.remarks);
}

std::string text_report(const std::vector<AlgorithmAnswer>& answers, const Style& style) {
  if (answers.empty()) return "no algorithms\n";
  TextTable table({{"collective"}, {"algorithm"}, {"family"}, {"summary"}, {"source"}});
  for (const AlgorithmAnswer& a : answers) table.add({a.collective, a.algorithm, a.family, a.summary, a.source});
  std::string text = table.text(style);
  std::string parameters;
  std::set<std::string> said;  // an algorithm of several collectives has the same parameters in all of them
  for (const AlgorithmAnswer& a : answers) {
    for (const std::string& p : a.parameters) {
      const std::string line = fmt::format("  {}, {}\n", a.algorithm, p);
      if (said.insert(line).second) parameters += line;
    }
  }
  return parameters.empty() ? text : text + "\nparameters (--set NAME=VALUE)\n" + parameters;
}

namespace {

std::string verdict_of(const ClaimAnswer& answer) {
  if (answer.holds) return "holds";
  return answer.known_difference ? "differs (known)" : "FAILS";
}

/// Each explanation once, with the claims that share it, in the order of the claims.
std::string remarks(const std::vector<ClaimAnswer>& answers) {
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;
  for (const ClaimAnswer& a : answers) {
    if (a.explanation.empty()) continue;
    const auto same = [&](const auto& group) { return group.first == a.explanation; };
    auto group = std::find_if(groups.begin(), groups.end(), same);
    if (group == groups.end()) group = groups.insert(groups.end(), {a.explanation, {}});
    group->second.push_back(a.id);
  }
  std::string text;
  for (const auto& [explanation, ids] : groups)
    text += fmt::format("  {}:\n    {}\n", fmt::join(ids, ", "), explanation);
  return text.empty() ? "" : "\nremarks\n" + text;
}

/// What the words of the column `source` mean, as far as they occur.
std::string sources_of(const std::vector<ClaimAnswer>& answers) {
  const std::pair<const char*, const char*> meanings[] = {
      {"paper", "stated in the paper"},
      {"lemma", "computed by hand from a lemma of the paper, which does not print the number"},
      {"ours", "ours; the paper does not state it"}};
  std::string text;
  for (const auto& [source, meaning] : meanings) {
    const auto same = [source = std::string(source)](const ClaimAnswer& a) { return a.source == source; };
    const auto number = std::count_if(answers.begin(), answers.end(), same);
    if (number > 0) text += fmt::format("  {} ({}): {}\n", source, number, meaning);
  }
  return text.empty() ? "" : "\nsources of the expected values\n" + text;
}

std::string summary_of(const std::vector<ClaimAnswer>& answers, std::map<std::string, int>& verdicts) {
  const auto with = [](int number, const char* verb) {
    return fmt::format("{} {}{}", number, verb, number == 1 ? "s" : "");
  };
  return fmt::format("\n{}: {}, {} as explained, {}\n", counted(static_cast<std::int64_t>(answers.size()), "claim"),
                     with(verdicts["holds"], "hold"), with(verdicts["differs (known)"], "differ"),
                     with(verdicts["FAILS"], "fail"));
}

}  // namespace

std::string text_report(const std::vector<ClaimAnswer>& answers, const Style& style) {
  std::string text;
  std::string failures;
  std::map<std::string, int> verdicts;
  std::vector<std::string> papers;
  for (const ClaimAnswer& a : answers) {
    if (std::find(papers.begin(), papers.end(), a.paper) == papers.end()) papers.push_back(a.paper);
  }
  for (const std::string& paper : papers) {
    TextTable table({{"claim"}, {"section"}, {"source"}, {"expected"}, {"measured"}, {"verdict"}});
    for (const ClaimAnswer& a : answers) {
      if (a.paper != paper) continue;
      table.add({a.id, a.section, a.source, a.expected, a.measured, verdict_of(a)});
      ++verdicts[verdict_of(a)];
      if (!a.holds)
        failures += fmt::format("  {}: {}: expected {}, got {}\n", a.id, a.statement, a.expected, a.measured);
    }
    text += paper + "\n\n" + table.text(style);
  }
  text += sources_of(answers) + remarks(answers);
  if (!failures.empty()) text += "\nnot as expected\n" + failures;
  return text + summary_of(answers, verdicts);
}

}  // namespace muster

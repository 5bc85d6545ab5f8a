// The rankings of --sensitivity: a line per value, then who wins where and what it costs to stay with one algorithm.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text_table.h"
#include "base/time_unit.h"
#include "report/phrases.h"
#include "report/text_report.h"

namespace muster {
namespace {

constexpr auto kRight = TextTable::Align::right;

/// The first few of a ranking; which of equals comes first says nothing.
std::string ranking_text(const std::vector<CandidateAnswer>& ranking) {
  constexpr std::size_t kShown = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, ranking.size()); ++i) {
    const bool equal = i > 0 && ranking[i].simulated_seconds == ranking[i - 1].simulated_seconds;
    text += (i == 0 ? "" : equal ? " = " : " < ") + ranking[i].algorithm;
  }
  return ranking.size() > kShown ? text + " < ..." : text;
}

std::string setting_text(const SensitivityRow& row) {
  return row.from_file() ? "the machine file" : fmt::format("{} = {}", row.parameter, row.value);
}

std::optional<Seconds> asked_seconds(const SensitivityRow& row) {
  return row.asked ? row.ranking[*row.asked].simulated_seconds : std::nullopt;
}

/// In cycles where the machine has a clock.
std::string cell_text(const CandidateAnswer& candidate, const TimeUnit& unit) {
  return candidate.simulated_cycles ? cycles_text(candidate.simulated_cycles) : unit.text(candidate.simulated_seconds);
}

/// Of the columns that show times: the best, and the algorithm that was asked about.
TimeUnit unit_of(const SensitivityAnswer& answer) {
  std::vector<std::optional<Seconds>> times;
  for (const SensitivityRow& row : answer.rows) {
    if (!row.ranking.empty()) times.insert(times.end(), {row.ranking.front().simulated_seconds, asked_seconds(row)});
  }
  return TimeUnit::of_column(times);
}

std::string row_table(const SensitivityAnswer& answer, const Style& style) {
  const SensitivityRow& first = answer.rows.front();
  const bool in_cycles = first.ranking.empty() || first.ranking.front().simulated_cycles;
  const TimeUnit unit = unit_of(answer);
  TextTable table({{"parameter"},
                   {"value"},
                   {in_cycles ? "best" : "best " + unit.name(), kRight},
                   {answer.asked, kRight},
                   {"to best", kRight},
                   {in_cycles ? "ranking by simulated cycles" : "ranking by simulated time"}});
  for (const SensitivityRow& row : answer.rows) {
    if (row.ranking.empty()) {
      table.add({row.parameter, row.value, "-", "-", "-", "no algorithm worked"});
      continue;
    }
    const CandidateAnswer& best = row.ranking.front();
    table.add({row.from_file() ? "(as in the file)" : row.parameter, row.value, cell_text(best, unit),
               row.asked ? cell_text(row.ranking[*row.asked], unit) : "-",
               ratio_text(asked_seconds(row), best.simulated_seconds), ranking_text(row.ranking)});
  }
  return table.text(style);
}

/// Also of several that are equally fast.
bool is_best(const SensitivityRow& row, const std::string& algorithm) {
  const auto equal = [&](const CandidateAnswer& candidate) {
    return candidate.algorithm == algorithm && candidate.simulated_seconds == row.ranking.front().simulated_seconds;
  };
  return std::any_of(row.ranking.begin(), row.ranking.end(), equal);
}

/// "best-tree in 17 of 18 rows; star with processor.receive_gap = 64 cycles"
std::string winners_text(const SensitivityAnswer& answer) {
  const std::string& first = answer.rows.front().ranking.front().algorithm;
  std::vector<std::string> others;
  for (const SensitivityRow& row : answer.rows) {
    if (row.ranking.empty() || is_best(row, first)) continue;
    others.push_back(fmt::format("{} with {}", row.ranking.front().algorithm, setting_text(row)));
  }
  const std::size_t kept = answer.rows.size() - others.size();
  if (others.empty()) return fmt::format("{} wins under all {} settings", first, answer.rows.size());
  return fmt::format("{} wins under {} of {} settings; {}", first, kept, answer.rows.size(), fmt::join(others, ", "));
}

/// How much the algorithm that was asked about loses at most, and where.
std::string loss_text(const SensitivityAnswer& answer) {
  const SensitivityRow* worst = nullptr;
  double most = 0;
  for (const SensitivityRow& row : answer.rows) {
    if (!row.asked) continue;
    const double ratio = *asked_seconds(row) / *row.ranking.front().simulated_seconds;
    if (worst != nullptr && ratio <= most) continue;
    worst = &row;
    most = ratio;
  }
  if (worst == nullptr) return fmt::format("{} was not simulated", answer.asked);
  if (most == 1) return fmt::format("{} is fastest under every setting", answer.asked);
  return fmt::format("{} takes {:.2f} times as long as the best, with {}", answer.asked, most, setting_text(*worst));
}

}  // namespace

std::string text_report(const SensitivityAnswer& answer, const Style& style) {
  std::string text =
      question_text(answer.question) + ", varying one timing parameter at a time\n\n" + row_table(answer, style) + "\n";
  text += roots_line(answer.question);
  text += fmt::format("winner     {}\n", winners_text(answer));
  text += fmt::format("at worst   {}\n", loss_text(answer));
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const SkippedAnswer& skipped : answer.left_out) by_reason[skipped.reason].push_back(skipped.algorithm);
  for (const auto& [reason, names] : by_reason) {
    text += fmt::format("left out   {}: {}\n", fmt::join(names, ", "), reason);
  }
  return text;
}

}  // namespace muster

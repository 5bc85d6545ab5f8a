// The answer to plan: candidates first, then the lines that explain the ranking, then what several trees gain.
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/counted.h"
#include "base/text_table.h"
#include "base/time_unit.h"
#include "report/phrases.h"
#include "report/text_report.h"

namespace muster {
namespace {

constexpr auto kRight = TextTable::Align::right;

/// What is no bound on simulated times gets another word.
std::string bound_line(const BoundAnswer& bound, const TimeUnit& unit) {
  const std::string cycles = bound.cycles ? counted(bound.cycles->value(), "cycle") + ", " : "";
  return labelled(bound.for_pipeline ? "bound" : "in model",
                  fmt::format("{}{} ({}): {}", cycles, unit.sentence_text(bound.seconds),
                              without_parentheses(bound.name), bound.proves));
}

/// What was asked and who refuses; the lines below it say why.
std::string nothing_fits_text(const PlanAnswer& answer) {
  const Question& asked = answer.question;
  if (answer.skipped.empty()) return fmt::format("{} cannot run {}", asked.machine, asked.collective);
  return fmt::format("no algorithm for {} on {} fits this request; 'skipped' says what each of them needs",
                     asked.collective, asked.machine);
}

/// The first row is the winner's.
void add_row(TextTable& table, std::vector<std::string> cells) {
  if (!table.empty()) return table.add(std::move(cells));
  cells[0] = "*";
  table.add_highlighted(std::move(cells));
}

/// Simulated, or else predicted.
Seconds time_of(const CandidateAnswer& candidate) {
  return candidate.simulated_seconds.value_or(candidate.predicted_seconds);
}

/// Of the table of candidates, and of the bounds below it; where nothing fits, of the bounds.
TimeUnit unit_of(const PlanAnswer& answer) {
  std::vector<std::optional<Seconds>> times;
  for (const CandidateAnswer& candidate : answer.candidates) {
    times.insert(times.end(), {candidate.predicted_seconds, candidate.simulated_seconds});
  }
  if (answer.candidates.empty() && !answer.bounds.empty()) times.emplace_back(answer.bounds.front().seconds);
  return TimeUnit::of_column(times);
}

/// Of machines without a clock: no cycles anywhere.
std::string candidate_table_in_time(const PlanAnswer& answer, const std::optional<Seconds>& best, const Style& style) {
  const TimeUnit unit = unit_of(answer);
  TextTable table({{""},
                   {"algorithm"},
                   {"predicted " + unit.name(), kRight},
                   {"simulated " + unit.name(), kRight},
                   {"to bound", kRight}});
  for (const CandidateAnswer& c : answer.candidates) {
    add_row(table, {"", algorithm_text(c.algorithm, c.parameters), unit.text(c.predicted_seconds),
                    unit.text(c.simulated_seconds), ratio_text(time_of(c), best)});
  }
  return table.text(style);
}

std::string candidate_table(const PlanAnswer& answer, const Style& style) {
  const std::optional<BoundAnswer> bound = best_bound(answer.bounds);
  const std::optional<Seconds> best = bound ? std::optional(bound->seconds) : std::nullopt;
  if (!answer.candidates.front().predicted_cycles) return candidate_table_in_time(answer, best, style);
  const TimeUnit unit = unit_of(answer);
  TextTable table({{""},
                   {"algorithm"},
                   {"predicted cycles", kRight},
                   {"simulated cycles", kRight},
                   {unit.name(), kRight},
                   {"to bound", kRight}});
  for (const CandidateAnswer& c : answer.candidates) {
    const Seconds time = time_of(c);
    add_row(table, {"", algorithm_text(c.algorithm, c.parameters), cycles_text(c.predicted_cycles),
                    cycles_text(c.simulated_cycles), unit.text(time), ratio_text(time, best)});
  }
  return table.text(style);
}

std::string winner_line(const PlanAnswer& answer) {
  const CandidateAnswer& winner = answer.candidates[0];
  if (answer.predicted_only) return labelled("verified", "not verified: --quick neither proves nor simulates");
  if (!answer.proof.empty()) return labelled("verified", answer.proof);
  const std::string proof = answer.verified ? fmt::format("the schedule of {} is proven {}", winner.algorithm,
                                                          proof_text(answer.error_probability))
                                            : fmt::format("the schedule of {} is REFUSED", winner.algorithm);
  const bool ran = winner.failed || winner.simulated_cycles || winner.simulated_seconds;
  if (!ran) return labelled("verified", proof);
  if (!answer.result_computed) return labelled("verified", proof + "; its result was not checked: " + kTooLargeToCheck);
  return labelled("verified", proof + (answer.result_correct ? "; its simulated result equals the reference"
                                                             : "; its simulated result is WRONG"));
}

/// Where a prediction decides who is first. What was simulated may come right after it.
std::string starred_line(const PlanAnswer& answer) {
  const CandidateAnswer& winner = answer.candidates[0];
  if (answer.starred_by == StarredBy::simulation || winner.failed) return "";
  const auto simulated =
      std::find_if(answer.candidates.begin(), answer.candidates.end(),
                   [](const CandidateAnswer& candidate) { return candidate.simulated_seconds.has_value(); });
  std::string text = fmt::format("{} is ranked by its prediction; it was not simulated", winner.algorithm);
  if (simulated != answer.candidates.end())
    text += fmt::format("; the best simulated algorithm is {}", simulated->algorithm);
  return labelled("starred", text);
}

/// "note       tree, star: not simulated: ...": a line for every remark, with the algorithms that it is for, both in the
/// order of the answer.
class Remarks {
 public:
  explicit Remarks(std::string head) : head_(std::move(head)) {}
  void add(const std::string& algorithm, const std::string& remark) {
    if (remark.empty()) return;
    auto group = std::find_if(groups_.begin(), groups_.end(), [&](const auto& g) { return g.first == remark; });
    if (group == groups_.end()) group = groups_.insert(groups_.end(), {remark, {}});
    group->second.push_back(algorithm);
  }
  [[nodiscard]] std::string text() const {
    std::string text;
    for (const auto& [remark, names] : groups_) {
      text += labelled(head_, fmt::format("{}: {}", fmt::join(names, ", "), remark));
    }
    return text;
  }
  /// One line: how many algorithms, and the remark that is for most of them; a single one is named.
  [[nodiscard]] std::string summary() const {
    if (groups_.empty()) return "";
    std::size_t all = 0;
    const Group* main = &groups_.front();
    for (const Group& group : groups_) {
      all += group.second.size();
      if (group.second.size() > main->second.size()) main = &group;
    }
    if (all == 1) return text();
    const std::size_t same = main->second.size();
    const std::string most = same == all ? "" : fmt::format("{} of them: ", same);
    return labelled(head_, fmt::format("{} algorithms ({}{}); --verbose lists them", all, most, main->first));
  }

 private:
  using Group = std::pair<std::string, std::vector<std::string>>;  ///< a remark, and the algorithms
  std::string head_;
  std::vector<Group> groups_;
};

/// Where nodes have vectors, from which lengths on so many trees pay; where cores do, with which memories they would.
std::string tree_table(const TreesAnswer& trees, const Style& style) {
  const bool per_node = trees.per_node;
  std::vector<std::optional<Seconds>> times;
  for (const TreesAnswer::Row& row : trees.rows) times.emplace_back(row.predicted);
  const TimeUnit unit = TimeUnit::of_column(times);
  TextTable table({{"trees", kRight},
                   {fmt::format("predicted {}{}", unit.name(), per_node ? "" : " if all run at once"), kRight},
                   {per_node ? "faster from this many elements" : "faster if memory per core exceeds", kRight}});
  for (const TreesAnswer::Row& row : trees.rows) {
    std::string from = "-";
    if (row.trees > 1 && row.pays_from) from = grouped(*row.pays_from);
    if (row.beyond_memory) from = to_text(*row.beyond_memory);
    table.add({grouped(row.trees), unit.text(row.predicted), from});
  }
  return table.text(style);
}

}  // namespace

std::string text_report(const PlanAnswer& answer, const Style& style) {
  const bool found = !answer.candidates.empty();
  std::string text = question_text(answer.question) + "\n\n";
  text += found ? candidate_table(answer, style) + "\n" : nothing_fits_text(answer) + "\n\n";
  text += roots_line(answer.question);
  for (const BoundAnswer& bound : answer.bounds) text += bound_line(bound, unit_of(answer));
  if (found) text += starred_line(answer);
  if (!answer.why.empty()) text += labelled("why", answer.why);
  if (!answer.crossover.empty()) text += labelled("crossover", answer.crossover);
  if (found) text += winner_line(answer);
  Remarks notes("note"), skipped("skipped");
  for (const CandidateAnswer& candidate : answer.candidates) notes.add(candidate.algorithm, candidate.note);
  for (const SkippedAnswer& skipped_answer : answer.skipped)
    skipped.add(skipped_answer.algorithm, skipped_answer.reason);
  if (!answer.predicted_only) text += notes.text();  // otherwise all have the same note
  text += style.verbose || !found ? skipped.text() : skipped.summary();
  for (const std::string& command : answer.next) text += labelled("next", command);
  if (answer.trees) text += "\n" + tree_table(*answer.trees, style);
  return text;
}

}  // namespace muster

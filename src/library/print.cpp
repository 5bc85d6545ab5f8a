// Answers as text.
#include <algorithm>
#include <ostream>

#include "base/counted.h"
#include "base/text_table.h"
#include "base/units.h"
#include "library/state.h"
#include "plan/job.h"

namespace muster::library {
namespace {

std::string name_of(const std::string& algorithm, const Parameters& parameters) {
  std::string text = algorithm;
  for (const auto& [name, value] : parameters) text += fmt::format(" {}={}", name, value);
  return text;
}

std::string text_or_dash(const std::optional<Time>& time) { return time ? to_text(*time) : "-"; }

std::string yes_or_no(bool value) { return value ? "yes" : "no"; }

/// Without the newline that a table ends with.
std::string table_text(const TextTable& table) {
  std::string text = table.text();
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace

const Candidate& Plan::best() const {
  if (candidates.empty()) {
    throw Error(skipped.empty() ? "no algorithm supports this collective on this machine"
                                : fmt::format("no algorithm fits: {}: {}", skipped[0].algorithm, skipped[0].reason));
  }
  return candidates.front();
}

std::string to_text(const Time& time) {
  const std::string seconds = ::muster::to_text(Seconds(time.seconds));
  return time.cycles ? fmt::format("{} ({})", counted(*time.cycles, "cycle"), seconds) : seconds;
}

std::string to_text(const Bound& bound) {
  return fmt::format("{} {}: {}", to_text(bound.time), bound.name, bound.proves);
}

std::string to_text(const Candidate& candidate) {
  const std::string name = name_of(candidate.algorithm, candidate.parameters);
  if (!candidate.simulated) return fmt::format("{}: predicted {}", name, to_text(candidate.predicted));
  return fmt::format("{}: simulated {}, predicted {}", name, to_text(*candidate.simulated),
                     to_text(candidate.predicted));
}

std::string to_text(const Plan& plan) {
  TextTable table({{"algorithm"}, {"predicted", TextTable::Align::right}, {"simulated", TextTable::Align::right}});
  for (const Candidate& c : plan.candidates) {
    table.add({name_of(c.algorithm, c.parameters), to_text(c.predicted), text_or_dash(c.simulated)});
  }
  std::string text = plan.candidates.empty() ? "no algorithm fits" : table_text(table);
  if (!plan.bounds.empty()) text += fmt::format("\nbound: {}", to_text(plan.bounds.front()));
  if (!plan.candidates.empty()) text += fmt::format("\nproven: {}", yes_or_no(plan.verified));
  if (!plan.why.empty()) text += fmt::format("\nwhy: {}", plan.why);
  return text;
}

std::string to_text(const Simulation& simulation) {
  std::string text = fmt::format("{}: simulated {}", name_of(simulation.algorithm, simulation.parameters),
                                 text_or_dash(simulation.simulated));
  if (simulation.predicted) text += fmt::format(", predicted {}", to_text(*simulation.predicted));
  if (simulation.bound) text += fmt::format("\nbound: {}", to_text(*simulation.bound));
  text += fmt::format("\nproven: {}; result correct: {}", yes_or_no(simulation.verified),
                      yes_or_no(simulation.result_correct));
  if (!simulation.problem.empty()) text += fmt::format("\nproblem: {}", simulation.problem);
  return text;
}

std::string to_text(const Verdict& verdict) {
  if (!verdict.verified) return fmt::format("refused: {}", verdict.counterexample);
  const std::string how = verdict.error_probability > 0
                              ? fmt::format("wrong with probability {:.1e}", verdict.error_probability)
                              : "exactly";
  return fmt::format("verified, {}: {}, {}, {}", how, counted(verdict.nodes, "node"),
                     counted(verdict.streams, "stream"), counted(verdict.steps, "step"));
}

std::string to_text(const Emission& emission) {
  std::string text = fmt::format("{}: {}", name_of(emission.algorithm, emission.parameters), emission.summary);
  for (const File& file : emission.files) text += fmt::format("\n{}: {} bytes", file.name, file.text.size());
  for (const std::string& note : emission.notes) text += fmt::format("\nnote: {}", note);
  return text;
}

std::ostream& operator<<(std::ostream& out, const Time& time) { return out << to_text(time); }
std::ostream& operator<<(std::ostream& out, const Bound& bound) { return out << to_text(bound); }
std::ostream& operator<<(std::ostream& out, const Candidate& candidate) { return out << to_text(candidate); }
std::ostream& operator<<(std::ostream& out, const Plan& plan) { return out << to_text(plan); }
std::ostream& operator<<(std::ostream& out, const Simulation& simulation) { return out << to_text(simulation); }
std::ostream& operator<<(std::ostream& out, const Verdict& verdict) { return out << to_text(verdict); }
std::ostream& operator<<(std::ostream& out, const Emission& emission) { return out << to_text(emission); }

}  // namespace muster::library

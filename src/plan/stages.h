// The stages that every schedule goes through, whoever made it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "plan/load.h"
#include "plan/plan.h"
#include "schedule/interpret.h"

namespace muster {

/// What came out of a run. Later members are empty where an earlier stage ended it.
struct Run {
  Verdict verdict;
  Load load;                          ///< where a budget limits it
  bool as_phases = false;             ///< its phases overlap: there is no load
  std::optional<ProgramCheck> check;  ///< of the program, where it was checked before it ran
  std::optional<Result> result;       ///< none: refused by the verifier, or beyond a budget
  std::int64_t effort = 0;            ///< what the simulation took, if it ended or not
  bool given_up = false;              ///< the effort was spent before it ended
  std::string handed_over;            ///< why the stream engine could not do it, where the cycle engine may not
  bool has_data = false;              ///< the simulation computed some
  Comparison comparison;              ///< with the reference; nothing is compared if the simulation ended in a fault
  std::int64_t elements = 0;          ///< compared, as the user counts them
  bool by_parts = false;              ///< what was compared are the parts of the schedule, each by itself
  [[nodiscard]] bool correct() const { return result && !result->fault && !comparison.difference; }
  /// Whether there is data: a backend may leave it out where it would be too much.
  [[nodiscard]] bool computed() const { return result && (result->fault || has_data); }
};

struct RunOptions {
  std::string name;  ///< for progress
  std::int64_t hop_budget = std::numeric_limits<std::int64_t>::max();
  std::int64_t transit_budget = std::numeric_limits<std::int64_t>::max();
  std::int64_t effort_budget = std::numeric_limits<std::int64_t>::max();
  bool times_only = false;  ///< data is neither computed nor compared where the simulator can do without it
  const Result* timed =
      nullptr;  ///< of the same schedule of phases, with times only: its parts, or the whole, are computed and compared
  /// Whether there is something to compare a load with.
  [[nodiscard]] bool is_limited() const {
    return std::min(hop_budget, transit_budget) < std::numeric_limits<std::int64_t>::max();
  }
};

/// What the static checks say of a program that is about to run: a fault ends the simulation before it begins.
void note_check(const ProgramCheck& check, SimulationAnswer& answer);

/// The budgets of a job.
RunOptions within_budget(const Job& job, const std::string& name);
/// Whether the cost of the job's simulations grows with messages, not with words.
bool follows_streams(const Job& job);
/// Whether schedules of phases are lowered without expanding them.
bool runs_phases(const Job& job);
/// Whether phases overlap on this machine: then there are no loads and no budgets.
bool overlaps_phases(const Job& job);
/// What a simulation takes of the budget that counts: of transits, or of hops.
std::int64_t cost_of(const Job& job, const Load& load);

/// verify → lower → simulate → compare with the reference. A refusal is the lowering's. A schedule beyond the budget of
/// the engine that is asked for is verified, but neither lowered nor simulated: lowering alone may not fit into memory.
/// What the stream engine hands over is simulated if it is within the cycle engine's budget too.
Outcome<Run> run_stages(const Job& job, const Schedule& schedule, const RunOptions& options);

/// The same for a program that was read from files, and the flat schedule that it was lifted to.
Run run_read(const Job& job, const Schedule& schedule, const Program& program, const RunOptions& options);

/// What goes through run_stages() elsewhere, so that tests can put something else in its place.
using RunFunction = std::function<Outcome<Run>(const Job&, const Schedule&, const RunOptions&)>;

/// The elements, as the user counts them, in `words` compared words of what the flat schedule's contracts owe: of the
/// two f16 of a vector's last word, one may be padding. Exact when all that is owed was compared, once or several times.
std::int64_t elements_compared(const Job& job, const Schedule& flat, std::int64_t words);

/// Lowers a schedule that verify() has accepted; its phases are written out where the lowering does not take them.
Outcome<std::unique_ptr<Program>> lower_for(const Job& job, const Schedule& schedule);

/// A schedule of the registry that verify() refuses is our own bug.
void require_verified(const Verdict& verdict, const Choice& choice);

}  // namespace muster

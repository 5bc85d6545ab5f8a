// Candidates after their runs, best first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "plan/candidates.h"
#include "plan/stages.h"

namespace muster {

/// An algorithm that is predicted to take more than half as long again as the best prediction is not worth
/// simulating. Predictions are rarely too high.
inline bool is_hopeless(Ticks predicted, Ticks best) { return predicted - best > Ticks(best.value() / 2); }
/// The same where the best time was simulated, which no prediction is too low for.
inline bool is_beaten(Ticks predicted, Ticks best) { return predicted - best > Ticks(best.value() / 4); }

/// On many ranks, simulations of what cannot win would take most of the time: there, what is_beaten() by prediction is not simulated.
bool simulates_only_near(const Job& job);

/// plan() simulates nothing that is predicted to take more than so many times as long as the best prediction.
inline constexpr std::int64_t kWorthSimulating = 3;

struct Entry {
  Candidate candidate;
  Run run;           ///< empty where the candidate was not tried
  std::string note;  ///< why there is no simulated time
  bool predicted_only =
      false;  ///< neither proven nor simulated: it is too slow by prediction, or nothing is asked but that
  /// It was simulated and deadlocked or computed something wrong.
  [[nodiscard]] bool failed() const { return run.result && !run.correct(); }
  [[nodiscard]] bool timed() const { return run.correct() && run.result->cycles.has_value(); }
  [[nodiscard]] Ticks time() const { return timed() ? *run.result->cycles : candidate.time(); }
  [[nodiscard]] const std::string& name() const { return candidate.choice.algorithm->name; }
};

/// Whether an entry without a simulated time comes before a simulated one: its prediction is better than the other's time or
/// prediction, so that what could not be simulated does not lose to what could.
inline bool is_predicted_faster(const Entry& unsimulated, const Entry& simulated) {
  return unsimulated.time() < std::max(simulated.time(), simulated.candidate.predicted);
}

/// Why a run gave no time, or what went wrong; empty if all is well.
std::string note_on(const Job& job, const Run& run);

/// What an answer says of an entry.
CandidateAnswer candidate_answer(const Job& job, const Entry& entry);

/// What of the candidates is simulated, and how.
struct RankOptions {
  unsigned threads = 0;       ///< that call the run function; 0: as many as the machine has
  bool simulate_all = false;  ///< also what is predicted to take more than kWorthSimulating times the best prediction
  bool quick = false;         ///< nothing: predictions decide
  bool times_only = false;    ///< where data takes longer than times, it is not computed at all
};

/// Makes and runs the offered candidates: the best prediction first, then a few side by side. Each may take half of what
/// those before it left of the job's effort, and little if it is predicted to be slower than the fastest so far, so that the
/// answer does not depend on how fast this computer is, nor on how many cores it has. Those that the backend refuses move to
/// `skipped`; those beyond kWorthSimulating times the best prediction that works are not made.
///
/// First come those without a simulated time that is_predicted_faster() than the fastest simulated one, then simulated
/// times, then the other predictions, each with the best first; what failed comes last. The order of predictions decides
/// between equals. `run` is called by several threads.
std::vector<Entry> ranked_entries(const Job& job, Candidates& candidates, const RunFunction& run,
                                  const RankOptions& options = {});

/// Every algorithm that supports the job, ranked, and the answer made of it, without the sentences of studies.
struct Ranking {
  std::vector<Entry> entries;
  PlanAnswer answer;
};
Ranking rank(const Job& job, const RunFunction& run, const RankOptions& options = {});

}  // namespace muster

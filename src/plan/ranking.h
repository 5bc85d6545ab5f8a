// Candidates after their runs, best first.
#pragma once

#include <string>
#include <vector>

#include "plan/candidates.h"
#include "plan/stages.h"

namespace muster {

/// Whoever is predicted to take more than half as long again as the best prediction is not worth simulating. Predictions
/// are rarely too high.
inline bool is_hopeless(Cycles predicted, Cycles best) { return predicted - best > Cycles(best.value() / 2); }
/// The same where the best time was simulated, which no prediction is too low for.
inline bool is_beaten(Cycles predicted, Cycles best) { return predicted - best > Cycles(best.value() / 4); }

struct Entry {
  Candidate candidate;
  Run run;
  std::string note;  ///< why there is no simulated time
  /// It was simulated and deadlocked or computed something wrong.
  [[nodiscard]] bool failed() const { return run.result && !run.correct(); }
  [[nodiscard]] bool timed() const { return run.correct() && run.result->cycles.has_value(); }
  [[nodiscard]] Cycles time() const { return timed() ? *run.result->cycles : candidate.predicted; }
  [[nodiscard]] const std::string& name() const { return candidate.choice.algorithm->name; }
};

/// Why a run gave no time, or what went wrong; empty if all is well.
std::string note_on(const Job& job, const Run& run);

/// What an answer says of an entry.
CandidateAnswer candidate_answer(const Job& job, const Entry& entry);

/// Makes and runs every offered candidate: the best prediction first, then a few side by side. Each may take half of what
/// those before it left of the job's effort, and little if it is predicted to be slower than the fastest so far, so that the answer does not depend on how fast
/// this computer is, nor on how many cores it has. Those that the backend refuses move to `skipped`. Simulated times come
/// first, the best of them first; then predictions; what failed comes last. The order of predictions decides between
/// equals. `run` is called by several threads, as many as the machine has unless `threads` says how many.
std::vector<Entry> ranked_entries(const Job& job, Candidates& candidates, const RunFunction& run, unsigned threads = 0);

/// Every algorithm that supports the job, ranked, and the answer made of it, without the sentences of studies.
struct Ranking {
  std::vector<Entry> entries;
  PlanAnswer answer;
};
Ranking rank(const Job& job, const RunFunction& run);

}  // namespace muster

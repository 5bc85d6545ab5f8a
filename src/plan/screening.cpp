#include "plan/screening.h"

#include <algorithm>

#include "base/parallel.h"
#include "base/saturating.h"
#include "plan/job.h"
#include "plan/ranking.h"
#include "plan/stages.h"

namespace muster {
namespace {

const Simulator* approximate_simulator(const Job& job) {
  for (const Simulator* const simulator : simulators_for(job.machine)) {
    if (simulator->is_approximate()) return simulator;
  }
  return nullptr;
}

class Screening {
 public:
  Screening(const Job& job, const Simulator& simulator, unsigned threads)
      : job_(job), request_(request_of(job)), simulator_(simulator), threads_(threads) {}

  void run(std::vector<Candidate>& offered) const {
    const std::int64_t limit = saturating_product(kWorthSimulating, offered.front().predicted.value());
    for_each(offered, [&](Candidate& candidate) {
      if (candidate.predicted.value() <= limit) {
        candidate.screened = time_of(*candidate.choice.algorithm, candidate.choice.parameters);
      }
    });
    const std::optional<Ticks> best = best_of(offered);
    if (!best) return;
    for_each(offered, [&](Candidate& candidate) {
      const bool is_near = candidate.screened && !is_hopeless(*candidate.screened, *best);
      const bool is_refused = candidate.predicted.value() <= limit && !candidate.screened;
      if (is_near || is_refused) tune(candidate);
    });
    std::stable_sort(offered.begin(), offered.end(),
                     [](const Candidate& a, const Candidate& b) { return a.time() < b.time(); });
  }

 private:
  template <class Work>
  void for_each(std::vector<Candidate>& offered, Work work) const {
    for_each_index(offered.size(), [&](std::size_t i) { work(offered[i]); }, {.threads = threads_, .progress = {}});
  }

  static std::optional<Ticks> best_of(const std::vector<Candidate>& offered) {
    std::optional<Ticks> best;
    for (const Candidate& candidate : offered) {
      if (candidate.screened && (!best || *candidate.screened < *best)) best = candidate.screened;
    }
    return best;
  }

  /// Nothing: the lowering refuses it.
  [[nodiscard]] std::optional<Ticks> time_of(const Algorithm& algorithm, const Parameters& parameters) const {
    const auto program = lower_for(job_, make_schedule(job_, algorithm, parameters));
    if (!program) return std::nullopt;
    SimulateOptions options = simulate_options(job_);
    options.calls = 1;
    options.timeline = false;
    return simulator_.simulate(*program.value(), options).cycles;
  }

  void tune(Candidate& candidate) const {
    const Algorithm& algorithm = *candidate.choice.algorithm;
    const Tuned best = tuned(algorithm, request_, job_.given,
                             {.parameters = candidate.choice.parameters, .time = candidate.screened},
                             [&](const Parameters& parameters) { return time_of(algorithm, parameters); });
    if (best.parameters == candidate.choice.parameters) return;
    candidate.choice.parameters = best.parameters;
    candidate.predicted = algorithm.cost(request_, best.parameters);
    candidate.screened = best.time;
  }

  const Job& job_;
  const Request request_;
  const Simulator& simulator_;
  unsigned threads_;
};

}  // namespace

void screen(const Job& job, Candidates& candidates, unsigned threads) {
  const Simulator* const simulator = approximate_simulator(job);
  if (simulator == nullptr || candidates.offered.empty()) return;
  Screening(job, *simulator, threads).run(candidates.offered);
}

}  // namespace muster

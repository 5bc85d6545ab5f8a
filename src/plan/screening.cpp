#include "plan/screening.h"

#include <algorithm>
#include <span>

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
    std::vector<std::vector<Tuned>> tried(offered.size());
    for_each(offered, [&](Candidate& candidate) {
      const bool is_near = candidate.screened && !is_hopeless(*candidate.screened, *best);
      const bool is_refused = candidate.predicted.value() <= limit && !candidate.screened;
      if (is_near || is_refused) tried[static_cast<std::size_t>(&candidate - offered.data())] = tune(candidate);
    });
    add_finalists(offered, tried);
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

  /// What else was tried, best first.
  [[nodiscard]] std::vector<Tuned> tune(Candidate& candidate) const {
    const Algorithm& algorithm = *candidate.choice.algorithm;
    std::vector<Tuned> tried{{.parameters = candidate.choice.parameters, .time = candidate.screened}};
    const Tuned best = tuned(algorithm, request_, job_.given, tried.front(), [&](const Parameters& parameters) {
      tried.push_back({.parameters = parameters, .time = time_of(algorithm, parameters)});
      return tried.back().time;
    });
    if (best.parameters != candidate.choice.parameters) candidate = candidate_of(algorithm, best);
    std::erase_if(tried, [&](const Tuned& other) { return !other.time || other.parameters == best.parameters; });
    std::stable_sort(tried.begin(), tried.end(), [](const Tuned& a, const Tuned& b) { return *a.time < *b.time; });
    return tried;
  }

  [[nodiscard]] Candidate candidate_of(const Algorithm& algorithm, const Tuned& chosen) const {
    return {.choice = {&algorithm, chosen.parameters},
            .predicted = algorithm.cost(request_, chosen.parameters),
            .screened = chosen.time};
  }

  /// Offers other parameters, too, that are as good as the best candidate as far as an approximate simulation can say.
  void add_finalists(std::vector<Candidate>& offered, const std::vector<std::vector<Tuned>>& tried) const {
    const std::optional<Ticks> best = best_of(offered);
    std::vector<Candidate> finalists;
    for (std::size_t i = 0; best && i < offered.size(); ++i) {
      const std::size_t most = std::min(tried[i].size(), kMoreParameters);
      for (const Tuned& other : std::span(tried[i]).first(most)) {
        if (*other.time - *best > Ticks(best->value() / kAsGood)) break;
        finalists.push_back(candidate_of(*offered[i].choice.algorithm, other));
      }
    }
    offered.insert(offered.end(), finalists.begin(), finalists.end());
  }

  static constexpr std::size_t kMoreParameters = 2;  ///< of each algorithm
  static constexpr std::int64_t kAsGood = 16;        ///< times that differ by one in so many

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

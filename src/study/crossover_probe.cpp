// Short simulations within an allowance; predictions without any.
#include "study/crossover_probe.h"

#include <algorithm>
#include <utility>

#include "base/index.h"
#include "base/saturating.h"
#include "plan/job.h"
#include "plan/screening.h"

namespace muster {

namespace {

constexpr std::int64_t kHops = 20'000'000;  // about a second of simulation, by either engine
constexpr std::int64_t kTransits = 500'000;
constexpr std::int64_t kEffort = 4'000'000;
constexpr int kSimulations = 200;
constexpr std::int64_t kProbes = 8;  ///< counts that a search tries, about
// Edges are known to one in so many where predictions are no formulas.
constexpr std::int64_t kParts = 64;
constexpr std::int64_t kPartsOfManyRanks = 16;

/// Rows of (name, time) in the order of predictions.
struct Timed {
  std::string name;
  std::int64_t time = 0;
};

std::optional<Competitors::Probe> probe_of(const std::vector<Timed>& all, const std::string& winner) {
  const auto own =
      std::find_if(all.begin(), all.end(), [&](const Timed& candidate) { return candidate.name == winner; });
  if (own == all.end()) return std::nullopt;
  const auto by_time = [](const Timed& a, const Timed& b) { return a.time < b.time; };
  Competitors::Probe probe{.best = std::min_element(all.begin(), all.end(), by_time)->name};
  std::int64_t other = kMostCounted;
  for (const Timed& candidate : all) {
    if (candidate.name != winner) other = std::min(other, candidate.time);
  }
  probe.margin = own->time - other;
  if (probe.margin <= 0) probe.best = winner;  // another algorithm takes over only if it is faster
  return probe;
}

}  // namespace

Competitors::Competitors(const Job& job, const std::vector<Entry>& entries, const RunFunction& run)
    : job_(job), run_(run), winner_(entries.front().name()) {
  std::vector<Timed> all;
  std::vector<const Candidate*> candidates;
  for (const Entry& entry : entries) {
    if (entry.failed()) continue;
    candidates.push_back(&entry.candidate);
    names_.insert(entry.name());
    const Algorithm& algorithm = *entry.candidate.choice.algorithm;
    predictions_take_time_ |= algorithm.cost_by_steps || algorithm.least_cost;
    if (!entry.timed() && !entry.predicted_only) continue;
    all.push_back({entry.name(), entry.time().value()});  // the prediction of a slow algorithm is enough for the margin
    if (!entry.timed()) continue;
    const IsOut is_out = simulates_only_near(job) ? is_beaten : is_hopeless;
    if (entry.name() != winner_ && is_out(entry.candidate.predicted, entries.front().time())) continue;
    probe_cost_ = saturating_sum(probe_cost_, cost_of(job, entry.run.load));
    probe_effort_ = saturating_sum(probe_effort_, entry.run.effort);
  }
  here_ = probe_of(all, winner_);
  if (!job.given.empty()) return;
  std::ranges::sort(candidates, {}, [](const Candidate* candidate) {  // as likely_candidates() does
    return std::pair(candidate->predicted, candidate->choice.algorithm);
  });
  std::vector<Timed> predicted;
  for (const Candidate* candidate : candidates) {
    predicted.push_back({candidate->choice.algorithm->name, candidate->predicted.value()});
  }
  predicted_[job.count] = probe_of(predicted, winner_);
}

std::int64_t Competitors::resolution(std::int64_t count) const {
  const bool are_many = simulates_only_near(job_);
  if (!predictions_take_time_ && !are_many) return 1;
  return std::max<std::int64_t>(count / (are_many ? kPartsOfManyRanks : kParts), 1);
}

std::optional<Competitors::Probe> Competitors::predicted(std::int64_t count) {
  const auto [known, is_new] = predicted_.try_emplace(count);
  if (!is_new) return known->second;
  Job job = job_;
  job.count = count;
  std::vector<Timed> all;
  const auto is_slower = [](Ticks least, Ticks best) { return least > best; };
  for (const Candidate& candidate : likely_candidates(request_of(job), names_, winner_, is_slower)) {
    all.push_back({candidate.choice.algorithm->name, candidate.predicted.value()});
  }
  return known->second = probe_of(all, winner_);
}

bool Competitors::refill() {
  left_ = follows_streams(job_) ? std::min(kTransits, job_.transit_budget) : std::min(kHops, job_.hop_budget);
  simulations_left_ = kSimulations;
  effort_left_ = std::min(kEffort, job_.effort_budget);
  return probe_cost_ <= left_ / kProbes && probe_effort_ <= effort_left_ / kProbes;
}

/// Of a proven schedule, and in a ranking that has compared the data of its neighbours, the time is enough.
RunOptions Competitors::options_for(const Job& job, const std::string& name) const {
  RunOptions options{.name = name, .hop_budget = left_, .effort_budget = effort_left_, .times_only = true};
  if (follows_streams(job)) {
    options.hop_budget = std::min(kHops, job.hop_budget);
    options.transit_budget = left_;
  }
  return options;
}

std::optional<Competitors::Probe> Competitors::simulated(std::int64_t count) {
  Job job = job_;
  job.count = count;
  const IsOut is_out = simulates_only_near(job) ? is_beaten : is_hopeless;
  Candidates candidates{.offered = likely_candidates(request_of(job), names_, winner_, is_out), .skipped = {}};
  screen(job, candidates);
  const std::vector<Candidate>& offered = candidates.offered;
  if (offered.empty()) return std::nullopt;
  std::vector<Timed> all;
  std::vector<Schedule> schedules;  // of each of these
  for (const Candidate& candidate : offered) {
    const Choice& choice = candidate.choice;
    const std::string& name = choice.algorithm->name;
    if (name != winner_ && is_out(candidate.time(), offered.front().time())) continue;
    Schedule schedule = make_schedule(job, *choice.algorithm, choice.parameters);
    if (const auto known = std::ranges::find(schedules, schedule); known != schedules.end()) {
      all.push_back({name, all[at(known - schedules.begin())].time});
    } else {
      if (--simulations_left_ < 0) return std::nullopt;
      const auto outcome = run_(job, schedule, options_for(job, name));
      if (!outcome) continue;
      const Run& run = outcome.value();
      require_verified(run.verdict, choice);
      if (!run.correct() || !run.result->cycles) return std::nullopt;
      left_ -= cost_of(job, run.load);
      effort_left_ -= run.effort;
      all.push_back({name, run.result->cycles->value()});
    }
    schedules.push_back(std::move(schedule));
  }
  return probe_of(all, winner_);
}

}  // namespace muster

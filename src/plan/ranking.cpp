// Every candidate through all stages, then the order of the answer.
#include "plan/ranking.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "base/counted.h"
#include "base/parallel.h"
#include "base/saturating.h"
#include "machine/routing.h"
#include "plan/job.h"
#include "plan/screening.h"

namespace muster {

namespace {

std::string over_budget(const Job& job, const Run& run) {
  if (run.given_up) {
    return "not simulated: it exceeds its share of plan's budget; 'muster simulate --algorithm' has no limit";
  }
  const std::string hops = fmt::format("{} hops, more than the budget of {}",
                                       grouped(saturating_product(run.load.hops, job.calls)), grouped(job.hop_budget));
  if (!run.handed_over.empty()) {
    return fmt::format("not simulated: {}; the cycle engine would need {}", run.handed_over, hops);
  }
  if (follows_streams(job) && cost_of(job, run.load) > job.transit_budget) {
    return fmt::format("not simulated: its messages cross {} routers, more than the budget of {}",
                       grouped(cost_of(job, run.load)), grouped(job.transit_budget));
  }
  return "not simulated: " + hops;
}

}  // namespace

bool simulates_only_near(const Job& job) {
  constexpr NodeId kManyRanks = 1024;
  return follows_streams(job) && !overlaps_phases(job) && rank_count(job.machine) > kManyRanks;
}

std::string note_on(const Job& job, const Run& run) {
  if (!run.result) return over_budget(job, run);
  if (run.result->fault) return fmt::format("{}: {}", run.result->fault->kind, run.result->fault->message);
  return run.comparison.difference ? "wrong result: " + *run.comparison.difference : "";
}

CandidateAnswer candidate_answer(const Job& job, const Entry& entry) {
  const auto& [algorithm, parameters] = entry.candidate.choice;
  CandidateAnswer answer{.algorithm = entry.name(), .parameters = shown_parameters(*algorithm, parameters)};
  answer.predicted_cycles = shown_cycles(job.machine, entry.candidate.predicted);
  answer.predicted_seconds = seconds_of(job.machine, entry.candidate.predicted);
  answer.failed = entry.failed();
  answer.note = entry.note;
  if (entry.timed()) {
    answer.simulated_cycles = shown_cycles(job.machine, entry.run.result->cycles);
    answer.simulated_seconds = entry.run.result->seconds;
    answer.utilization = entry.run.result->utilization;
  }
  return answer;
}

namespace {

// Who is predicted to be slower than the fastest so far may take one in so many of the effort.
constexpr std::int64_t kSlowerShare = 16;
constexpr std::int64_t kBeatenShare = 64;

/// Candidates that run concurrently, whatever the computer has: what each may spend must not depend on that.
constexpr std::size_t kSideBySide = 4;

/// The same job, for several threads.
Job with_shared_progress(Job job) {
  if (!job.progress) return job;
  job.progress = [told = job.progress, mutex = std::make_shared<std::mutex>()](const std::string& what) {
    const std::lock_guard lock(*mutex);
    told(what);
  };
  return job;
}

/// What each may spend, `left` being what those before them have left: half of what is left to it, so that no one leaves
/// nothing to those that are predicted to be slower.
std::vector<RunOptions> shares(const Job& job, std::span<const Candidate> side_by_side, std::int64_t left,
                               std::optional<Ticks> fastest) {
  std::vector<RunOptions> all;
  for (const Candidate& candidate : side_by_side) {
    RunOptions options = within_budget(job, candidate.choice.algorithm->name);
    options.effort_budget = left /= 2;
    if (fastest && candidate.predicted > *fastest) {
      const std::int64_t share = is_beaten(candidate.predicted, *fastest) ? kBeatenShare : kSlowerShare;
      options.effort_budget = std::min(options.effort_budget, job.effort_budget / share);
    }
    all.push_back(std::move(options));
  }
  return all;
}

/// An entry that keeps nothing but its prediction.
Entry unsimulated(const Candidate& candidate, std::string note) {
  return {.candidate = candidate, .run = {}, .note = "not simulated: " + std::move(note), .predicted_only = true};
}

/// Runs the candidates of one job, wave by wave.
class Race {
 public:
  Race(const Job& job, const RunFunction& run, const RankOptions& options)
      : job_(job),
        shared_(with_shared_progress(job)),
        run_(run),
        options_(options),
        is_large_(simulates_only_near(job)),
        effort_left_(job.effort_budget) {}

  std::vector<Entry> run(Candidates& candidates) {
    const std::span<const Candidate> offered(candidates.offered);
    for (std::size_t next = 0; next < offered.size();) {
      if (is_too_slow(offered[next])) {
        entries_.push_back(unsimulated(offered[next], too_slow_text(offered[next])));
        ++next;
        continue;
      }
      std::size_t end = next + 1;
      while (next > 0 && end < offered.size() && end - next < kSideBySide && !is_too_slow(offered[end])) ++end;
      run_wave(offered.subspan(next, end - next), candidates.skipped);
      next = end;
    }
    return std::move(entries_);
  }

 private:
  /// Never if nothing has worked so far, or if the fastest candidate takes as long as the prediction of this candidate.
  [[nodiscard]] bool is_too_slow(const Candidate& candidate) const {
    if (options_.simulate_all || !best_predicted_) return false;
    if (candidate.screened && best_screened_) return is_hopeless(*candidate.screened, *best_screened_);
    if (fastest_ && candidate.predicted <= *fastest_) return false;
    if (is_large_ && fastest_ && is_beaten(candidate.predicted, *best_predicted_)) return true;
    return candidate.predicted.value() > saturating_product(kWorthSimulating, best_predicted_->value());
  }

  [[nodiscard]] std::string too_slow_text(const Candidate& candidate) const {
    if (candidate.screened) {
      return "it takes more than half as long again as the best by a simulation that is approximate";
    }
    if (candidate.predicted.value() <= saturating_product(kWorthSimulating, best_predicted_->value())) {
      return "predicted to take more than 1.25 times as long as the best prediction";
    }
    return fmt::format("predicted to take more than {} times as long as the best prediction", kWorthSimulating);
  }

  void run_wave(std::span<const Candidate> wave, std::vector<SkippedAnswer>& skipped) {
    const std::vector<RunOptions> options = shares(job_, wave, effort_left_, fastest_);
    std::vector<std::optional<Outcome<Run>>> outcomes(wave.size());
    const auto work = [&](std::size_t i) {
      const auto& [algorithm, parameters] = wave[i].choice;
      const Schedule schedule = make_schedule(job_, *algorithm, parameters);
      RunOptions how = options[i];
      how.times_only = is_large_ && !schedule.is_flat();  // see compute_winner
      outcomes[i] = run_(shared_, schedule, how);
    };
    for_each_index(wave.size(), work, {.threads = options_.threads, .progress = {}});
    for (std::size_t i = 0; i < wave.size(); ++i) {
      if (!*outcomes[i]) {
        skipped.push_back({.algorithm = options[i].name, .reason = outcomes[i]->reason()});
        continue;
      }
      add(wave[i], std::move(*outcomes[i]).value());
    }
  }

  void add(const Candidate& candidate, Run run) {
    require_verified(run.verdict, candidate.choice);
    effort_left_ -= run.effort;
    std::string note = note_on(job_, run);
    entries_.push_back({.candidate = candidate, .run = std::move(run), .note = std::move(note)});
    Entry& entry = entries_.back();
    if (entry.run.result) {  // compared already, or not shown of candidates; and possibly large
      entry.run.result->outputs = {};
      entry.run.result->node_times = {};
    }
    if (entry.failed()) return;
    if (candidate.screened)
      best_screened_ = std::min(best_screened_.value_or(*candidate.screened), *candidate.screened);
    best_predicted_ = std::min(best_predicted_.value_or(candidate.predicted), candidate.predicted);
    if (entry.timed()) fastest_ = std::min(fastest_.value_or(entry.time()), entry.time());
  }

  const Job& job_;
  const Job shared_;
  const RunFunction& run_;
  const RankOptions& options_;
  bool is_large_;  ///< only those that may win are simulated
  std::int64_t effort_left_ = 0;
  std::vector<Entry> entries_;
  std::optional<Ticks> best_predicted_;  ///< of those that did not fail
  std::optional<Ticks> best_screened_;   ///< the same
  std::optional<Ticks> fastest_;         ///< simulated
};

/// Nothing where nothing was simulated.
std::optional<Entry> fastest_of(const std::vector<Entry>& entries) {
  const Entry* fastest = nullptr;
  for (const Entry& entry : entries) {
    if (entry.timed() && (fastest == nullptr || entry.time() < fastest->time())) fastest = &entry;
  }
  return fastest == nullptr ? std::nullopt : std::optional(*fastest);
}

void sort_entries(std::vector<Entry>& entries) {
  const std::optional<Entry> fastest = fastest_of(entries);
  const auto group_of = [&](const Entry& entry) {
    if (entry.failed()) return 3;
    if (entry.timed()) return 1;
    return fastest && is_predicted_faster(entry, *fastest) ? 0 : 2;
  };
  std::stable_sort(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) {
    return std::pair(group_of(a), a.time()) < std::pair(group_of(b), b.time());
  });
}

/// On many ranks, data takes longer than times: of schedules of phases, only the winner's parts are computed.
void compute_winner(const Job& job, std::vector<Entry>& entries, const RunFunction& run) {
  if (!simulates_only_near(job)) return;
  while (!entries.empty() && entries.front().timed() && !entries.front().run.computed()) {
    Entry& winner = entries.front();
    const auto& [algorithm, parameters] = winner.candidate.choice;
    const Schedule schedule = make_schedule(job, *algorithm, parameters);
    if (schedule.is_flat()) return;
    const auto outcome = run(job, schedule, {.name = winner.name(), .timed = &*winner.run.result});
    if (!outcome) return;
    const Run& computed = outcome.value();
    winner.run.result->note = computed.result->note;
    winner.run.comparison = computed.comparison;
    winner.run.elements = computed.elements;
    winner.run.has_data = computed.has_data;
    winner.run.by_parts = computed.by_parts;
    winner.note = note_on(job, winner.run);
    if (!winner.failed()) return;
    sort_entries(entries);
  }
}

/// Of entries of the same algorithm, the first stays.
void keep_best_of_each(std::vector<Entry>& entries) {
  std::set<std::string> seen;
  std::erase_if(entries, [&](const Entry& entry) { return !seen.insert(entry.name()).second; });
}

}  // namespace

std::vector<Entry> ranked_entries(const Job& job, Candidates& candidates, const RunFunction& run,
                                  const RankOptions& options) {
  std::vector<Entry> entries;
  if (options.quick) {
    for (const Candidate& candidate : candidates.offered)
      entries.push_back(unsimulated(candidate, "--quick predicts only"));
  } else {
    screen(job, candidates, options.threads);
    entries = Race(job, run, options).run(candidates);
  }
  sort_entries(entries);
  if (!options.times_only) compute_winner(job, entries, run);
  keep_best_of_each(entries);
  return entries;
}

namespace {

/// For a collective that no algorithm of the family is for.
std::string what_exists(const Job& job) {
  const std::string family = family_name(job.machine);
  return fmt::format("there is no algorithm for {} on a {} yet; use one of: {}", collective_name(job.collective),
                     family, fmt::join(collectives_of(family), ", "));
}

/// What is known of the first entry.
void describe_winner(const Job& job, const Entry& winner, PlanAnswer& answer) {
  answer.starred_by = winner.timed() ? StarredBy::simulation : StarredBy::prediction;
  answer.predicted_only = winner.predicted_only;
  answer.verified = !winner.predicted_only && winner.run.verdict.verified();
  answer.result_correct = winner.run.correct();
  answer.result_computed = !winner.run.result || winner.run.computed();
  answer.error_probability = winner.run.verdict.error_probability;
  std::string& note = answer.candidates.front().note;
  if (note.empty()) note = remark_on_predictions(job.machine);
}

}  // namespace

Ranking rank(const Job& job, const RunFunction& run, const RankOptions& options) {
  check_job(job);
  Candidates candidates = candidates_for(request_of(job), job.given);
  Ranking ranking{.entries = ranked_entries(job, candidates, run, options),
                  .answer = {.question = question_of(job), .bounds = bounds_of(job)}};
  PlanAnswer& answer = ranking.answer;
  for (const Entry& entry : ranking.entries) {
    answer.candidates.push_back(candidate_answer(job, entry));
    answer.failed = answer.failed || entry.failed();
  }
  answer.skipped = std::move(candidates.skipped);
  if (answer.candidates.empty() && answer.skipped.empty()) answer.why = what_exists(job);
  if (!ranking.entries.empty()) describe_winner(job, ranking.entries.front(), answer);
  return ranking;
}

}  // namespace muster

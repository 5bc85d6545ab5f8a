// Plans on a cluster go through the pipeline as in plan(), with their timelines; what a dimension did is read off these.
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/index.h"
#include "plan/job.h"
#include "plan/ranking.h"
#include "study/explain.h"
#include "study/why.h"

namespace muster {
namespace {

Seconds in_seconds(std::int64_t picoseconds) {
  return Seconds(static_cast<double>(picoseconds) / kPicosecondsPerSecond);
}

/// The bytes are known from the result, the rest from the spans of one track.
ExplainedDimension look_at(const Result& result, std::size_t dimension) {
  ExplainedDimension one{.name = result.resources[dimension].name, .bytes = result.resources[dimension].bytes};
  const std::int64_t end = result.cycles->value();
  std::int64_t first = end, last = 0, busy = 0;
  for (const TimelineSpan& span : result.timeline->spans) {
    if (at(span.track) != dimension) continue;
    first = std::min(first, span.begin.value());
    last = std::max(last, span.end.value());
    busy += (span.end - span.begin).value();
  }
  last = std::max(first, last);
  one.busy = in_seconds(busy);
  one.before = in_seconds(first);
  one.between = in_seconds(last - first - busy);
  one.after = in_seconds(end - last);
  return one;
}

ExplainedChunks explained(const Job& job, const Entry& entry) {
  ExplainedChunks plan{.candidate = candidate_answer(job, entry)};
  const Result& result = *entry.run.result;
  for (std::size_t d = 0; d < result.resources.size(); ++d) {
    plan.dimensions.push_back(look_at(result, d));
    if (plan.dimensions[d].busy > plan.dimensions[plan.critical].busy) plan.critical = d;
  }
  return plan;
}

/// Plans are compared with as many chunks as the one that was asked for.
void cut_alike(const Job& job, const Parameters& like, Candidates& candidates) {
  const auto chunks = like.find("chunks");
  if (chunks == like.end()) return;
  for (Candidate& one : candidates.offered) {
    auto& [algorithm, parameters] = one.choice;
    if (!parameters.contains("chunks")) continue;
    parameters["chunks"] = chunks->second;
    one.predicted = algorithm->cost(request_of(job), parameters);
  }
}

Entry run_choice(const Job& job, const Choice& choice) {
  const auto& [algorithm, parameters] = choice;
  const Cycles predicted = algorithm->cost(request_of(job), parameters);
  auto outcome = run_stages(job, make_schedule(job, *algorithm, parameters), within_budget(job, algorithm->name));
  if (!outcome) reject("{} does not work here: {}", algorithm->name, outcome.reason());
  require_verified(outcome.value().verdict, choice);
  return {.candidate = {.choice = choice, .predicted = predicted}, .run = std::move(outcome).value(), .note = ""};
}

std::string microseconds(Seconds seconds) { return fmt::format("{:.3f} us", seconds.value() * 1e6); }

Contender contender_of(const Entry& entry) {
  return {.name = entry.name(),
          .load = {},
          .time = entry.time(),
          .as_phases = true,
          .utilization = entry.run.result->utilization};
}

constexpr double kShown = 0.5e-9;  // less is shown as nothing

/// A plan's time is what its busiest dimension sends, and what that one is idle.
std::string loss_text(const ExplainedChunks& better, const ExplainedChunks& worse) {
  const auto idle = [](const ExplainedDimension& one) { return one.before + one.between + one.after; };
  const ExplainedDimension& a = better.dimensions[better.critical];
  const ExplainedDimension& b = worse.dimensions[worse.critical];
  const auto change = [](Seconds by) -> std::string {
    if (std::abs(by.value()) < kShown) return "as long";
    return by.value() < 0 ? microseconds(Seconds(-by.value())) + " less" : microseconds(by) + " longer";
  };
  const std::string sends = change(b.busy - a.busy);
  return fmt::format(
      "{} takes {} longer: {}, which sends longest there, sends {} {} {} does for {}, and is idle {}",
      worse.candidate.algorithm, microseconds(*worse.candidate.simulated_seconds - *better.candidate.simulated_seconds),
      b.name, sends, sends == "as long" ? "as" : "than", a.name, better.candidate.algorithm, change(idle(b) - idle(a)));
}

}  // namespace

ClusterExplainAnswer explain_chunks(Job job, const std::optional<Choice>& choice) {
  check_job(job);
  job.timeline = true;
  Candidates candidates = candidates_for(request_of(job), job.given);
  if (choice) cut_alike(job, choice->parameters, candidates);
  std::vector<Entry> entries = ranked_entries(job, candidates, run_stages, {.simulate_all = true});
  if (entries.empty()) {
    PlanAnswer none{.question = question_of(job), .skipped = candidates.skipped};
    (void)best_of(job, none);  // says why
  }
  const Entry entry = choice ? run_choice(job, *choice) : entries.front();
  if (!entry.timed()) reject("{} does not work here: {}", entry.name(), note_on(job, entry.run));

  ClusterExplainAnswer answer{.question = question_of(job), .chosen = explained(job, entry)};
  answer.bound = best_bound(bounds_of(job));
  const auto other = std::find_if(entries.begin(), entries.end(),
                                  [&](const Entry& one) { return one.timed() && one.name() != entry.name(); });
  if (other == entries.end()) {
    answer.why = fmt::format("{} is the only algorithm that fits", entry.name());
    return answer;
  }
  answer.other = explained(job, *other);
  answer.chosen_is_best = entry.time() <= other->time();
  const bool chosen = answer.chosen_is_best;
  answer.why = why_it_wins(job.machine, contender_of(chosen ? entry : *other), contender_of(chosen ? *other : entry));
  if (entry.time() == other->time()) return answer;
  answer.loss = chosen ? loss_text(answer.chosen, *answer.other) : loss_text(*answer.other, answer.chosen);
  return answer;
}

}  // namespace muster

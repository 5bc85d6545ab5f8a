// Both plans go through the pipeline as in plan(); what is said of each is the matter of its family's explainer.
#include "study/explain.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/counted.h"
#include "base/error.h"
#include "plan/job.h"
#include "plan/ranking.h"
#include "study/explainer.h"
#include "study/families.h"
#include "study/why.h"

namespace muster {

namespace {

Contender contender_of(const Entry& entry) {
  return {.name = entry.name(),
          .load = entry.run.load,
          .time = entry.time(),
          .as_phases = entry.run.as_phases,
          .utilization = entry.run.result ? entry.run.result->utilization : 0};
}

/// The entry of a choice: the ranked one if it has the same parameters, else its own run.
Entry entry_of(const Job& job, const Choice& choice, const std::vector<Entry>& entries, const RunFunction& run) {
  for (const Entry& entry : entries) {
    const Choice& ranked = entry.candidate.choice;
    if (ranked.algorithm == choice.algorithm && ranked.parameters == choice.parameters) return entry;
  }
  const Request request = request_of(job);
  auto outcome =
      run(job, make_schedule(job, *choice.algorithm, choice.parameters), within_budget(job, choice.algorithm->name));
  if (!outcome) reject("{}", outcome.reason());
  require_verified(outcome.value().verdict, choice);
  Entry entry{.candidate = {.choice = choice, .predicted = choice.algorithm->cost(request, choice.parameters)},
              .run = std::move(outcome).value(),
              .note = ""};
  entry.note = note_on(job, entry.run);
  return entry;
}

/// The winner; throws the same as choose_best() if there is none.
Choice best_choice(const Job& job, const std::vector<Entry>& entries, const std::vector<SkippedAnswer>& skipped) {
  PlanAnswer answer;
  for (const Entry& entry : entries) answer.candidates.push_back(candidate_answer(job, entry));
  answer.skipped = skipped;
  return best_of(job, answer);
}

/// Whether `a` comes before `b` in a ranking of the two.
bool is_better(const Entry& a, const Entry& b) {
  if (a.timed() == b.timed()) return a.time() <= b.time();
  return a.timed() ? !is_predicted_faster(b, a) : is_predicted_faster(a, b);
}

/// Plans are compared with as many chunks as the plan that was asked for.
void cut_alike(const Job& job, const Parameters& like, Candidates& candidates) {
  const auto chunks = like.find("chunks");
  if (chunks == like.end()) return;
  for (Candidate& candidate : candidates.offered) {
    auto& [algorithm, parameters] = candidate.choice;
    if (!parameters.contains("chunks")) continue;
    parameters["chunks"] = chunks->second;
    candidate.predicted = algorithm->cost(request_of(job), parameters);
  }
}

/// The two plans, side by side.
ExplainAnswer compare(const Job& job, const Explainer& explainer, const Entry& entry, const Entry* other) {
  ExplainAnswer answer{.question = question_of(job), .chosen = explainer.plan(job, entry)};
  answer.bound = best_bound(bounds_of(job));
  answer.resource = explainer.resource;
  answer.bottleneck = explainer.bottleneck(answer.chosen);
  if (other == nullptr) {
    answer.why = fmt::format("{} is the only algorithm that fits", entry.name());
    return answer;
  }
  answer.other = explainer.plan(job, *other);
  answer.chosen_is_best = is_better(entry, *other);
  const auto& [better, worse] = answer.chosen_is_best ? std::tie(entry, *other) : std::tie(*other, entry);
  answer.why = why_it_wins(job.machine, contender_of(better), contender_of(worse));
  answer.loss = answer.chosen_is_best ? explainer.loss(answer.chosen, *answer.other)
                                      : explainer.loss(*answer.other, answer.chosen);
  return answer;
}

}  // namespace

ExplainAnswer explain(Job job, const std::optional<Choice>& choice, const RunFunction& run) {
  check_job(job);
  require_plans(job.machine);
  const Explainer explainer = studies_of(job.machine).explainer();
  job.timeline = explainer.from_timeline;
  Candidates candidates = candidates_for(request_of(job), job.given);
  if (choice) cut_alike(job, choice->parameters, candidates);
  const std::vector<Entry> entries = ranked_entries(job, candidates, run, {.simulate_all = true});
  const Choice chosen = choice ? *choice : best_choice(job, entries, candidates.skipped);
  const Entry entry = entry_of(job, chosen, entries, run);
  const auto is_explained = [&](const Entry& candidate) {
    return explainer.from_timeline ? candidate.timed() : !candidate.failed();
  };
  if (!is_explained(entry)) reject("{} does not work here: {}", entry.name(), entry.note);
  const auto other = std::find_if(entries.begin(), entries.end(), [&](const Entry& candidate) {
    return is_explained(candidate) && candidate.name() != entry.name();
  });
  return compare(job, explainer, entry, other == entries.end() ? nullptr : &*other);
}

}  // namespace muster

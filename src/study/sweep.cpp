// A sweep is many independent pieces of work, one per size and algorithm, dealt to all cores; each writes an entry of its
// own, so the answer's order is that of the question.
#include "study/sweep.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "base/counted.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/saturating.h"
#include "machine/family.h"
#include "machine/routing.h"
#include "plan/job.h"
#include "plan/ranking.h"

namespace muster {

namespace {

using Cell = std::variant<std::monostate, CandidateAnswer, SkippedAnswer>;

/// What the collective cannot be simulated without, where that is easily said: every rank but one sends or takes the whole
/// vector over at least one link, in at least one message between two routers; a broadcast may be one message for all.
Load least_load(const Job& job) {
  if (!treats_elements_alike(job.collective)) return {};
  const std::int64_t others = rank_count(job.machine) - 1;
  return {.hops = saturating_product(others, request_of(job).count), .transits = others + 1};
}

void add_simulation(const Job& job, const Choice& choice, Ticks predicted, const RunFunction& run, Cell& cell) {
  auto& answer = std::get<CandidateAnswer>(cell);
  const bool streams = follows_streams(job);
  const std::int64_t budget = streams ? job.transit_budget : job.hop_budget;
  if (cost_of(job, least_load(job)) > budget) {  // no need to make and to prove it
    answer.note = fmt::format("not simulated: {} than the budget of {}",
                              streams ? "its messages cross more routers" : "more hops", grouped(budget));
    return;
  }
  const std::string& name = choice.algorithm->name;
  auto outcome = run(job, make_schedule(job, *choice.algorithm, choice.parameters), within_budget(job, name));
  if (!outcome) {
    cell = SkippedAnswer{.algorithm = name, .reason = outcome.reason()};
    return;
  }
  require_verified(outcome.value().verdict, choice);
  const Entry entry{
      .candidate = {.choice = choice, .predicted = predicted}, .run = std::move(outcome).value(), .note = ""};
  answer.note = note_on(job, entry.run);
  answer.failed = entry.failed();
  if (!entry.timed()) return;
  answer.simulated_cycles = shown_cycles(job.machine, entry.run.result->cycles);
  answer.simulated_seconds = entry.run.result->seconds;
  answer.utilization = entry.run.result->utilization;
}

/// With what an algorithm runs at a size, or why it does not.
Outcome<Parameters> parameters_at(const SweepRequest& request, std::size_t size, const Algorithm& algorithm) {
  const Request asked = request_of(request.jobs[size]);
  if (const auto reason = algorithm.unsupported(asked)) return Refusal{*reason};
  return parameters_it_has(algorithm, asked, request.given.empty() ? Parameters() : request.given[size]);
}

Cell cell_of(const SweepRequest& request, std::size_t size, const Algorithm& algorithm, const RunFunction& run) {
  const Job& job = request.jobs[size];
  const Request asked = request_of(job);
  Outcome<Parameters> parameters = parameters_at(request, size, algorithm);
  if (!parameters) return SkippedAnswer{algorithm.name, parameters.reason()};
  const Choice choice{&algorithm, std::move(parameters).value()};
  const Ticks predicted =
      request.by_paper ? paper_cycles(algorithm, asked, choice.parameters) : algorithm.cost(asked, choice.parameters);
  CandidateAnswer answer{.algorithm = algorithm.name, .parameters = shown_parameters(algorithm, choice.parameters)};
  answer.predicted_cycles = shown_cycles(job.machine, predicted);
  answer.predicted_seconds = seconds_of(job.machine, predicted);
  Cell cell = std::move(answer);
  const auto& without = request.unsimulated;
  const bool wanted = std::find(without.begin(), without.end(), algorithm.name) == without.end() &&
                      (request.longest == Ticks(0) || predicted <= request.longest);
  if (request.simulate && wanted) add_simulation(job, choice, predicted, run, cell);
  return cell;
}

/// What was simulated comes before what was only predicted; what failed is not chosen.
std::string best_of(const std::vector<CandidateAnswer>& candidates) {
  const CandidateAnswer* best = nullptr;
  const auto rank = [](const CandidateAnswer& candidate) {
    return std::pair(!candidate.simulated_seconds.has_value(),
                     candidate.simulated_seconds.value_or(candidate.predicted_seconds));
  };
  for (const CandidateAnswer& candidate : candidates) {
    if (candidate.failed) continue;
    if (best == nullptr || rank(candidate) < rank(*best)) best = &candidate;
  }
  return best == nullptr ? "" : best->algorithm;
}

std::vector<const Algorithm*> asked_algorithms(const SweepRequest& request) {
  const Job& first = request.jobs.front();
  const std::string family = family_name(first.machine);
  std::vector<const Algorithm*> all;
  for (const std::string& name : request.algorithms) all.push_back(&find_algorithm(first.collective, family, name));
  if (!request.algorithms.empty()) return all;
  for (const Algorithm& algorithm : algorithms()) {
    const auto supports = [&](const Job& job) { return !algorithm.unsupported(request_of(job)); };
    if (algorithm.collective != first.collective || algorithm.family != family) continue;
    if (std::any_of(request.jobs.begin(), request.jobs.end(), supports)) all.push_back(&algorithm);
  }
  if (!all.empty()) return all;
  answer_no("no algorithm for {} on {} supports any of these sizes; 'muster plan' says why for one of them",
            collective_name(first.collective), first.machine.name);
}

/// A parameter must be one of an algorithm's.
void check_parameters(const SweepRequest& request, const std::vector<const Algorithm*>& all) {
  for (const Parameters& given : request.given) {
    for (const auto& [name, value] : given) {
      const auto has_it = [&key = name](const Algorithm* algorithm) {
        return std::any_of(algorithm->parameters.begin(), algorithm->parameters.end(),
                           [&](const ParameterSpec& spec) { return spec.name == key; });
      };
      if (std::none_of(all.begin(), all.end(), has_it)) reject_parameter(*all.front(), name);
    }
  }
}

/// A named algorithm must be of use for one size at least.
void check_support(const SweepRequest& request, const std::vector<const Algorithm*>& all) {
  for (const Algorithm* algorithm : all) {
    std::string reason;
    for (std::size_t i = 0; i < request.jobs.size(); ++i) {
      const Outcome<Parameters> found = parameters_at(request, i, *algorithm);
      reason = found ? "" : found.reason();
      if (found) break;
    }
    if (!reason.empty()) reject("algorithm: {} supports none of these sizes: {}", algorithm->name, reason);
  }
}

SweepSize size_of_cells(const Job& job, std::vector<Cell> cells) {
  SweepSize size{.question = question_of(job)};
  size.bounds = bounds_of(job);
  size.bound = best_bound(size.bounds);
  for (Cell& cell : cells) {
    if (auto* candidate = std::get_if<CandidateAnswer>(&cell)) size.candidates.push_back(std::move(*candidate));
    if (auto* skipped = std::get_if<SkippedAnswer>(&cell)) size.skipped.push_back(std::move(*skipped));
  }
  size.best = best_of(size.candidates);
  return size;
}

/// What was given, and what this family's tables show in any case.
std::vector<std::string> shown_parameters_of(const SweepRequest& request) {
  std::vector<std::string> names;
  const std::string_view usual = request.jobs.front().machine.family().words().swept;
  if (!usual.empty()) return {std::string(usual)};
  if (request.given.empty()) return names;
  for (const auto& [name, value] : request.given.front()) names.push_back(name);
  return names;
}

}  // namespace

SweepAnswer sweep(const SweepRequest& request, const RunFunction& run) {
  MUSTER_ASSERT(!request.jobs.empty(), "a sweep over no sizes");
  for (const Job& job : request.jobs) check_job(job);
  require_plans(request.jobs.front().machine);
  const std::vector<const Algorithm*> all = asked_algorithms(request);
  check_parameters(request, all);
  if (!request.algorithms.empty()) check_support(request, all);

  std::vector<std::vector<Cell>> cells(request.jobs.size(), std::vector<Cell>(all.size()));
  const auto work = [&](std::size_t index) {
    const std::size_t size = index / all.size();
    const std::size_t algorithm = index % all.size();
    cells[size][algorithm] = cell_of(request, size, *all[algorithm], run);
  };
  for_each_index(request.jobs.size() * all.size(), work, {.threads = request.threads, .progress = request.progress});

  SweepAnswer answer;
  answer.simulated = request.simulate;
  answer.parameters = shown_parameters_of(request);
  answer.remark = remark_on_predictions(request.jobs.front().machine);
  for (const Algorithm* algorithm : all) answer.algorithms.push_back(algorithm->name);
  for (std::size_t i = 0; i < request.jobs.size(); ++i) {
    answer.sizes.push_back(size_of_cells(request.jobs[i], std::move(cells[i])));
    if (!request.given.empty()) answer.sizes.back().given = {request.given[i].begin(), request.given[i].end()};
    for (const CandidateAnswer& candidate : answer.sizes.back().candidates)
      answer.failed = answer.failed || candidate.failed;
  }
  return answer;
}

}  // namespace muster

// Every algorithm of the registry is asked; none is known by name here.
#include "plan/candidates.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/parallel.h"
#include "base/saturating.h"
#include "machine/family.h"
#include "plan/job.h"
#include "plan/ranking.h"

namespace muster {

namespace {

/// Beyond this, a value that is worse than the best one ends a search along values with one valley.
bool rises(std::optional<Ticks> time, std::optional<Ticks> best) {
  return best && (!time || *time - *best > Ticks(best->value() / 8));
}

/// Times with a valley are no exact ones: who is better by less than a 64th is not better.
bool is_better(std::optional<Ticks> time, std::optional<Ticks> best, const ParameterSpec& spec) {
  if (!time || !best) return time.has_value();
  return *best - *time > Ticks(spec.has_one_valley ? best->value() / 64 : 0);
}

/// Tries `values` until they rise.
void try_values(std::span<const std::int64_t> values, const ParameterSpec& spec, const TimeOf& time_of, Tuned& best) {
  for (const std::int64_t value : values) {
    Parameters parameters = best.parameters;
    parameters[spec.name] = value;
    const std::optional<Ticks> time = time_of(parameters);
    if (spec.has_one_valley && rises(time, best.time)) return;
    if (is_better(time, best.time, spec)) best = {.parameters = std::move(parameters), .time = time};
  }
}

/// The candidate, but for parameters that are not `given` and that another value is predicted to be better for.
Candidate with_best_predicted(const Candidate& candidate, const Request& request, const Parameters& given) {
  const Algorithm& algorithm = *candidate.choice.algorithm;
  Tuned best =
      tuned(algorithm, request, given, {.parameters = candidate.choice.parameters, .time = candidate.predicted},
            [&](const Parameters& parameters) { return algorithm.cost(request, parameters); });
  return {.choice = {&algorithm, std::move(best.parameters)}, .predicted = *best.time};
}

/// Predicts the offered candidates, and finds the best parameters of those that this may make the best. Predictions by steps take time:
/// on all cores.
void predict(std::vector<Candidate>& offered, const Request& request, const Parameters& given) {
  const bool takes_time = std::any_of(offered.begin(), offered.end(), [](const Candidate& candidate) {
    return candidate.choice.algorithm->cost_by_steps;
  });
  const auto for_all = [&](const std::function<void(std::size_t)>& work) {
    if (takes_time) return for_each_index(offered.size(), work);
    for (std::size_t i = 0; i < offered.size(); ++i) work(i);
  };
  const auto predict_one = [&](std::size_t i) {
    offered[i].predicted = offered[i].choice.algorithm->cost(request, offered[i].choice.parameters);
  };
  for_all(predict_one);
  std::int64_t best = kMostCounted;
  for (const Candidate& candidate : offered) best = std::min(best, candidate.predicted.value());
  const std::int64_t limit = takes_time ? saturating_product(kWorthSimulating, best) : kMostCounted;
  const auto tune_one = [&](std::size_t i) {
    if (offered[i].predicted.value() <= limit) offered[i] = with_best_predicted(offered[i], request, given);
  };
  for_all(tune_one);
}

}  // namespace

Tuned tuned(const Algorithm& algorithm, const Request& request, const Parameters& given, const Tuned& start,
            const TimeOf& time_of) {
  Tuned best = start;
  for (const ParameterSpec& spec : algorithm.parameters) {
    if (!spec.worth_trying || given.contains(spec.name)) continue;
    const std::vector<std::int64_t> values = spec.worth_trying(request);
    const auto here = std::find(values.begin(), values.end(), best.parameters.at(spec.name));
    const std::vector<std::int64_t> before(std::make_reverse_iterator(here), values.rend());
    const auto behind = here == values.end() ? here : here + 1;
    try_values({behind, values.end()}, spec, time_of, best);
    try_values(before, spec, time_of, best);
  }
  return best;
}

void sort_by_prediction(std::vector<Candidate>& candidates) {
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.predicted < b.predicted; });
}

namespace {

using Wanted = std::function<bool(const Algorithm&)>;

Candidates wanted_candidates(const Request& request, const Parameters& given, const Wanted& wanted) {
  Candidates found;
  const std::string family = family_name(request.machine);
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.collective != request.collective || algorithm.family != family || !wanted(algorithm)) continue;
    if (auto reason = algorithm.unsupported(request)) {
      found.skipped.push_back({.algorithm = algorithm.name, .reason = std::move(*reason)});
      continue;
    }
    Outcome<Parameters> parameters = parameters_it_has(algorithm, request, given);
    if (parameters) {
      found.offered.push_back({.choice = {&algorithm, std::move(parameters).value()}, .predicted = {}});
    } else {
      found.skipped.push_back({.algorithm = algorithm.name, .reason = parameters.reason()});
    }
  }
  predict(found.offered, request, given);
  return found;
}

}  // namespace

Candidates candidates_for(const Request& request, const Parameters& given) {
  Candidates found = wanted_candidates(request, given, [](const Algorithm&) { return true; });
  sort_by_prediction(found.offered);
  return found;
}

std::vector<Candidate> likely_candidates(const Request& request, const std::set<std::string>& names,
                                         const std::string& favorite, IsOut is_out) {
  std::multimap<Ticks, const Algorithm*> bounded;
  const auto is_predicted_anyway = [&](const Algorithm& algorithm) {
    if (!names.contains(algorithm.name)) return false;
    if (!algorithm.least_cost || algorithm.name == favorite) return true;
    if (!algorithm.unsupported(request)) bounded.emplace(algorithm.least_cost(request), &algorithm);
    return false;
  };
  std::vector<Candidate> likely = wanted_candidates(request, {}, is_predicted_anyway).offered;
  Ticks best(kMostCounted);
  for (const Candidate& candidate : likely) best = std::min(best, candidate.predicted);
  for (const auto& [least, algorithm] : bounded) {  // who may be the fastest comes first
    if (is_out(least, best)) break;
    const auto is_next = [next = algorithm](const Algorithm& other) { return &other == next; };
    for (Candidate& candidate : wanted_candidates(request, {}, is_next).offered) {
      best = std::min(best, candidate.predicted);
      likely.push_back(std::move(candidate));
    }
  }
  std::ranges::sort(likely, {}, [](const Candidate& candidate) {  // algorithms stand in one list
    return std::pair(candidate.predicted, candidate.choice.algorithm);
  });
  return likely;
}

void check_given(const Job& job) {
  if (job.given.empty()) return;
  const Request request = request_of(job);
  const std::string family = family_name(job.machine);
  std::optional<std::string> refusal;
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.collective != job.collective || algorithm.family != family || algorithm.unsupported(request))
      continue;
    const Outcome<Parameters> parameters = parameters_it_has(algorithm, request, job.given);
    if (parameters) return;
    if (!refusal) refusal = parameters.reason();
  }
  if (refusal) reject("{}", *refusal);
}

Choice choose_with_defaults(const Job& job, const std::string& algorithm, const Parameters& given) {
  check_job(job);
  require_plans(job.machine);
  const Request request = request_of(job);
  const Algorithm& found = find_algorithm(job.collective, family_name(job.machine), algorithm);
  if (const auto reason = found.unsupported(request)) reject("algorithm: {} {}", algorithm, *reason);
  return {.algorithm = &found, .parameters = complete_parameters(found, request, given)};
}

Choice choose(const Job& job, const std::string& algorithm, const Parameters& given) {
  const Request request = request_of(job);
  const Choice choice = choose_with_defaults(job, algorithm, given);
  const Ticks predicted = choice.algorithm->cost(request, choice.parameters);
  return with_best_predicted({.choice = choice, .predicted = predicted}, request, given).choice;
}

Choice choose_best(const Job& job) {
  check_job(job);
  require_plans(job.machine);
  return best_of(job, rank(job, run_stages).answer);
}

namespace {

constexpr std::size_t kMostReasons = 3;
constexpr std::size_t kMostNames = 3;  ///< of algorithms, for one reason

/// Why nothing fits, in one line: what failed, what does not fit the machine, and last what is for other shapes.
std::string why_nothing_fits(const PlanAnswer& answer) {
  std::vector<std::string> reasons;
  for (const CandidateAnswer& candidate : answer.candidates) {
    reasons.push_back(fmt::format("{} fails ({})", candidate.algorithm, candidate.note));
  }
  for (const bool of_the_shape : {false, true}) {
    std::vector<std::string> said;
    for (const SkippedAnswer& skipped : answer.skipped) {
      if (skipped.reason.starts_with("needs ") != of_the_shape) continue;
      if (std::find(said.begin(), said.end(), skipped.reason) != said.end()) continue;
      said.push_back(skipped.reason);
      std::vector<std::string> names;
      for (const SkippedAnswer& other : answer.skipped) {
        if (other.reason == skipped.reason) names.push_back(other.algorithm);
      }
      std::string others;
      if (names.size() > kMostNames) {
        others = fmt::format(" and {} others", names.size() - kMostNames + 1);
        names.resize(kMostNames - 1);
      }
      reasons.push_back(fmt::format("{}{}: {}", fmt::join(names, ", "), others, skipped.reason));
    }
  }
  if (reasons.size() <= kMostReasons) return fmt::format("{}", fmt::join(reasons, "; "));
  const std::size_t more = reasons.size() - kMostReasons;
  reasons.resize(kMostReasons);
  return fmt::format("{}; and {} more ('muster plan' lists them)", fmt::join(reasons, "; "), more);
}

}  // namespace

void check_reserved(const Job& job, const PlanAnswer& answer) {
  const Family& family = job.machine.family();
  const std::string reserved = family.reserved_text(job.options);
  if (reserved.empty() || !answer.candidates.empty()) return;
  const std::string budget = fmt::format("{}s: ", family.words().channel);
  const auto is_of_budget = [&](const SkippedAnswer& skipped) { return skipped.reason.starts_with(budget); };
  if (std::none_of(answer.skipped.begin(), answer.skipped.end(), is_of_budget)) return;
  reject("{} leave too few colors for {} on {}: {}", reserved, collective_name(job.collective), shape_text(job.machine),
         why_nothing_fits(answer));
}

Choice best_of(const Job& job, const PlanAnswer& answer) {
  for (const CandidateAnswer& candidate : answer.candidates) {
    if (!candidate.failed) return choose(job, candidate.algorithm, parameters_behind(candidate.parameters));
  }
  check_reserved(job, answer);
  if (answer.candidates.empty() && answer.skipped.empty()) answer_no("{}", answer.why);
  answer_no("no algorithm for {} on {} ({}) fits: {}", collective_name(job.collective), job.machine.name,
            shape_text(job.machine), why_nothing_fits(answer));
}

}  // namespace muster

// Predictions for some roots, or for all of them where an algorithm knows them at once; simulations for a few.
#include "study/free_root.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "machine/family.h"
#include "machine/routing.h"
#include "plan/job.h"
#include "plan/ranking.h"

namespace muster {

namespace {

constexpr std::size_t kPredicted = 2;       // roots that are tried because of their prediction
constexpr std::size_t kPredictedOfFew = 6;  // on so few ranks that all are predicted
constexpr NodeId kFewRanks = 64;
constexpr std::int64_t kHops = 10'000'000;  // per simulation: there are up to kContenders at each root
constexpr std::int64_t kTransits = 2'000'000;
constexpr std::int64_t kEffort = 20'000'000;  // of all at one root
constexpr std::size_t kContenders = 3;        // at one root, by prediction
constexpr Ticks kNearlyBest{2};               // what a prediction of best-tree may be off with its root inside a row
constexpr std::size_t kNearlyBestRoots = 6;

Job rooted(const RootRequest& request, NodeId root) {
  Job job = request.job;
  job.root = root;
  job.hop_budget = std::min(job.hop_budget, kHops);
  job.transit_budget = std::min(job.transit_budget, kTransits);
  job.effort_budget = std::min(job.effort_budget, kEffort);
  return job;
}

/// The named algorithm, unless it does not support the job, or not with what is given of its parameters.
Candidates named(const RootRequest& request, const Job& job) {
  const Request asked = request_of(job);
  const Algorithm& algorithm = find_algorithm(job.collective, family_name(job.machine), request.algorithm);
  if (algorithm.unsupported(asked) || !parameters_it_has(algorithm, asked, request.given)) return {};
  const Choice choice = choose(job, request.algorithm, request.given);
  return {.offered = {{.choice = choice, .predicted = algorithm.cost(asked, choice.parameters)}}, .skipped = {}};
}

/// What may answer the job: who is best by prediction.
Candidates contenders(const RootRequest& request, const Job& job) {
  if (!request.algorithm.empty()) return named(request, job);
  Candidates all = candidates_for(request_of(job));
  if (all.offered.empty()) return all;
  const Ticks best = all.offered.front().predicted;
  std::erase_if(all.offered, [&](const Candidate& candidate) { return is_hopeless(candidate.predicted, best); });
  if (all.offered.size() > kContenders) all.offered.resize(kContenders);
  return all;
}

/// Those whose times are nearly the best, best first. A rank and the last but so many have the same time, by symmetry.
std::vector<NodeId> nearly_best(const std::vector<Ticks>& times) {
  const Ticks best = *std::min_element(times.begin(), times.end());
  std::vector<std::pair<Ticks, NodeId>> near;
  for (std::size_t rank = 0; rank < times.size(); ++rank) {
    const std::size_t mirrored = times.size() - 1 - rank;
    const bool is_second = mirrored < rank && times[mirrored] == times[rank];
    if (times[rank] <= best + kNearlyBest && !is_second) near.emplace_back(times[rank], static_cast<NodeId>(rank));
  }
  std::sort(near.begin(), near.end());
  if (near.size() > kNearlyBestRoots) near.resize(kNearlyBestRoots);
  std::vector<NodeId> roots;
  for (const auto& [time, root] : near) roots.push_back(root);
  return roots;
}

/// The best of all roots for each algorithm that knows the times of all.
std::vector<NodeId> best_of_all_roots(const RootRequest& request) {
  const Request asked = request_of(rooted(request, 0));
  std::vector<NodeId> roots;
  for (const Algorithm& algorithm : algorithms_of(family_name(asked.machine))) {
    const bool wanted = request.algorithm.empty() || algorithm.name == request.algorithm;
    if (algorithm.collective != asked.collective || !wanted || !algorithm.cost_by_root || algorithm.unsupported(asked))
      continue;
    for (const NodeId root : nearly_best(algorithm.cost_by_root(asked))) roots.push_back(root);
  }
  return roots;
}

std::vector<NodeId> all_ranks_of(const Machine& machine) {
  std::vector<NodeId> ranks(static_cast<std::size_t>(rank_count(machine)));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

/// The first rank, the middle, and what the predictions like best.
std::set<NodeId> roots_to_try(const RootRequest& request) {
  const Machine& machine = request.job.machine;
  const std::vector<NodeId> some = machine.family().ranks_to_the_middle(machine.network);
  const bool are_few = some.size() > 1 && rank_count(machine) <= kFewRanks;
  std::vector<std::pair<Ticks, NodeId>> predicted;
  for (const NodeId root : are_few ? all_ranks_of(machine) : some) {
    const Candidates all = contenders(request, rooted(request, root));
    if (!all.offered.empty()) predicted.emplace_back(all.offered.front().predicted, root);
  }
  std::sort(predicted.begin(), predicted.end());
  if (are_few) {  // mirrored roots, mostly
    const auto same_time = [](const auto& a, const auto& b) { return a.first == b.first; };
    predicted.erase(std::unique(predicted.begin(), predicted.end(), same_time), predicted.end());
  }
  std::set<NodeId> roots{some.front(), some.back()};
  for (const NodeId root : best_of_all_roots(request)) roots.insert(root);
  const std::size_t most = are_few ? kPredictedOfFew : kPredicted;
  for (std::size_t i = 0; i < std::min(most, predicted.size()); ++i) roots.insert(predicted[i].second);
  return roots;
}

std::optional<RootAnswer> best_at(const RootRequest& request, NodeId root, const RunFunction& run) {
  const Job job = rooted(request, root);
  Candidates all = contenders(request, job);
  const std::vector<Entry> entries = ranked_entries(job, all, run, {.quick = request.quick, .times_only = true});
  if (entries.empty() || entries.front().failed()) return std::nullopt;
  const Machine& machine = request.job.machine;
  return RootAnswer{.root = root,
                    .text = machine.family().rank_text(machine.network, root),
                    .algorithm = entries.front().name(),
                    .cycles = entries.front().time(),
                    .simulated = entries.front().timed()};
}

}  // namespace

std::vector<RootAnswer> try_roots(const RootRequest& request, const RunFunction& run) {
  check_job(request.job);
  MUSTER_ASSERT(has_root(request.job.collective), "a root was sought for a collective without one");
  require_plans(request.job.machine);
  std::vector<RootAnswer> tried;
  for (const NodeId root : roots_to_try(request)) {
    if (auto found = best_at(request, root, run)) tried.push_back(std::move(*found));
  }
  std::stable_sort(tried.begin(), tried.end(), [](const RootAnswer& a, const RootAnswer& b) {
    return std::pair(!a.simulated, a.cycles) < std::pair(!b.simulated, b.cycles);
  });
  return tried;
}

}  // namespace muster

// Both plans go through the pipeline as in plan(); then their schedules are looked at again, for the path and the loads.
#include "study/explain.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "machine/routing.h"
#include "plan/job.h"
#include "plan/ranking.h"
#include "schedule/phase.h"
#include "study/critical_path.h"
#include "study/model_terms.h"
#include "study/path_text.h"
#include "study/traffic.h"
#include "study/why.h"

namespace muster {

namespace {

std::string port_text(const Machine& machine, const PortTraffic& port) {
  return fmt::format("{} {}", port.into ? "into" : "out of", node_text(machine, port.node));
}

std::string link_text(const Machine& machine, const Hop& link) {
  return fmt::format("{} to {}", node_text(machine, link.from), node_text(machine, link.to));
}

/// The processor where most of the path's words pass.
BusyPlace busiest_on(const CriticalPath& path, const Machine& machine) {
  std::map<NodeId, std::int64_t> words;
  for (const PathPiece& piece : path.pieces) words[piece.to] += piece.words;
  const auto most =
      std::max_element(words.begin(), words.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == words.end()) return {};
  return {.place = node_text(machine, most->first), .words = most->second};
}

ExplainedPlan explained(const Job& job, const Entry& entry) {
  const auto& [algorithm, parameters] = entry.candidate.choice;
  const Schedule flat = expand(make_schedule(job, *algorithm, parameters));
  const CriticalPath path = critical_path(flat, job.machine);
  const Traffic traffic = traffic_of(flat, job.machine);

  ExplainedPlan plan{.candidate = candidate_answer(job, entry)};
  const ModelTerms terms = model_terms(job, flat);
  plan.depth = terms.depth;
  plan.distance = terms.distance;
  plan.energy = terms.energy;
  plan.contention = terms.contention;
  plan.links = terms.links;
  plan.model = model_cycles(terms, *job.machine.mesh());
  plan.busiest_port = {port_text(job.machine, traffic.busiest_port), traffic.busiest_port.words};
  const auto& [link, words] = traffic.busiest_link;
  plan.busiest_link = {words == 0 ? "none" : link_text(job.machine, link), words};
  plan.path = path_lines(path, job.machine);
  plan.path_end = path.end;
  plan.path_words = path.words;
  plan.path_hops = path.hops;
  plan.path_ramps = path.ramps;
  if (entry.timed()) plan.waiting = *entry.run.result->cycles - path.end;
  plan.path_busiest = busiest_on(path, job.machine);
  return plan;
}

/// "tree spends 2,304 cycles on words, ..."
std::string spending_text(const ExplainedPlan& plan) {
  std::string text =
      fmt::format("{} spends {} cycles on words, {} on hops, {} on ramps and additions", plan.candidate.algorithm,
                  grouped(plan.path_words.value()), grouped(plan.path_hops.value()), grouped(plan.path_ramps.value()));
  if (plan.waiting) text += fmt::format(", and waits {}", grouped(plan.waiting->value()));
  return text;
}

std::string loss_text(const ExplainedPlan& better, const ExplainedPlan& worse) {
  const auto time = [](const ExplainedPlan& plan) {
    return plan.candidate.simulated_cycles.value_or(*plan.candidate.predicted_cycles).value();
  };
  std::string text = fmt::format("On its critical path {}; {}.", spending_text(better), spending_text(worse));
  const std::int64_t loss = time(worse) - time(better);
  if (loss == 0) return text + " Their times are equal.";
  text += fmt::format(" {} takes {} longer", worse.candidate.algorithm, counted(loss, "cycle"));
  const std::pair<const char*, std::int64_t> parts[] = {
      {"words", (worse.path_words - better.path_words).value()},
      {"hops", (worse.path_hops - better.path_hops).value()},
      {"ramps and additions", (worse.path_ramps - better.path_ramps).value()},
      {"waiting", worse.waiting && better.waiting ? (*worse.waiting - *better.waiting).value() : 0}};
  const auto most = std::max_element(std::begin(parts), std::end(parts),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most->second <= 0) return text + ".";
  text += fmt::format("; it loses most by {} ({})", most->first, counted(most->second, "cycle"));
  const bool at_one_place = most == std::begin(parts) && worse.path_busiest.words > 0;
  if (at_one_place) {
    text += fmt::format(": {} of its words pass one after another at {}", grouped(worse.path_busiest.words),
                        worse.path_busiest.place);
  }
  return text + ".";
}

Contender contender_of(const Entry& entry) {
  return {.name = entry.name(), .load = entry.run.load, .time = entry.time()};
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

}  // namespace

ExplainAnswer explain(const Job& job, const std::optional<Choice>& choice, const RunFunction& run) {
  check_job(job);
  require_backend(job.machine);
  if (job.machine.mesh() == nullptr)
    reject("explain: {} is a {}; it explains plans on a mesh or a cluster, 'muster plan' says why here, too",
           job.machine.name, family_name(job.machine));
  Candidates candidates = candidates_for(request_of(job));
  const std::vector<Entry> entries = ranked_entries(job, candidates, run, {.simulate_all = true});
  const Choice chosen = choice ? *choice : best_choice(job, entries, candidates.skipped);
  const Entry entry = entry_of(job, chosen, entries, run);
  if (entry.failed()) reject("{} does not work here: {}", entry.name(), entry.note);

  ExplainAnswer answer{.question = question_of(job), .chosen = explained(job, entry)};
  answer.bound = best_bound(bounds_of(job));
  const auto differs = [&](const Entry& one) { return !one.failed() && one.name() != entry.name(); };
  const auto other = std::find_if(entries.begin(), entries.end(), differs);
  if (other == entries.end()) {
    answer.why = fmt::format("{} is the only algorithm that fits", entry.name());
    return answer;
  }
  answer.other = explained(job, *other);
  answer.chosen_is_best = is_better(entry, *other);
  const auto& [better, worse] = answer.chosen_is_best ? std::tie(entry, *other) : std::tie(*other, entry);
  answer.why = why_it_wins(job.machine, contender_of(better), contender_of(worse));
  answer.loss =
      answer.chosen_is_best ? loss_text(answer.chosen, *answer.other) : loss_text(*answer.other, answer.chosen);
  return answer;
}

}  // namespace muster

// Schedules are looked at again after the pipeline, for the terms of the model, the critical path and the loads.
#include "study/mesh/explain_mesh.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/counted.h"
#include "machine/mesh.h"
#include "machine/routing.h"
#include "plan/job.h"
#include "schedule/joined_lanes.h"
#include "schedule/phase.h"
#include "study/mesh/critical_path.h"
#include "study/mesh/model_terms.h"
#include "study/mesh/path_text.h"
#include "study/mesh/traffic.h"

namespace muster {

namespace {

constexpr const char* kWords = "path_words";
constexpr const char* kHops = "path_hops";
constexpr const char* kRamps = "path_ramps";
constexpr const char* kWaiting = "waiting_cycles";

std::string port_text(const Machine& machine, const PortTraffic& port) {
  return fmt::format("{} {}", port.into ? "into" : "out of", node_text(machine, port.node));
}

std::string link_text(const Machine& machine, const Hop& link) {
  return fmt::format("{} to {}", node_text(machine, link.from), node_text(machine, link.to));
}

/// The processor where most of the path's words pass.
BusyResource busiest_on(const CriticalPath& path, const Machine& machine) {
  std::map<NodeId, std::int64_t> words;
  for (const PathPiece& piece : path.pieces) words[piece.to] += piece.words;
  const auto most =
      std::max_element(words.begin(), words.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == words.end()) return {};
  return {.name = node_text(machine, most->first), .words = most->second};
}

/// In the order of JSON; tables show links before contention.
std::vector<ExplainedFigure> figures_of(const Job& job, const Schedule& flat, const CriticalPath& path,
                                        std::optional<Cycles> waiting) {
  const ModelTerms terms = model_terms(job, flat);
  const Traffic traffic = traffic_of(flat, job.machine);
  const auto& [link, words] = traffic.busiest_link;
  const BusyResource port{port_text(job.machine, traffic.busiest_port), traffic.busiest_port.words};
  const BusyResource busy_link{words == 0 ? "none" : link_text(job.machine, link), words};
  std::vector<ExplainedFigure> figures{
      {"depth", "depth", terms.depth, "longest chain of dependent messages", 1},
      {"distance", "distance", terms.distance, "hops from the farthest PE", 1},
      {"energy", "energy", terms.energy, "total word-hops", 1},
      {"contention", "contention", terms.contention, "words through the busiest port", 3},
      {"links", "links", terms.links, "links in use", 2},
      {"model_cycles", "model", model_cycles(terms, *as<Mesh>(job.machine)).value(),
       "paper: max(contention, energy / links + distance) + depth (2 ramp latency + 1)", 3},
      {"busiest_port", "busiest port", port},
      {"busiest_link", "busiest link", busy_link},
      {"path_cycles", "path", path.end.value(), "cycles of the critical path; of these:", 3},
      {kWords, "  words", path.words.value(), "serialisation of words", 3},
      {kHops, "  hops", path.hops.value(), "on links", 3},
      {kRamps, "  ramps", path.ramps.value(), "on ramps, and for additions", 3},
      {kWaiting, "waiting", std::nullopt, "simulated cycles beyond the path: waiting for busy links and ports", 3}};
  if (waiting) figures.back().value = waiting->value();
  return figures;
}

ExplainedPlan explained(const Job& job, const Entry& entry) {
  const auto& [algorithm, parameters] = entry.candidate.choice;
  const Schedule flat = expand_in_lanes(make_schedule(job, *algorithm, parameters));
  const CriticalPath path = critical_path(flat, job.machine);
  ExplainedPlan plan{.candidate = candidate_answer(job, entry)};
  std::optional<Cycles> waiting;
  if (entry.timed()) waiting = *entry.run.result->cycles - path.end;
  plan.figures = figures_of(job, flat, path, waiting);
  plan.path = path_lines(path, job.machine);
  plan.path_busiest = busiest_on(path, job.machine);
  return plan;
}

/// A number of a plan; nothing where it is not known.
std::optional<std::int64_t> number_of(const ExplainedPlan& plan, const char* key) {
  for (const ExplainedFigure& figure : plan.figures) {
    if (figure.key == key && figure.value) return std::get<std::int64_t>(*figure.value);
  }
  return std::nullopt;
}

/// "tree spends 2,304 cycles on words, ..."
std::string spending_text(const ExplainedPlan& plan) {
  const auto cycles = [&](const char* key) { return grouped(*number_of(plan, key)); };
  std::string text = fmt::format("{} spends {} cycles on words, {} on hops, {} on ramps and additions",
                                 plan.candidate.algorithm, cycles(kWords), cycles(kHops), cycles(kRamps));
  if (const auto waiting = number_of(plan, kWaiting)) text += fmt::format(", and waits {}", grouped(*waiting));
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
  const auto more = [&](const char* key) {
    const auto more_of = number_of(worse, key), less_of = number_of(better, key);
    return more_of && less_of ? *more_of - *less_of : 0;
  };
  const std::pair<const char*, std::int64_t> parts[] = {{"words", more(kWords)},
                                                        {"hops", more(kHops)},
                                                        {"ramps and additions", more(kRamps)},
                                                        {"waiting", more(kWaiting)}};
  const auto most = std::max_element(std::begin(parts), std::end(parts),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most->second <= 0) return text + ".";
  text += fmt::format("; most of it is lost on {} ({})", most->first, counted(most->second, "cycle"));
  const bool at_one_processor = most == std::begin(parts) && worse.path_busiest.words > 0;
  if (at_one_processor) {
    text += fmt::format(": {} of its words are serialised at {}", grouped(worse.path_busiest.words),
                        worse.path_busiest.name);
  }
  return text + ".";
}

}  // namespace

Explainer explain_mesh() {
  return {.from_timeline = false,
          .plan = explained,
          .bottleneck = [](const ExplainedPlan&) { return std::string(); },
          .loss = loss_text};
}

}  // namespace muster

// Times by formula, by the paper's model and by the simulator; colors by the lowering.
#include "paper/measure.h"

#include <cmath>
#include <set>

#include "app/training/train.h"
#include "base/error.h"
#include "machine/routing.h"
#include "machine/shapes.h"
#include "plan/job.h"
#include "plan/stages.h"
#include "result/time_base.h"
#include "schedule/phase.h"
#include "study/families.h"

namespace muster {
namespace {

SimulationAnswer good_simulation(const Job& job, const Choice& choice) {
  SimulationAnswer answer = simulate(job, choice);
  const bool good = answer.verified && answer.result_correct && !answer.result.fault;
  if (!good) {
    reject("{} on {} with {} elements was not simulated correctly; 'muster simulate' shows why", choice.algorithm->name,
           shape_text(job.machine), job.count);
  }
  return answer;
}

std::int64_t simulated(const Job& job, const Choice& choice) {
  const Result result = good_simulation(job, choice).result;
  return result.cycles ? result.cycles->value() : nearest_ticks(result.seconds, kPicoseconds).value();
}

std::int64_t modelled(const Job& job, const Choice& choice) {
  const auto model = studies_of(job.machine).model;
  if (model == nullptr) reject("{} is a {}, whose times no model says", job.machine.name, family_name(job.machine));
  return model(job, expand(make_schedule(job, *choice.algorithm, choice.parameters))).value();
}

}  // namespace

std::vector<ClaimSize> sizes_of(const Claim& claim, const std::vector<Machine>& machines) {
  std::vector<ClaimSize> sizes;
  for (const Machine& machine : machines) {
    std::vector<std::optional<ClaimShape>> shapes(claim.shapes.begin(), claim.shapes.end());
    if (shapes.empty()) shapes.emplace_back();
    for (const auto& shape : shapes) {
      for (const std::int64_t count : claim.counts) sizes.push_back({&machine, shape, count});
    }
  }
  return sizes;
}

Job job_at(const Claim& claim, const ClaimSize& size) {
  Job job;
  if (!size.shape) {
    job.machine = *size.machine;
  } else if (size.shape->nodes > 0) {
    job.machine = with_nodes(*size.machine, size.shape->nodes);
  } else {
    job.machine = with_grid(*size.machine, size.shape->width, size.shape->height);
  }
  job.collective = claim.collective;
  job.count = size.count;
  return job;
}

std::int64_t time_of(const Job& job, const std::string& algorithm, const Parameters& parameters, Basis by) {
  if (by == Basis::prediction) {
    const Algorithm& found = find_algorithm(job.collective, family_name(job.machine), algorithm);
    const Request request = request_of(job);
    return found.cost(request, complete_parameters(found, request, parameters)).value();
  }
  const Choice choice = choose_with_defaults(job, algorithm, parameters);
  if (by == Basis::simulation) return simulated(job, choice);
  if (by == Basis::model) return modelled(job, choice);
  return paper_cycles(*choice.algorithm, request_of(job), choice.parameters).value();
}

Winner winner_of(const Job& job, const std::vector<std::string>& among, Basis by) {
  Winner best;
  for (const std::string& name : among) {
    const std::int64_t time = time_of(job, name, {}, by);
    if (best.algorithm.empty() || time < best.time) best = {name, time};
  }
  return best;
}

int colors_of(const Job& job, const std::string& algorithm) {
  const Choice choice = choose_with_defaults(job, algorithm, {});
  const Schedule flat = expand(make_schedule(job, *choice.algorithm, choice.parameters));
  const auto program = lower_for(job, flat);
  if (!program) reject("{}: {}", algorithm, program.reason());
  std::set<int> colors;
  for (NodeId node = 0; node < node_count(job.machine); ++node) {
    for (const int color : program.value()->channels_sent(node)) colors.insert(color);
  }
  return static_cast<int>(colors.size());
}

double utilization_of(const Job& job, const std::string& algorithm, const Parameters& parameters) {
  return 100 * good_simulation(job, choose_with_defaults(job, algorithm, parameters)).result.utilization;
}

double part_of(const Job& job, const Claim& claim) {
  const Result result = good_simulation(job, choose_with_defaults(job, claim.algorithm, claim.parameters)).result;
  std::vector<std::string> names;
  for (const TimePart& part : result.parts) {
    if (part.name == claim.part) return part.seconds.value() * 1e6;
    names.push_back(part.name);
  }
  reject("a simulation on {} has no part '{}'; {}", job.machine.name, claim.part, suggest(claim.part, names));
}

Speedup training_speedup_of(const Claim& claim, const Machine& machine, const training::Workload& workload) {
  const TrainingAnswer answer =
      training::train({.machine = machine, .workload = workload, .faster = claim.faster, .batch = claim.batch});
  const auto order = claim.parameters.find("order");
  const std::string wanted = order != claim.parameters.end() && order->second == 0 ? "fifo" : "scf";
  std::vector<std::string> names;
  for (const IterationAnswer& iteration : answer.iterations) {
    names.push_back(iteration.name());
    const bool named = iteration.name() == claim.algorithm;
    if (!named && (iteration.scheduler != claim.algorithm || (!iteration.order.empty() && iteration.order != wanted)))
      continue;
    return {.value = iteration.speedup,
            .baseline = answer.iterations.front().total,
            .time = iteration.total,
            .waiting = iteration.exposed_model + iteration.exposed_data};
  }
  reject("scheduler '{}' is not known; {}", claim.algorithm, suggest(claim.algorithm, names));
}

std::string size_text(const ClaimSize& size) {
  if (!size.shape) return fmt::format("{}, B = {}", size.machine->name, size.count);
  if (size.shape->nodes > 0) return fmt::format("N = {}, B = {}", size.shape->nodes, size.count);
  if (size.shape->height == 1) return fmt::format("P = {}, B = {}", size.shape->width, size.count);
  return fmt::format("{}x{}, B = {}", size.shape->width, size.shape->height, size.count);
}

Extreme extreme_of(Take take, const std::vector<Labelled>& all) {
  Extreme extreme;
  double sum = 0;
  for (const auto& [label, found] : all) {
    sum += found.value;
    const bool beyond = take == Take::smallest ? found.value < extreme.value : found.value > extreme.value;
    if (!extreme.label.empty() && !beyond) continue;
    extreme.value = found.value;
    extreme.label = all.size() == 1 ? found.text : fmt::format("{}: {}", label, found.text);
  }
  if (take == Take::mean) extreme.mean = sum / static_cast<double>(all.size());
  return extreme;
}

Extreme extreme_over_sizes(const Claim& claim, const std::vector<Machine>& machines,
                           const std::function<Found(const Job&)>& at_size) {
  std::vector<Labelled> all;
  for (const ClaimSize& size : sizes_of(claim, machines)) {
    all.push_back({size_text(size), at_size(job_at(claim, size))});
  }
  return extreme_of(claim.take, all);
}

}  // namespace muster

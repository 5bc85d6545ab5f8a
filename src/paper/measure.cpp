// Times by formula, by the paper's model and by the simulator; colors by the lowering.
#include "paper/measure.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "app/training/train.h"
#include "base/error.h"
#include "base/index.h"
#include "machine/family.h"
#include "machine/routing.h"
#include "machine/shapes.h"
#include "plan/job.h"
#include "plan/stages.h"
#include "result/run_times.h"
#include "result/time_base.h"
#include "schedule/joined_lanes.h"
#include "schedule/phase.h"
#include "study/families.h"

namespace muster {
namespace {

Result good_result(const Job& job, const Choice& choice) {
  SimulationAnswer answer = simulate(job, choice);
  const bool good = answer.verified && answer.result_correct && !answer.result.fault;
  if (!good) {
    reject("{} on {} with {} elements was not simulated correctly; 'muster simulate' shows why", choice.algorithm->name,
           shape_text(job.machine), job.count);
  }
  answer.result.outputs = {};  // compared already, and possibly large
  return std::move(answer.result);
}

/// Names and their values.
template <class Pairs>
std::string text_of(const Pairs& pairs) {
  std::string text;
  for (const auto& [name, value] : pairs) text += fmt::format("{}={};", name, value);
  return text;
}

/// All that a simulation depends on.
std::string key_of(const ClaimJob& job, const Choice& choice) {
  return fmt::format("{}|{}|{}|{}|{}|{}|{}", job.setting, collective_name(job.collective), job.count,
                     type_name(job.arithmetic.type), job.calls, choice.algorithm->name, text_of(choice.parameters));
}

Result good_simulation(const ClaimJob& job, const Choice& choice) {
  const auto make = [&] { return good_result(job, choice); };
  return job.simulations == nullptr ? make() : job.simulations->collectives.of(key_of(job, choice), make);
}

RunTimes last_run_times(const Job& job, const Result& result) {
  const auto times = run_times(result, at(job.calls - 1));
  if (!times) reject("calls: simulations of {} do not say when each node begins; use 1", job.machine.name);
  return *times;
}

std::int64_t simulated(const ClaimJob& job, const Choice& choice) {
  const Result result = good_simulation(job, choice);
  if (job.calls > 1) return last_run_times(job, result).from_first_start.most.value();
  return result.cycles ? result.cycles->value() : nearest_ticks(result.seconds, kPicoseconds).value();
}

std::int64_t modelled(const Job& job, const Choice& choice) {
  const auto model = studies_of(job.machine).model;
  if (model == nullptr) reject("{} is a {}, whose times no model says", job.machine.name, family_name(job.machine));
  return model(job, expand_in_lanes(make_schedule(job, *choice.algorithm, choice.parameters))).value();
}

Machine shaped(const Machine& machine, const std::optional<ClaimShape>& shape) {
  if (!shape) return machine;
  if (shape->nodes > 0) return with_nodes(machine, shape->nodes);
  if (!machine.family().takes("--grid")) return with_grid(machine, shape->width, shape->height);  // says why not
  FlagTexts flags;
  flags.add("--grid", fmt::format("{}x{}", shape->width, shape->height));
  return machine.family().shaped(machine, flags);
}

/// The options of the machine's family, as its flags would set them.
Options options_of(const Machine& machine, const std::vector<std::pair<std::string, std::string>>& given) {
  FlagTexts flags;
  for (const auto& [name, value] : given) {
    const std::string flag = "--" + name;
    if (!machine.family().takes(flag)) reject("option '{}' is not one of a {}", name, family_name(machine));
    flags.add(flag, value);
  }
  return machine.family().options(machine, flags);
}

std::string shape_text_of(const ClaimSize& size) {
  return size.shape ? fmt::format("{}, {}x{}", size.shape->nodes, size.shape->width, size.shape->height) : "";
}

ClaimJob job_on(const Machine& machine, const Claim& claim, const ClaimSize& size, const Overrides& overrides,
                const std::vector<std::pair<std::string, std::string>>& options) {
  ClaimJob job{{.machine = shaped(machine, size.shape), .collective = claim.collective, .count = size.count}};
  job.arithmetic.type = claim.type;
  job.calls = claim.calls;
  if (!options.empty()) job.options = options_of(job.machine, options);
  job.setting = fmt::format("{}|{}|{}|{}", machine.name, text_of(overrides), shape_text_of(size), text_of(options));
  job.simulations = claim.simulations;
  return job;
}

}  // namespace

std::vector<ClaimSize> sizes_of(const Claim& claim, const std::vector<Machine>& machines) {
  std::vector<ClaimSize> sizes;
  const std::size_t own = has_other_machines(claim) ? machines.size() / 2 : machines.size();
  for (std::size_t m = 0; m < own; ++m) {
    const Machine* const machine = &machines[m];
    const Machine* const other = own < machines.size() ? &machines[own + m] : machine;
    std::vector<std::optional<ClaimShape>> shapes(claim.shapes.begin(), claim.shapes.end());
    if (shapes.empty()) shapes.emplace_back();
    for (const auto& shape : shapes) {
      for (const std::int64_t count : claim.counts) sizes.push_back({machine, other, shape, count});
    }
  }
  return sizes;
}

ClaimJob job_at(const Claim& claim, const ClaimSize& size) {
  return job_on(*size.machine, claim, size, claim.setting.overrides, claim.setting.options);
}

ClaimJob other_job_at(const Claim& claim, const ClaimSize& size) {
  std::vector<std::pair<std::string, std::string>> options = claim.other_setting.options;
  for (const auto& given : claim.setting.options) {
    const auto has_name = [&](const auto& option) { return option.first == given.first; };
    if (std::none_of(options.begin(), options.end(), has_name)) options.push_back(given);
  }
  const bool is_own = size.other_machine == size.machine;
  return job_on(*size.other_machine, claim, size, is_own ? claim.setting.overrides : other_overrides(claim), options);
}

std::int64_t time_of(const ClaimJob& job, const std::string& algorithm, const Parameters& parameters, Basis by) {
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

RunTimes run_times_of(const ClaimJob& job, const std::string& algorithm, const Parameters& parameters) {
  const Choice choice = choose_with_defaults(job, algorithm, parameters);
  return last_run_times(job, good_simulation(job, choice));
}

Winner winner_of(const ClaimJob& job, const std::vector<std::string>& among, Basis by) {
  Winner best;
  for (const std::string& name : among) {
    const std::int64_t time = time_of(job, name, {}, by);
    if (best.algorithm.empty() || time < best.time) best = {name, time};
  }
  return best;
}

int colors_of(const ClaimJob& job, const std::string& algorithm) {
  const Choice choice = choose_with_defaults(job, algorithm, {});
  const Schedule flat = expand_in_lanes(make_schedule(job, *choice.algorithm, choice.parameters));
  const auto program = lower_for(job, flat);
  if (!program) reject("{}: {}", algorithm, program.reason());
  std::set<int> colors;
  for (NodeId node = 0; node < node_count(job.machine); ++node) {
    for (const int color : program.value()->channels_sent(node)) colors.insert(color);
  }
  return static_cast<int>(colors.size());
}

double utilization_of(const ClaimJob& job, const std::string& algorithm, const Parameters& parameters) {
  return 100 * good_simulation(job, choose_with_defaults(job, algorithm, parameters)).utilization;
}

double part_of(const ClaimJob& job, const Claim& claim) {
  const Result result = good_simulation(job, choose_with_defaults(job, claim.algorithm, claim.parameters));
  std::vector<std::string> names;
  for (const TimePart& part : result.parts) {
    if (part.name == claim.part) return part.seconds.value() * 1e6;
    names.push_back(part.name);
  }
  reject("a simulation on {} has no part '{}'; {}", job.machine.name, claim.part, suggest(claim.part, names));
}

std::vector<double> hops_of(const ClaimJob& job, const Claim& claim) {
  const Choice choice = choose_with_defaults(job, claim.algorithm, claim.parameters);
  const Schedule flat = expand_in_lanes(make_schedule(job, *choice.algorithm, choice.parameters));
  std::vector<std::vector<double>> of_rank(static_cast<std::size_t>(rank_count(job.machine)));
  for (const Stream& stream : flat.streams) {
    const auto sinks = flat.sinks_of(stream);
    if (sinks.size() != 1) reject("{} sends a message to several ranks, and hops are of one path", claim.algorithm);
    const std::int64_t hops = stream.route == kDefaultRoute
                                  ? default_hops(job.machine, stream.source, sinks.front())
                                  : std::ssize(flat.routes[static_cast<std::size_t>(stream.route)]);
    if (stream.source < rank_count(job.machine)) {
      of_rank[static_cast<std::size_t>(stream.source)].push_back(static_cast<double>(hops));
    }
  }
  if (claim.rank) {
    if (*claim.rank >= rank_count(job.machine)) reject("there is no rank {}", *claim.rank);
    return of_rank[static_cast<std::size_t>(*claim.rank)];
  }
  std::vector<double> hops;
  for (std::size_t k = 0; k < of_rank.front().size(); ++k) {
    std::vector<Labelled> all;
    for (const std::vector<double>& own : of_rank) {
      if (k < own.size()) all.push_back({"", {own[k], ""}});
    }
    const Extreme found = extreme_of(claim.take, all);
    hops.push_back(found.mean.value_or(found.value));
  }
  return hops;
}

Speedup training_speedup_of(const Claim& claim, const Machine& machine, const training::Workload& workload) {
  const auto make = [&] {
    return training::train({.machine = machine, .workload = workload, .faster = claim.faster, .batch = claim.batch});
  };
  const std::string key = fmt::format("{}|{}|{}|{}|{}", machine.name, text_of(claim.setting.overrides), claim.workload,
                                      claim.faster, claim.batch);
  const TrainingAnswer answer = claim.simulations == nullptr ? make() : claim.simulations->training.of(key, make);
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
                           const std::function<Found(const ClaimJob&)>& at_size) {
  std::vector<Labelled> all;
  for (const ClaimSize& size : sizes_of(claim, machines)) {
    all.push_back({size_text(size), at_size(job_at(claim, size))});
  }
  return extreme_of(claim.take, all);
}

Extreme extreme_over_pairs(const Claim& claim, const std::vector<Machine>& machines,
                           const std::function<Found(const ClaimJob&, const ClaimJob&)>& at_size) {
  std::vector<Labelled> all;
  for (const ClaimSize& size : sizes_of(claim, machines)) {
    all.push_back({size_text(size), at_size(job_at(claim, size), other_job_at(claim, size))});
  }
  return extreme_of(claim.take, all);
}

}  // namespace muster

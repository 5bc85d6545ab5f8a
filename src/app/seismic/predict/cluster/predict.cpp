#include "app/seismic/predict/predict.h"

#include <algorithm>
#include <array>
#include <set>

#include "app/seismic/communication.h"
#include "app/seismic/decomposition.h"
#include "app/seismic/predict/cluster/exchange_schedule.h"
#include "app/seismic/propagators.h"
#include "backend/capabilities.h"
#include "base/error.h"
#include "machine/family.h"
#include "machine/routing.h"
#include "plan/plan.h"
#include "schedule/phase.h"

namespace muster::seismic {
namespace {

constexpr std::size_t kMostDimensions = 6;

const Cluster& cluster_of(const Machine& machine) {
  const Cluster* const cluster = as<Cluster>(machine);
  if (cluster == nullptr) reject_family(machine, "seismic plan --predict", std::array<std::string_view, 1>{"cluster"});
  if (cluster->dimensions.size() > kMostDimensions) {
    reject("--predict: {} has {} dimensions, and at most {} are supported", machine.name, cluster->dimensions.size(),
           kMostDimensions);
  }
  return *cluster;
}

/// The exchanges of a step, each with the most that a process sends over a side of each axis.
std::vector<HaloWords> halos_of(const Shot& shot, const Decomposition& decomposition) {
  const Description equation = describe_propagator(shot.propagator);
  const PerAxis<int>& counts = decomposition.counts();
  std::vector<HaloWords> halos;
  for (int process = 0; process < counts.x * counts.y * counts.z; ++process) {
    const std::vector<SideTraffic> exchanges =
        exchanges_of(equation, shot.grid, decomposition.part(process), shot.is_double ? sizeof(double) : sizeof(float));
    halos.resize(std::max(halos.size(), exchanges.size()));
    for (std::size_t i = 0; i < exchanges.size(); ++i) {
      for (const Axis axis : kAxes) {
        for (const Traffic& side : exchanges[i][axis]) {
          halos[i][axis] = std::max(halos[i][axis], side.bytes / static_cast<std::int64_t>(sizeof(Word)));
        }
      }
    }
  }
  return halos;
}

Seconds time_of(const Schedule& schedule, const Machine& machine) {
  const auto program = lowering_for(machine).lower(schedule, machine, {});
  if (!program) reject("--predict: {}", program.reason());
  const SimulateOptions options;
  return simulator_for(machine, options).simulate(*program.value(), options).seconds;
}

/// Every pair's swap keeps its contract; pairs have no element in common (exchange_schedule.h).
void prove(const Schedule& schedule, const Cluster& cluster) {
  Cluster pair = cluster;
  pair.dimensions = {cluster.dimensions.front()};
  pair.dimensions.front().kind = Cluster::Kind::fully_connected;
  pair.dimensions.front().size = 2;
  pair.dimensions.front().reduces = false;
  const Machine two{.name = "pair", .summary = "two NPUs", .network = pair};
  for (const Schedule& part : schedule.parts) {
    const Verdict verdict = verify(part, two);
    MUSTER_ASSERT(verdict.verified(), "an exchange of halos is wrong: {}", verdict.counterexample->message);
  }
}

std::string in_words(const Placement& placement) {
  std::string text;
  for (std::size_t d = 0; d < placement.axes().size(); ++d) {
    text += fmt::format("{}dimension {} along {}", d == 0 ? "" : ", ", d + 1, "xyz"[index_of(placement.axes()[d])]);
  }
  return text;
}

bool wraps(const GridOptions& grid, const PerAxis<int>& counts) {
  return std::ranges::any_of(kAxes,
                             [&](Axis axis) { return grid.sides[axis].low == Boundary::periodic && counts[axis] > 1; });
}

/// With the exchanges of the best placement.
std::optional<CommunicationPrediction> best_exchange(const Shot& shot, const Machine& machine, const Cluster& cluster) {
  std::optional<CommunicationPrediction> best;
  std::vector<Schedule> best_schedules;
  for (const Placement& placement : placements(cluster)) {
    std::optional<Decomposition> decomposition;
    try {
      decomposition.emplace(shot.grid, placement.counts());
    } catch (const InputError&) {
      continue;  // parts would be too thin
    }
    if (wraps(shot.grid, placement.counts())) continue;
    CommunicationPrediction found;
    std::vector<Schedule> schedules;
    for (const HaloWords& words : halos_of(shot, *decomposition)) {
      schedules.push_back(exchange_schedule(cluster, placement, words));
      found.exchanges.push_back(time_of(schedules.back(), machine));
      found.exchange += found.exchanges.back();
    }
    if (best && found.exchange >= best->exchange) continue;
    const PerAxis<int>& counts = placement.counts();
    found.processes = {counts.x, counts.y, counts.z};
    found.placement = in_words(placement);
    best = std::move(found);
    best_schedules = std::move(schedules);
  }
  for (const Schedule& schedule : best_schedules) prove(schedule, cluster);
  return best;
}

void add_traffic(const Shot& shot, CommunicationPrediction& prediction) {
  const Description equation = describe_propagator(shot.propagator);
  const PerAxis<int> counts{prediction.processes[0], prediction.processes[1], prediction.processes[2]};
  const Decomposition decomposition(shot.grid, counts);
  for (int process = 0; process < prediction.ranks; ++process) {
    const Traffic sent = sum_of(exchanges_of(equation, shot.grid, decomposition.part(process),
                                             shot.is_double ? sizeof(double) : sizeof(float)));
    prediction.sent += Bytes(sent.bytes);
    prediction.messages += sent.messages;
  }
}

}  // namespace

CommunicationPrediction predict(const Shot& shot, const Machine& machine) {
  const Cluster& cluster = cluster_of(machine);
  std::optional<CommunicationPrediction> prediction = best_exchange(shot, machine, cluster);
  const NodeId ranks = rank_count(machine);
  if (!prediction) {
    reject(
        "--predict: {} NPUs of {} cannot share {}x{}x{} cells: parts would be thinner than {} cells, or periodic sides "
        "would be cut; use a larger grid or fewer NPUs",
        ranks, machine.name, shot.grid.extent.x, shot.grid.extent.y, shot.grid.extent.z, shot.grid.order / 2 + 1);
  }
  prediction->machine = machine.name;
  prediction->ranks = ranks;
  add_traffic(shot, *prediction);
  // A number of 64 bits per process, every time that the energy is asked for.
  Job job{.machine = machine, .collective = Collective::allreduce, .count = 2, .arithmetic = {}};
  check_job(job);
  const Choice choice = choose_best(job);
  prediction->sum_algorithm = choice.algorithm->name;
  prediction->sum = simulate(job, choice).result.seconds;
  return *prediction;
}

}  // namespace muster::seismic

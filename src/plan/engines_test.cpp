// Every registered algorithm, with no further code: the two engines give the same cycle for every processor, the same
// traffic and the same data.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "collective/algorithm.h"
#include "machine/mesh.h"
#include "plan/job.h"
#include "plan/plan_test_support.h"
#include "plan/stages.h"
#include "schedule/phase.h"

namespace muster {
namespace {

struct Compared {
  std::string difference;
  std::string note;  ///< why the stream engine was not used
};

/// Nothing if the machine's budgets are too small for the algorithm.
std::optional<Compared> compare(const Job& job, const Algorithm& algorithm) {
  const Choice choice = choose_with_defaults(job, algorithm.name, {});
  const auto program = lower_for(job, expand(make_schedule(job, algorithm, choice.parameters)));
  if (!program) return {};
  const auto simulated_by = [&](Engine engine) {
    const SimulateOptions options{.calls = job.calls, .engine = engine};
    return simulator_for(job.machine, options).simulate(*program.value(), options);
  };
  const Result cycle = simulated_by(Engine::cycle);
  const Result stream = simulated_by(Engine::stream);
  Compared compared{.note = stream.note};
  if (cycle.fault || stream.fault) compared.difference = "a fault";
  if (cycle.call_cycles != stream.call_cycles) compared.difference = "ends of calls";
  if (cycle.node_times != stream.node_times) compared.difference = "times of processors";
  if (cycle.hops != stream.hops) compared.difference = "hops";
  if (cycle.outputs != stream.outputs) compared.difference = "outputs";
  return compared;
}

std::string text(const Job& job, const Algorithm& algorithm) {
  const Mesh& mesh = *as<Mesh>(job.machine);
  return fmt::format("{} {} of {} on {}x{}, root {}, buffer {}, queue {}, ramp {}, {}, start {}, gap {}, {} calls",
                     collective_name(algorithm.collective), algorithm.name, job.count, mesh.width, mesh.height,
                     job.root, mesh.router_buffer, mesh.ramp_queue, mesh.ramp_latency.value(),
                     arbitration_name(mesh.arbitration), mesh.operation_start.value(), mesh.receive_gap.value(),
                     job.calls);
}

Job any_job(const Algorithm& algorithm) {
  const bool line = *rc::gen::inRange(0, 3) > 0;
  const std::int32_t width = *rc::gen::inRange(1, line ? 40 : 8), height = line ? 1 : *rc::gen::inRange(2, 7);
  Job job = wafer_job(algorithm.collective, width, height, *rc::gen::inRange(1, 80));
  if (has_root(algorithm.collective)) job.root = *rc::gen::inRange(0, width * height);
  job.calls = *rc::gen::inRange(1, 5);
  return sized_for(job, algorithm.collective);
}

RC_GTEST_PROP(EveryAlgorithm, TakesTheSameCyclesByBothEngines, ()) {
  const Algorithm algorithm = *rc::gen::elementOf(algorithms_of("mesh"));
  Job job = any_job(algorithm);
  Mesh& mesh = *as<Mesh>(job.machine);
  mesh.router_buffer = *rc::gen::inRange(1, 6);
  mesh.ramp_queue = *rc::gen::inRange(1, 4);
  mesh.ramp_latency = Cycles(*rc::gen::inRange(1, 8));
  if (*rc::gen::inRange(0, 4) == 0) {  // the stream engine hands such machines over
    mesh.operation_start = Cycles(*rc::gen::element<std::int64_t>(0, 1, 7, 40));
    mesh.receive_gap = Cycles(*rc::gen::element<std::int64_t>(0, 1, 5, 25));
    mesh.arbitration =
        *rc::gen::element(Arbitration::lowest_color, Arbitration::highest_color, Arbitration::round_robin);
  }
  RC_PRE(!algorithm.unsupported(request_of(job)));
  const auto compared = compare(job, algorithm);
  RC_PRE(compared.has_value());
  RC_LOG() << text(job, algorithm) << "\n";
  RC_ASSERT(compared->difference == "");
}

/// Rows, columns and X then Y; not split reduces and not the collectives on blocks, whose streams share links.
bool is_paper_like(const Algorithm& algorithm) {
  const Collective collective = algorithm.collective;
  const bool whole_vectors =
      collective == Collective::reduce || collective == Collective::broadcast || collective == Collective::allreduce;
  return algorithm.family == "mesh" && whole_vectors && !algorithm.name.starts_with("split-");
}

TEST(EveryAlgorithm, OfRowsAndOfXThenYNeedsNoCycleEngineOnTheIdealMachine) {
  int runs = 0;
  for (const Algorithm& algorithm : algorithms_of("mesh")) {
    if (!is_paper_like(algorithm)) continue;
    for (const auto& [width, height] : {std::pair{2, 1}, {13, 1}, {64, 1}, {1, 9}, {5, 7}, {13, 4}, {16, 16}}) {
      for (const std::int64_t count : {1, 7, 64, 300}) {
        for (const NodeId root : {0, width * height / 2}) {
          if (root > 0 && !has_root(algorithm.collective)) continue;
          Job job = wafer_job(algorithm.collective, width, height, count, root);
          job.calls = count == 7 || count == 64 ? 3 : 1;
          if (algorithm.unsupported(request_of(job))) continue;
          const auto compared = compare(job, algorithm);
          if (!compared) continue;
          ++runs;
          EXPECT_EQ(compared->difference, "") << text(job, algorithm);
          EXPECT_EQ(compared->note, "") << text(job, algorithm);
        }
      }
    }
  }
  EXPECT_GT(runs, 500);
}

}  // namespace
}  // namespace muster

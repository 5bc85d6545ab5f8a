// Every registered algorithm, with no further code: the two engines give the same cycle for every processor, the same
// traffic and the same data.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "collective/algorithm.h"
#include "machine/mesh.h"
#include "plan/candidates.h"
#include "plan/job.h"
#include "plan/plan_test_support.h"
#include "plan/stages.h"

namespace muster {
namespace {

struct Compared {
  std::string difference;
  std::string note;            ///< why the stream engine was not used
  bool by_parts = false;       ///< the stream engine put the times of the parts together
  bool ends_by_parts = false;  ///< the same where only ends are asked for
};

/// Of the first processor that differs.
std::string difference_of_times(const Result& cycle, const Result& stream) {
  for (std::size_t call = 0; call < cycle.node_times.size(); ++call) {
    for (std::size_t node = 0; node < cycle.node_times[call].size(); ++node) {
      const NodeTimes& expected = cycle.node_times[call][node];
      const NodeTimes& actual = stream.node_times.at(call).at(node);
      if (expected == actual) continue;
      return fmt::format("call {}, PE {}: has stored all at {}, not {}; has finished at {}, not {}", call, node,
                         actual.owed.value(), expected.owed.value(), actual.finished.value(),
                         expected.finished.value());
    }
  }
  return "numbers of processors or calls";
}

/// Nothing if the machine's budgets are too small for the algorithm.
std::optional<Compared> compare(const Job& job, const Algorithm& algorithm, const Parameters& given = {}) {
  const Choice choice = choose_with_defaults(job, algorithm.name, given);
  const auto program = lower_for(job, make_schedule(job, algorithm, choice.parameters));
  if (!program) return {};
  const auto simulated_by = [&](Engine engine) {
    SimulateOptions options{.calls = job.calls, .engine = engine};
    const Simulator& simulator = simulator_for(job.machine, options);
    if (engine == Engine::automatic) options.engine = Engine::stream;  // not the quicker of both
    return simulator.simulate(*program.value(), options);
  };
  const Result cycle = simulated_by(Engine::cycle);
  const Result stream = simulated_by(Engine::automatic);
  Compared compared{.note = stream.note};
  if (cycle.fault || stream.fault) compared.difference = "a fault";
  if (cycle.call_cycles != stream.call_cycles) compared.difference = "ends of calls";
  if (cycle.node_times != stream.node_times) compared.difference = difference_of_times(cycle, stream);
  if (cycle.hops != stream.hops) compared.difference = "hops";
  if (!stream.outputs.empty() && cycle.outputs != stream.outputs) compared.difference = "outputs";
  compared.by_parts = stream.outputs.empty();
  if (stream.engine != "stream") return compared;
  SimulateOptions ends{.calls = job.calls, .engine = Engine::stream, .ends_only = true};
  const Result result = simulator_for(job.machine, ends).simulate(*program.value(), ends);
  if (result.call_cycles != cycle.call_cycles || result.hops != cycle.hops) compared.difference = "ends only";
  compared.ends_by_parts = result.outputs.empty();
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

/// Rows of larger grids do the same things at the same times, more or less: the stream engine uses that.
RC_GTEST_PROP(EveryAlgorithm, TakesTheSameCyclesByBothEnginesOnLargerGrids, ()) {
  const Algorithm algorithm = *rc::gen::elementOf(algorithms_of("mesh"));
  const std::int32_t width = *rc::gen::inRange(8, 25), height = *rc::gen::inRange(8, 25);
  Job job = wafer_job(algorithm.collective, width, height, *rc::gen::inRange(1, 200));
  if (has_root(algorithm.collective) && *rc::gen::arbitrary<bool>()) job.root = *rc::gen::inRange(0, width * height);
  job.calls = *rc::gen::inRange(1, 3);
  job = sized_for(job, algorithm.collective);
  Mesh& mesh = *as<Mesh>(job.machine);
  mesh.router_buffer = *rc::gen::inRange(1, 6);
  mesh.ramp_queue = *rc::gen::inRange(1, 4);
  RC_PRE(!algorithm.unsupported(request_of(job)));
  const auto compared = compare(job, algorithm);
  RC_PRE(compared.has_value());
  RC_LOG() << text(job, algorithm) << "\n";
  RC_ASSERT(compared->difference == "");
}

bool has_phases(const Algorithm& algorithm) {
  const bool is_alike = treats_elements_alike(algorithm.collective);
  return is_alike && (algorithm.name.starts_with("xy-") || algorithm.name.starts_with("x-then-y-"));
}

/// Grids that are not simulated as a whole: the times of rows and columns are put together.
RC_GTEST_PROP(EveryAlgorithm, TakesTheSameCyclesByPartsAndAsAWhole, ()) {
  std::vector<Algorithm> algorithms = algorithms_of("mesh");
  std::erase_if(algorithms, [](const Algorithm& algorithm) { return !has_phases(algorithm); });
  const Algorithm algorithm = *rc::gen::elementOf(algorithms);
  const std::int32_t width = *rc::gen::inRange(26, 60);
  const std::int32_t height = 1040 / width + *rc::gen::inRange(1, 8);
  Job job = wafer_job(algorithm.collective, width, height, *rc::gen::inRange(1, 120));
  if (has_root(algorithm.collective)) job.root = *rc::gen::inRange(0, width * height);
  const bool is_ideal = *rc::gen::arbitrary<bool>();
  Mesh& mesh = *as<Mesh>(job.machine);
  if (!is_ideal) {
    mesh.router_buffer = *rc::gen::inRange(1, 6);
    mesh.ramp_queue = *rc::gen::inRange(1, 4);
    mesh.ramp_latency = Cycles(*rc::gen::inRange(1, 8));
  }
  RC_PRE(!algorithm.unsupported(request_of(job)));
  const auto compared = compare(job, algorithm);
  RC_PRE(compared.has_value());
  RC_LOG() << text(job, algorithm) << "\n";
  RC_ASSERT(compared->difference == "");
  RC_ASSERT(compared->by_parts || !is_ideal);
}

/// Grids whose rows begin with long chains: they are simulated without most of them.
RC_GTEST_PROP(SplitChains, TakeTheSameCyclesWithoutRelaysAndAsAWhole, ()) {
  const auto collective = *rc::gen::element(Collective::reduce, Collective::allreduce);
  const std::string columns = *rc::gen::element("", "-trees");
  const std::string name = "split-chain" + columns + (collective == Collective::reduce ? "" : "-flood");
  const Algorithm& algorithm = find_algorithm(collective, "mesh", name);
  const std::int32_t width = *rc::gen::inRange(40, 110);
  const std::int32_t height = 1040 / width + *rc::gen::inRange(1, 8);
  Job job = wafer_job(collective, width, height, *rc::gen::inRange(16, 400));
  const bool is_at_corner = *rc::gen::arbitrary<bool>();
  if (collective == Collective::reduce) {
    const NodeId nodes = width * height;
    job.root = is_at_corner ? *rc::gen::element(0, width - 1, nodes - width, nodes - 1) : *rc::gen::inRange(0, nodes);
  }
  Mesh& mesh = *as<Mesh>(job.machine);
  mesh.router_buffer = *rc::gen::inRange(2, 6);
  mesh.ramp_queue = *rc::gen::inRange(2, 4);
  mesh.ramp_latency = Cycles(*rc::gen::inRange(1, 8));
  mesh.hop_latency = Cycles(*rc::gen::inRange(1, 3));
  const auto compared = compare(job, algorithm);
  RC_PRE(compared.has_value());
  RC_TAG(compared->by_parts);
  RC_LOG() << text(job, algorithm) << "\n";
  RC_ASSERT(compared->difference == "");
}

/// Columns work while rows still deal: phases that meet are joined.
RC_GTEST_PROP(DealtReduces, TakeTheSameCyclesByPhasesAndAsAWhole, ()) {
  const auto collective = *rc::gen::element(Collective::reduce, Collective::allreduce);
  const std::string name = collective == Collective::reduce ? "deal-best-tree" : "deal-best-tree-flood";
  const Algorithm& algorithm = find_algorithm(collective, "mesh", name);
  const std::int32_t width = *rc::gen::inRange(20, 110);
  const std::int32_t height = 1040 / width + *rc::gen::inRange(1, 8);
  Job job = wafer_job(collective, width, height, *rc::gen::inRange(1, 400));
  if (collective == Collective::reduce && *rc::gen::arbitrary<bool>()) job.root = *rc::gen::inRange(0, width * height);
  const bool is_ideal = *rc::gen::arbitrary<bool>();
  Mesh& mesh = *as<Mesh>(job.machine);
  if (!is_ideal) {
    mesh.router_buffer = *rc::gen::inRange(2, 6);
    mesh.ramp_queue = *rc::gen::inRange(2, 4);
    mesh.ramp_latency = Cycles(*rc::gen::inRange(1, 8));
    mesh.hop_latency = Cycles(*rc::gen::inRange(1, 3));
  }
  const ParameterSpec& parts = algorithm.parameters.front();
  const std::int64_t most = parts.most(request_of(job));
  const auto compared = compare(job, algorithm, {{parts.name, *rc::gen::inRange(std::int64_t{1}, most + 1)}});
  RC_PRE(compared.has_value());
  RC_TAG(compared->by_parts);
  RC_LOG() << text(job, algorithm) << "\n";
  RC_ASSERT(compared->difference == "");
}

TEST(SplitChains, AreSimulatedWithoutRelays) {
  for (const std::string name : {"split-chain", "split-chain-trees"}) {
    const Algorithm& algorithm = find_algorithm(Collective::reduce, "mesh", name);
    const auto compared = compare(wafer_job(Collective::reduce, 80, 20, 300), algorithm);
    ASSERT_TRUE(compared.has_value());
    EXPECT_EQ(compared->difference, "") << name;
    EXPECT_TRUE(compared->ends_by_parts) << name;
  }
}

TEST(DealtReduces, AreSimulatedByPhases) {
  for (const std::int64_t count : {16, 256, 1024}) {
    const Algorithm& algorithm = find_algorithm(Collective::reduce, "mesh", "deal-best-tree");
    const auto compared = compare(wafer_job(Collective::reduce, 64, 64, count), algorithm);
    ASSERT_TRUE(compared.has_value());
    EXPECT_EQ(compared->difference, "") << count;
    EXPECT_TRUE(compared->by_parts) << count;
  }
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

/// Without the data, nothing changes but what is compared.
RC_GTEST_PROP(TimesOnly, AreThoseOfTheSimulationWithData, ()) {
  const auto width = *rc::gen::inRange(1, 40), height = *rc::gen::inRange(1, 34);
  const Job job = wafer_job(Collective::allreduce, width, height, *rc::gen::inRange(1, 200));
  const std::vector<Candidate> offered = candidates_for(request_of(job)).offered;
  const Choice& choice = (*rc::gen::elementOf(offered)).choice;
  const Schedule schedule = make_schedule(job, *choice.algorithm, choice.parameters);
  RunOptions options = within_budget(job, choice.algorithm->name);
  options.transit_budget = 100'000;
  const auto whole = run_stages(job, schedule, options);
  options.times_only = true;
  const auto times = run_stages(job, schedule, options);
  RC_ASSERT(static_cast<bool>(whole) == static_cast<bool>(times));
  if (!whole || !whole.value().result) return;
  RC_ASSERT(times.value().result->cycles == whole.value().result->cycles);
  RC_ASSERT(times.value().result->node_times == whole.value().result->node_times);
  RC_ASSERT(times.value().correct() && times.value().effort == whole.value().effort);
  RC_ASSERT(times.value().elements == 0 || times.value().result->engine == "cycle");
}

}  // namespace
}  // namespace muster

// Every algorithm of a torus through the whole pipeline: proven, lowered, run flit by flit with its data, and never below a bound.
#include "machine/torus.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "collective/algorithms.h"
#include "plan/job.h"
#include "plan/plan_test_support.h"
#include "plan/stages.h"

namespace muster {
namespace {

Machine wormhole(std::int64_t tiles) { return with_workers(shipped_machine("wormhole-n150"), tiles); }

std::int64_t simulated(const Job& job, const std::string& algorithm, const Parameters& given = {}) {
  const SimulationAnswer answer = simulate(job, choose_with_defaults(job, algorithm, given));
  EXPECT_TRUE(answer.result_correct) << algorithm << ": " << answer.difference;
  return answer.result.cycles ? answer.result.cycles->value() : -1;
}

Job allreduce_of(const Machine& machine, std::int64_t bytes, TorusOptions options = {}) {
  Job job;
  job.machine = machine;
  job.collective = Collective::allreduce;
  job.arithmetic = {ElementType::bf16, Operator::sum};
  job.count = bytes / 2;
  job.options = options;
  return job;
}

RC_GTEST_PROP(TorusPrograms, ComputeWhatTheirSchedulesSay, ()) {
  const std::vector<Algorithm> all = algorithms_of("torus");
  const Algorithm& algorithm = all[*rc::gen::inRange<std::size_t>(0, all.size())];
  Job job;
  job.machine = wormhole(*rc::gen::inRange(1, 20));
  job.collective = algorithm.collective;
  const std::int64_t ranks = rank_count(*as<Torus>(job.machine));
  job.arithmetic.type = *rc::gen::element(ElementType::bf16, ElementType::f32, ElementType::i32);
  job.arithmetic.op = *rc::gen::element(Operator::sum, Operator::max, Operator::min);
  job.count = job.collective == Collective::barrier ? 1 : *rc::gen::inRange<std::int64_t>(1, 6000);
  if (job.collective == Collective::all_to_all) job.count *= ranks;
  job.root = static_cast<NodeId>(*rc::gen::inRange<std::int64_t>(0, ranks));
  job.options = TorusOptions{.swapped = *rc::gen::arbitrary<bool>(), .handshake = *rc::gen::arbitrary<bool>()};
  job.calls = *rc::gen::inRange(1, 5);
  const Request request = request_of(job);
  RC_PRE(!algorithm.unsupported(request));
  Parameters given;
  for (const ParameterSpec& spec : algorithm.parameters) {
    given[spec.name] = *rc::gen::inRange(spec.least(request), spec.most(request) + 1);
  }
  const Schedule schedule = make_schedule(job, algorithm, complete_parameters(algorithm, request, given));
  const auto program =
      lowering_for(job.machine)
          .lower(expand(schedule), job.machine, {.arithmetic = job.arithmetic, .options = job.options});
  if (!program) {  // no order in one vector's memory: said, not wrong
    RC_ASSERT(program.reason().find("memory: ") == 0);
    return;
  }
  const SimulateOptions options = simulate_options(job);
  const Result result = simulator_for(job.machine, options).simulate(*program.value(), options);
  if (result.fault) RC_FAIL(result.fault->message);
  for (int call = 0; call < job.calls; ++call) {
    const Outputs expected = interpret(schedule, job.arithmetic, job.seed + static_cast<std::uint64_t>(call));
    const Comparison comparison = compare_outputs(schedule, expected, result.outputs.at(at(call)), job.arithmetic);
    if (comparison.difference) RC_FAIL(fmt::format("{}, call {}: {}", algorithm.name, call, *comparison.difference));
  }
  for (const BoundAnswer& bound : bounds_of(job)) RC_ASSERT(*result.cycles >= *bound.cycles);
}

TEST(TorusPrograms, AreTheSameEveryTime) {
  const Job job = allreduce_of(wormhole(24), 24 << 10);
  EXPECT_EQ(simulated(job, "multiport-swing"), simulated(job, "multiport-swing"));
}

TEST(TorusPrograms, TakeLongerTheLongWayRoundAndWithHandshakes) {
  const Machine machine = wormhole(16);
  const std::int64_t direct = simulated(allreduce_of(machine, 32 << 10), "swing");
  EXPECT_GT(simulated(allreduce_of(machine, 32 << 10, {.swapped = true}), "swing"), direct * 3 / 2);
  EXPECT_GT(simulated(allreduce_of(machine, 32 << 10, {.handshake = true}), "swing"), direct);
}

/// The best of the thesis's versions, with its synchronisation and the NoCs bound the right way, against ours.
TEST(TorusPrograms, BeatTheThesis) {
  const Machine machine = wormhole(64);
  for (const std::int64_t bytes : {2 << 10, 128 << 10}) {
    std::int64_t theirs = std::numeric_limits<std::int64_t>::max();
    for (const char* const name : {"swing", "recursive-doubling"}) {
      const Job job = allreduce_of(machine, bytes, {.handshake = true});
      theirs = std::min(theirs, simulated(job, name, {{"steps", 1}}));
      if (bytes < 4096) theirs = std::min(theirs, simulated(job, std::string(name) + "-latency", {{"steps", 1}}));
    }
    const std::int64_t ours = simulated(allreduce_of(machine, bytes), "multiport-swing");
    EXPECT_GT(static_cast<double>(theirs), 1.3 * static_cast<double>(ours)) << bytes << " bytes";
  }
}

/// Where the memory holds one more vector only, cores ask before they send.
TEST(TorusPrograms, FitLargeVectors) {
  const Machine machine = wormhole(16);
  EXPECT_GT(simulated(allreduce_of(machine, 640 << 10), "swing-latency"), 0);
  EXPECT_GT(simulated(allreduce_of(machine, 640 << 10), "swing"), 0);
}

TEST(TorusPrograms, HaveACriticalPathThatAddsUp) {
  for (const char* const name : {"swing", "ring", "shared-memory", "multiport-swing-latency"}) {
    Job job = allreduce_of(wormhole(12), 12 << 10);
    job.timeline = true;
    const SimulationAnswer answer = simulate(job, choose_with_defaults(job, name, {}));
    ASSERT_TRUE(answer.result.timeline) << name;
    const Timeline& timeline = *answer.result.timeline;
    Ticks sum(0);
    for (const PathPart& part : timeline.path_parts) sum = sum + part.time;
    EXPECT_EQ(sum, *answer.result.cycles) << name;
    ASSERT_FALSE(timeline.path.empty()) << name;
    EXPECT_EQ(timeline.path.back().end, *answer.result.cycles) << name;
    for (std::size_t i = 1; i < timeline.path.size(); ++i) {
      EXPECT_GE(timeline.path[i].begin, timeline.path[i - 1].end) << name << ", line " << i;
    }
  }
}

SimulationAnswer calls_of(Job job, const std::string& algorithm, int calls) {
  job.calls = calls;
  SimulationAnswer answer = simulate(job, choose_with_defaults(job, algorithm, {}));
  EXPECT_TRUE(answer.result_correct) << algorithm << ": " << answer.difference;
  return answer;
}

TEST(TorusPrograms, BeginTheNextCallOnEveryCoreWhenItHasItsResult) {
  for (const bool handshake : {false, true}) {
    const Result result =
        calls_of(allreduce_of(wormhole(24), 24 << 10, {.handshake = handshake}), "swing-latency", 3).result;
    EXPECT_EQ(result.note, "");
    ASSERT_EQ(result.node_times.size(), 3U);
    for (std::size_t call = 1; call < 3; ++call) {
      bool overlaps = false;
      for (std::size_t node = 0; node < 24; ++node) {
        EXPECT_GT(*result.node_times[call][node].started, result.node_times[call - 1][node].finished);
        overlaps |= *result.node_times[call][node].started < result.call_cycles[call - 1];
      }
      EXPECT_TRUE(overlaps) << "call " << call;
    }
  }
}

TEST(TorusPrograms, SeparateCallsThatCouldOverwriteEachOther) {
  Job reduce = allreduce_of(wormhole(8), 8 << 10);
  reduce.collective = Collective::reduce;
  const Result separate = calls_of(reduce, "swing", 3).result;
  EXPECT_NE(separate.note.find("a tile may end before others have begun"), std::string::npos) << separate.note;
  EXPECT_EQ(separate.call_cycles[2].value(), 3 * separate.call_cycles[0].value());
  Job broadcast = reduce;
  broadcast.collective = Collective::broadcast;
  const auto times = calls_of(broadcast, "multicast", 2).result.node_times;
  for (const NodeTimes& before : times[0]) {
    for (const NodeTimes& next : times[1]) EXPECT_GE(*next.started, before.finished);
  }
  reduce.options = TorusOptions{.handshake = true};
  EXPECT_EQ(calls_of(reduce, "swing", 3).result.note, "");
  const Result large = calls_of(allreduce_of(wormhole(4), 256 << 10), "swing-latency", 2).result;
  EXPECT_NE(large.note.find("memory: "), std::string::npos) << large.note;
}

}  // namespace
}  // namespace muster

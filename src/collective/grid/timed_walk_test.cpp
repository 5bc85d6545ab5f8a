#include "collective/grid/timed_walk.h"

#include <gtest/gtest.h>

#include <array>

#include "collective/collective_test_support.h"
#include "collective/grid/best_tree.h"
#include "collective/grid/beyond_formulas.h"
#include "machine/mesh.h"
#include "schedule/builder.h"

namespace muster {
namespace {

struct Costs {
  std::int64_t start = 0;
  std::int64_t gap = 0;
  std::int32_t buffer = 2;
  std::int64_t interval = 1;
};

Request on_grid(std::int32_t width, std::int32_t height, std::int64_t count, Costs costs = {}) {
  Request request = reduce_request(width, height, count);
  Mesh& mesh = *as<Mesh>(request.machine);
  mesh.operation_start = Cycles(costs.start);
  mesh.receive_gap = Cycles(costs.gap);
  mesh.router_buffer = costs.buffer;
  mesh.receive_interval = Cycles(costs.interval);
  return request;
}

std::int64_t walked(Collective collective, const std::string& name, Request request) {
  request.collective = collective;
  const Algorithm& algorithm = find_algorithm(collective, "mesh", name);
  const Schedule schedule = algorithm.make(request, complete_parameters(algorithm, request, {}));
  return walked_cycles(schedule, *as<Mesh>(request.machine)).value().value();
}

/// B + (2 T_R + 2)(P - 1) - 1 and B (P - 1) + 2 T_R + 1, the times of docs/wafer.md.
TEST(TimedWalk, GivesTheTimesOfThePipeline) {
  EXPECT_EQ(walked(Collective::reduce, "chain", on_grid(5, 1, 10)), 10 + 6 * 4 - 1);
  EXPECT_EQ(walked(Collective::reduce, "star", on_grid(5, 1, 10)), 10 * 4 + 5);
  EXPECT_EQ(walked(Collective::broadcast, "flood", on_grid(5, 1, 10)), 10 + 4 + 4);
}

/// A star pays (P - 1) S + (P - 2) G, a chain and a flood only S.
TEST(TimedWalk, CountsStartUpsAndGaps) {
  const Costs costs{.start = 7, .gap = 9};
  EXPECT_EQ(walked(Collective::reduce, "chain", on_grid(5, 1, 10, costs)), 10 + 6 * 4 - 1 + 7);
  EXPECT_EQ(walked(Collective::reduce, "star", on_grid(5, 1, 10, costs)), 10 * 4 + 5 + 4 * 7 + 3 * 9);
  EXPECT_EQ(walked(Collective::broadcast, "flood", on_grid(5, 1, 10, costs)), 10 + 4 + 4 + 7);
}

/// A word every 13 cycles: 10 of a chain, of a star 40 through one port.
TEST(TimedWalk, CountsIntervalsBetweenWords) {
  const Costs costs{.interval = 13};
  EXPECT_EQ(walked(Collective::reduce, "chain", on_grid(5, 1, 10, costs)), 1 + 6 * 4 - 1 + 9 * 13);
  EXPECT_EQ(walked(Collective::reduce, "star", on_grid(5, 1, 10, costs)), 1 + 5 + 39 * 13);
  EXPECT_EQ(walked(Collective::broadcast, "flood", on_grid(5, 1, 10, costs)), 1 + 4 + 4 + 9 * 13);
}

/// Of a chain, the end comes later by what the far end does; what is ready before its words come changes nothing.
TEST(TimedWalk, BeginsOnEachNodeWhenToldTo) {
  const Request request = on_grid(5, 1, 10);
  const Algorithm& chain = find_algorithm(Collective::reduce, "mesh", "chain");
  const Schedule schedule = chain.make(request, {});
  const Mesh& mesh = *as<Mesh>(request.machine);
  const std::array<std::int64_t, 5> late_end{0, 0, 0, 0, 100}, late_root{12, 0, 0, 0, 0};
  EXPECT_EQ(walked_cycles(schedule, mesh, late_end).value(), walked_cycles(schedule, mesh).value() + Cycles(100));
  EXPECT_EQ(walked_cycles(schedule, mesh, late_root), walked_cycles(schedule, mesh));
}

TEST(TimedWalk, CountsTheSlowStreamsOfASingleBuffer) {
  const Costs single{.buffer = 1};
  EXPECT_EQ(walked(Collective::reduce, "chain", on_grid(5, 1, 10, single)), 10 + 6 * 4 - 1 + 9);
  EXPECT_EQ(walked(Collective::broadcast, "flood", on_grid(5, 1, 10, single)), 10 + 4 + 4 + 9);
  Request slow_hops = on_grid(5, 1, 10, single);
  as<Mesh>(slow_hops.machine)->hop_latency = Cycles(3);
  EXPECT_EQ(stream_spread(10, *as<Mesh>(slow_hops.machine)), 9 + 3);  // three of four cycles carry a word
}

/// Every PE stores all that passes it, but the farthest one owes what comes first.
TEST(TimedWalk, EndsWithTheLastWordThatIsOwed) {
  EXPECT_EQ(walked(Collective::scatter, "flood", on_grid(4, 1, 4)), 1 + 3 + 4);
}

/// An instruction has one destination: PE 1 stores the whole vector before it sends it on.
TEST(TimedWalk, CountsTwoPassesWhereAStepStoresAndPassesOn) {
  const Request request = on_grid(3, 1, 10);
  ScheduleBuilder b({.nodes = 3, .count = 10});
  const SpanId all = b.span({0, 10});
  const StreamId first = b.stream(0, 1, all), second = b.stream(1, 2, all);
  b.step(0, all).own(Buffer::input).store(Buffer::output).push(first);
  b.step(1, all).take(first).store(Buffer::output).push(second);
  b.step(2, all).take(second).store(Buffer::output);
  b.contract({.collective = Collective::broadcast, .ranks = {0, 1, 2}, .root = 0, .count = 10});
  EXPECT_EQ(walked_cycles(std::move(b).finish(), *as<Mesh>(request.machine)), Cycles(2 * (10 + 1 + 4)));
}

TEST(TimedWalk, CountsAStartUpForEveryPieceOfScatteredElements) {
  const Request request = on_grid(2, 1, 12, {.start = 50});
  ScheduleBuilder b({.nodes = 2, .count = 12});
  const std::vector<Range> apart{{8, 4}, {4, 4}, {0, 4}};
  const SpanId all = b.span(apart);
  const StreamId stream = b.stream(0, 1, all);
  b.step(0, all).own(Buffer::input).push(stream);
  b.step(1, all).take(stream).store(Buffer::output);
  b.contract({.collective = Collective::broadcast, .ranks = {0, 1}, .root = 0, .count = 12, .to = Buffer::output});
  EXPECT_EQ(walked_cycles(std::move(b).finish(), *as<Mesh>(request.machine)), Cycles(3 * 50 + 12 + 1 + 4));
}

TEST(TimedWalk, HasNoTimeForStepsThatWaitForEachOther) {
  const Request request = on_grid(2, 1, 100);
  ScheduleBuilder b({.nodes = 2, .count = 100});
  const SpanId all = b.span({0, 100});
  const StreamId there = b.stream(0, 1, all);
  const StreamId back = b.stream(1, 0, all);
  b.step(0, all).take(back).own(Buffer::input).store(Buffer::output);
  b.step(0, all).own(Buffer::input).push(there);
  b.step(1, all).take(there).own(Buffer::input).store(Buffer::output);
  b.step(1, all).own(Buffer::input).push(back);
  b.contract({.collective = Collective::allreduce, .ranks = {0, 1}, .root = 0, .count = 100});
  EXPECT_EQ(walked_cycles(std::move(b).finish(), *as<Mesh>(request.machine)), std::nullopt);
}

TEST(BeyondFormulas, AreMachinesWithStartUpGapIntervalOrASingleBuffer) {
  EXPECT_FALSE(is_beyond_formulas(*as<Mesh>(on_grid(4, 1, 1).machine)));
  for (const Costs& costs : {Costs{.start = 1}, Costs{.gap = 1}, Costs{.buffer = 1}, Costs{.interval = 2}}) {
    const Request request = on_grid(4, 1, 1, costs);
    EXPECT_TRUE(is_beyond_formulas(*as<Mesh>(request.machine)));
    EXPECT_FALSE(is_beyond_formulas(*as<Mesh>(as_in_formulas(request).machine)));
  }
}

/// Formulas stay what they are on the ideal machine, and what the paper's claims are held against.
TEST(BeyondFormulas, LeaveThePapersFormulasAlone) {
  for (const std::string name : {"star", "chain", "tree", "two-phase", "auto-gen"}) {
    const Algorithm& algorithm = find_algorithm(Collective::reduce, "mesh", name);
    const Request ideal = on_grid(20, 1, 30);
    const Request slow = on_grid(20, 1, 30, {.start = 40, .gap = 5, .buffer = 1});
    const Parameters parameters = complete_parameters(algorithm, ideal, {});
    EXPECT_EQ(paper_cycles(algorithm, slow, parameters), algorithm.cost(ideal, parameters)) << name;
    EXPECT_GT(algorithm.cost(slow, parameters), algorithm.cost(ideal, parameters)) << name;
  }
}

/// Best-tree has no formula of a paper: its recursion knows the machine, alone and within others.
TEST(BeyondFormulas, ArePartOfOurOwnRecursion) {
  const Request slow = on_grid(20, 1, 30, {.start = 40, .gap = 5, .buffer = 1});
  const Algorithm& best = find_algorithm(Collective::reduce, "mesh", "best-tree");
  EXPECT_EQ(paper_cycles(best, slow, {}), best.cost(slow, {}));
  EXPECT_EQ(paper_cycles(best, slow, {}).value(), SidePlan(20, line_timing(slow)).stored(20));
  EXPECT_GT(paper_cycles(best, slow, {}), best.cost(on_grid(20, 1, 30), {}));
  const Algorithm& xy = find_algorithm(Collective::reduce, "mesh", "xy-best-tree");
  EXPECT_GT(paper_cycles(xy, on_grid(5, 4, 30, {.start = 40}), {}), xy.cost(on_grid(5, 4, 30), {}));
}

/// What waits for a PE at its ramp, what follows it, and what comes from the other side.
TEST(BeyondFormulas, OfSingleBuffersAreFollowedToTheCycle) {
  for (const std::int32_t root : {0, 1}) {
    for (const std::int64_t start : {0, 4, 60}) {
      for (const std::int64_t count : {1, 5, 16, 64}) {
        Request request = on_grid(3, 1, count, {.start = start, .buffer = 1});
        request.root = root;
        const Algorithm& best = find_algorithm(Collective::reduce, "mesh", "best-tree");
        const LinePlan plan = fastest_plan(line_of(request).value(), line_timing(request));
        EXPECT_EQ(best.cost(request, {}).value(), plan.stored) << root << " " << start << " " << count;
      }
    }
  }
}

}  // namespace
}  // namespace muster

// The cycle-level simulator against exact formulas, the reference interpreter and the best-tree recursion.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "backend/wafer/test_schedules.h"
#include "backend/wafer/wafer.h"
#include "schedule/interpret.h"

namespace muster::wafer {
namespace {

using test::mesh_of;
using test::reduce_row;

constexpr std::int64_t kRampLatency = 2;

/// Lowers, simulates and compares every call with the reference interpreter.
Result run(const Schedule& schedule, const Machine& machine, int calls = 1, const Arithmetic& arithmetic = {}) {
  auto program = lower(schedule, machine, {.arithmetic = arithmetic});
  EXPECT_TRUE(program.ok()) << (program.ok() ? "" : program.reason());
  if (!program.ok()) return {};
  Result result = simulate(*program.value(), {.calls = calls, .seed = 7, .give_up = Cycles(1 << 24), .progress = {}});
  EXPECT_FALSE(result.fault) << result.fault->kind << " at " << result.fault->location << ", cycle "
                             << result.fault->cycle.value() << ":\n"
                             << result.fault->message;
  if (result.fault) return result;
  for (int call = 0; call < calls; ++call) {
    const auto seed = static_cast<std::uint64_t>(7 + call);
    const auto compared = compare_outputs(schedule, interpret(schedule, arithmetic, seed),
                                          result.outputs[static_cast<std::size_t>(call)], arithmetic);
    EXPECT_GT(compared.compared, 0);
    EXPECT_FALSE(compared.difference) << "call " << call << ": " << *compared.difference;
  }
  return result;
}

std::int64_t cycles(const Schedule& schedule, const Machine& machine) {
  const Result result = run(schedule, machine);
  return result.cycles ? result.cycles->value() : -1;
}

TEST(Simulation, OfAFloodTakesOneCyclePerElementAndHop) {
  for (const std::int32_t p : {2, 3, 5, 16, 64}) {
    for (const std::int64_t b : {1, 2, 7, 64, 256}) {
      EXPECT_EQ(cycles(test::flood(p, 0, b), test::wafer(p)), b + p - 1 + 2 * kRampLatency) << p << " " << b;
    }
  }
}

TEST(Simulation, OfAFloodOnAGridEndsAtTheFarCorner) {
  EXPECT_EQ(cycles(test::flood(30, 0, 16), test::wafer(5, 6)), 16 + 4 + 5 + 2 * kRampLatency);
  EXPECT_EQ(cycles(test::flood(30, 12, 16), test::wafer(5, 6)), 16 + 2 + 3 + 2 * kRampLatency);
}

TEST(Simulation, OfAChainTakesOneHopPlusRampsPerProcessor) {
  for (const std::int32_t p : {2, 3, 5, 16, 64}) {
    for (const std::int64_t b : {1, 2, 7, 64, 256}) {
      const std::int64_t expected = b + (2 * kRampLatency + 2) * (p - 1) - 1;
      EXPECT_EQ(cycles(reduce_row(test::chain_tree(p), b), test::wafer(p)), expected) << p << " " << b;
    }
  }
}

TEST(Simulation, OfAStarIsBoundByTheRootsRamp) {
  for (const std::int32_t p : {2, 3, 5, 16, 64}) {
    for (const std::int64_t b : {1, 2, 7, 64, 256}) {
      const std::int64_t expected = b * (p - 1) + 2 * kRampLatency + 1;
      EXPECT_EQ(cycles(reduce_row(test::star_tree(p), b), test::wafer(p)), expected) << p << " " << b;
      EXPECT_EQ(cycles(reduce_row(test::star_tree(p), b), test::wafer(1, p)), expected) << p << " " << b;
    }
  }
}

TEST(Simulation, OfOneProcessorCopiesItsVector) {
  EXPECT_EQ(cycles(reduce_row(test::chain_tree(1), 9), test::wafer(1)), 9);
}

TEST(Simulation, OfAnInPlaceContractWithoutStepsKeepsTheInput) {
  ScheduleBuilder b({.nodes = 1, .count = 3});
  b.contract(
      {.collective = Collective::allreduce, .ranks = {0}, .count = 3, .from = Buffer::input, .to = Buffer::input});
  EXPECT_EQ(cycles(std::move(b).finish(), test::wafer(1)), 0);
}

TEST(Simulation, CountsHopsPortsAndLoads) {
  const Result star = run(reduce_row(test::star_tree(5), 10), test::wafer(5));
  EXPECT_EQ(star.engine, "cycle");
  EXPECT_EQ(star.hops, 10 * (1 + 2 + 3 + 4));
  EXPECT_EQ(star.max_port_load, 40);
  EXPECT_EQ(star.channels, 1);
  ASSERT_EQ(star.resources.size(), 4U);
  EXPECT_EQ(star.resources[0].name, "links west");
  EXPECT_EQ(star.resources[0].bytes, Bytes(4 * (100 + 4)));  // and a reset over four links
  EXPECT_EQ(star.resources[1].name, "ramp in");
  EXPECT_NEAR(star.utilization, 100.0 / (8.0 * 45.0), 1e-12);
  EXPECT_NEAR(star.seconds.value(), 45 / 850e6, 1e-15);
}

TEST(Simulation, WithOneBufferSlotRunsAtHalfRate) {
  Machine m = test::wafer(8);
  mesh_of(m).router_buffer = 1;
  EXPECT_GE(cycles(test::flood(8, 0, 100), m), 2 * 100);
  mesh_of(m).router_buffer = 3;
  EXPECT_EQ(cycles(test::flood(8, 0, 100), m), 100 + 7 + 2 * kRampLatency);
}

TEST(Simulation, HoldsASenderBackWhileItsReceiverIsBusy) {
  // PE 0 takes the far vector first on one color; the near one fills its buffers on another and waits.
  ScheduleBuilder b({.nodes = 3, .count = 50});
  const SpanId all = b.span({0, 50});
  const StreamId far = b.stream(2, 0, all), near = b.stream(1, 0, all);
  b.step(2, all).own(Buffer::input).push(far);
  b.step(1, all).own(Buffer::input).push(near);
  b.step(0, all).own(Buffer::input).take(far).store(Buffer::output);
  b.step(0, all).own(Buffer::output).take(near).store(Buffer::output);
  b.contract({.collective = Collective::reduce, .ranks = {0, 1, 2}, .root = 0, .count = 50});
  const std::int64_t ended = cycles(std::move(b).finish(), test::wafer(3));
  EXPECT_GE(ended, 100 + 2 * kRampLatency + 2);
  EXPECT_LE(ended, 100 + 2 * kRampLatency + 10);
}

TEST(Simulation, OfTwoStreamOperandsTakesTwoCyclesPerElement) {
  ScheduleBuilder b({.nodes = 3, .count = 20});
  const SpanId all = b.span({0, 20});
  const StreamId left = b.stream(0, 1, all), right = b.stream(2, 1, all);
  b.step(0, all).own(Buffer::input).push(left);
  b.step(2, all).own(Buffer::input).push(right);
  b.step(1, all).take(left).own(Buffer::input).take(right).store(Buffer::output);
  b.contract({.collective = Collective::reduce, .ranks = {0, 1, 2}, .root = 1, .count = 20});
  // Both come over one ramp: the lower color fills its queue of 4 before the other gets a turn.
  EXPECT_EQ(cycles(std::move(b).finish(), test::wafer(3)), 2 * 20 + 2 * kRampLatency + 1 + 4);
}

TEST(Simulation, OfAnExchangePassesOldElements) {
  ScheduleBuilder b({.nodes = 2, .count = 40});
  const SpanId all = b.span({0, 40});
  const StreamId there = b.stream(0, 1, all), back = b.stream(1, 0, all);
  b.step(0, all).own(Buffer::input).take(back).store(Buffer::input).send_old(Buffer::input, all).push(there);
  b.step(1, all).own(Buffer::input).take(there).store(Buffer::input).send_old(Buffer::input, all).push(back);
  b.contract(
      {.collective = Collective::allreduce, .ranks = {0, 1}, .count = 40, .from = Buffer::input, .to = Buffer::input});
  const std::int64_t ended = cycles(std::move(b).finish(), test::wafer(2));
  EXPECT_GE(ended, 80);
  EXPECT_LE(ended, 80 + 2 * kRampLatency + 4);
}

TEST(Simulation, RunsLanesSideBySideAndObeysWaits) {
  ScheduleBuilder b({.nodes = 2, .count = 30});
  const SpanId all = b.span({0, 30});
  const StreamId s = b.stream(0, 1, all), t = b.stream(1, 0, all);
  b.step(0, all).own(Buffer::input).push(s);
  auto sum = b.step(1, all, 0).own(Buffer::input).take(s).store(Buffer::output);
  b.step(1, all, 1).own(Buffer::output).push(t).after(sum);
  b.step(0, all, 1).take(t).store(Buffer::output);
  b.contract({.collective = Collective::allreduce, .ranks = {0, 1}, .count = 30});
  EXPECT_EQ(cycles(std::move(b).finish(), test::wafer(2)), 2 * (30 + 1 + 2 * kRampLatency));
}

TEST(Simulation, OfSeveralCallsIsRightInEach) {
  for (const int calls : {2, 3}) {
    for (const std::int64_t b : {1, 5, 40}) {
      run(reduce_row(test::star_tree(7), b), test::wafer(7), calls);
      run(reduce_row(test::chain_tree(7), b), test::wafer(7), calls);
      run(reduce_row(test::binary_tree(13), b), test::wafer(13), calls);
      run(reduce_row(test::two_phase_tree(13, 4), b), test::wafer(13), calls);
      run(test::flood(12, 5, b), test::wafer(4, 3), calls);
    }
  }
  const Result two = run(reduce_row(test::star_tree(5), 10), test::wafer(5), 2);
  ASSERT_EQ(two.call_cycles.size(), 2U);
  EXPECT_EQ(two.cycles, two.call_cycles[0]);
  EXPECT_GE(two.call_cycles[1].value(), two.call_cycles[0].value() + 40);
}

TEST(Simulation, OfAMiddleRootIsRightInEveryCall) {
  for (const NodeId root : {1, 4, 7}) {
    for (const auto& tree : {test::star_tree, test::chain_tree, test::binary_tree}) {
      run(test::reduce(9, root, 11, {{tree(9 - root), 1}, {tree(root + 1), -1}}), test::wafer(9), 2);
    }
  }
  run(test::reduce(6, 5, 11, {{test::binary_tree(6), -1}}), test::wafer(6), 2);
}

TEST(Simulation, ComputesEveryTypeAndOperator) {
  for (const auto type : {ElementType::f32, ElementType::f16, ElementType::i32}) {
    for (const auto op : {Operator::sum, Operator::max, Operator::min, Operator::prod}) {
      run(reduce_row(test::binary_tree(6), 9), test::wafer(6), 1, {.type = type, .op = op});
    }
  }
}

// --- the best tree: G(p) and F(p) of the pipeline, and the tree that reaches them

struct BestTree {
  std::vector<std::int64_t> done{0, 0};   ///< G
  std::vector<std::int64_t> sends{0, 0};  ///< F
  std::vector<std::int32_t> split{0, 0};

  BestTree(std::int32_t size, std::int64_t count) {
    for (std::int32_t p = 2; p <= size; ++p) {
      std::int64_t best = -1;
      std::int32_t at = 1;
      for (std::int32_t i = 1; i < p; ++i) {
        const std::int64_t s = std::max(done[idx(i)], sends[idx(p - i)] + i + 2 * kRampLatency);
        if (best < 0 || s < best) best = s, at = i;
      }
      done.push_back(best + count);
      sends.push_back(best + 1);
      split.push_back(at);
    }
  }
  void write(std::int32_t first, std::int32_t size, test::Tree& parents) const {
    if (size == 1) return;
    const std::int32_t i = split[idx(size)];
    write(first, i, parents);
    parents[idx(first + i)] = first;
    write(first + i, size - i, parents);
  }
  static std::size_t idx(std::int32_t i) { return static_cast<std::size_t>(i); }
};

std::int64_t best_tree_cycles(std::int32_t size, std::int64_t count, const Machine& machine) {
  test::Tree parents(static_cast<std::size_t>(size), 0);
  BestTree(size, count).write(0, size, parents);
  return cycles(reduce_row(parents, count), machine);
}

TEST(BestTree, RunsExactlyAsItsRecursionSays) {
  for (const std::int32_t p : {2, 3, 6, 17, 32, 61}) {
    for (const std::int64_t b : {1, 3, 8, 33, 100, 257}) {
      EXPECT_EQ(best_tree_cycles(p, b, test::wafer(p)), BestTree(p, b).done.back()) << p << " " << b;
    }
  }
}

TEST(BestTree, OfAFullRowTakesTheKnownTimes) {
  EXPECT_EQ(best_tree_cycles(512, 1, test::wafer(512)), 516);
  EXPECT_EQ(best_tree_cycles(512, 32, test::wafer(512)), 598);
  EXPECT_EQ(best_tree_cycles(512, 256, test::wafer(512)), 1044);
}

RC_GTEST_PROP(BestTree, RunsExactlyForAnyShapeAndBuffer, ()) {
  const auto p = *rc::gen::inRange<std::int32_t>(2, 80);
  const auto b = *rc::gen::inRange<std::int64_t>(1, 80);
  Machine m = test::wafer(p);
  mesh_of(m).router_buffer = *rc::gen::inRange<std::int32_t>(2, 9);
  RC_ASSERT(best_tree_cycles(p, b, m) == BestTree(p, b).done.back());
}

/// A random tree in pre-order: the parent of x is x - 1 or one of its ancestors.
test::Tree random_tree(std::int32_t size) {
  test::Tree parents{0};
  for (std::int32_t x = 1; x < size; ++x) {
    std::int32_t parent = x - 1;
    while (parent > 0 && *rc::gen::inRange(0, 3) != 0) parent = parents[static_cast<std::size_t>(parent)];
    parents.push_back(parent);
  }
  return parents;
}

RC_GTEST_PROP(Simulation, OfAnyPreOrderTreeIsRightAndMovesItsEnergy, ()) {
  const auto p = *rc::gen::inRange<std::int32_t>(1, 50);
  const auto b = *rc::gen::inRange<std::int64_t>(1, 40);
  const test::Tree tree = random_tree(p);
  Machine m = test::wafer(p);
  mesh_of(m).router_buffer = *rc::gen::inRange<std::int32_t>(1, 9);
  mesh_of(m).ramp_queue = *rc::gen::inRange<std::int32_t>(1, 5);
  mesh_of(m).switch_both_sides = *rc::gen::arbitrary<bool>();
  const int calls = *rc::gen::inRange(1, 4);
  const Schedule schedule = reduce_row(tree, b);
  const auto program = lower(schedule, m, {});
  RC_ASSERT(program.ok());
  RC_ASSERT(program.value()->colors.size() <= 2U);
  const Result result = run(schedule, m, calls);
  RC_ASSERT(!result.fault);
  RC_ASSERT(result.hops == test::energy(tree, b) * calls);
}

RC_GTEST_PROP(Simulation, OfTreesOnBothSidesOfARootIsRight, ()) {
  const auto p = *rc::gen::inRange<std::int32_t>(2, 40);
  const auto root = *rc::gen::inRange<std::int32_t>(0, p);
  const auto b = *rc::gen::inRange<std::int64_t>(1, 30);
  const Schedule schedule = test::reduce(p, root, b, {{random_tree(p - root), 1}, {random_tree(root + 1), -1}});
  const Result result = run(schedule, test::wafer(p), 2);
  RC_ASSERT(!result.fault);
  RC_ASSERT(*result.channels <= 2);
}

}  // namespace
}  // namespace muster::wafer

// The timing parameters beyond the paper: cycles worked out by hand, and the best-tree recursion with them.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "backend/wafer/test_schedules.h"
#include "backend/wafer/wafer.h"
#include "machine/mesh.h"
#include "schedule/interpret.h"

namespace muster::wafer {
namespace {

using test::reduce_row;

constexpr std::int64_t kRampLatency = 2;

struct Timing {
  std::int64_t start = 0;
  std::int64_t gap = 0;
  std::int64_t interval = 1;
  Arbitration arbitration = Arbitration::lowest_color;
};

Machine wafer(std::int32_t width, const Timing& timing) {
  Machine machine = test::wafer(width);
  test::mesh_of(machine).operation_start = Cycles(timing.start);
  test::mesh_of(machine).receive_gap = Cycles(timing.gap);
  test::mesh_of(machine).receive_interval = Cycles(timing.interval);
  test::mesh_of(machine).arbitration = timing.arbitration;
  return machine;
}

Result run(const WaferProgram& program, int calls = 1) {
  Result result = simulate(program, {.calls = calls, .seed = 7, .give_up = Cycles(1 << 20), .progress = {}});
  EXPECT_FALSE(result.fault) << result.fault->kind << ": " << result.fault->message;
  return result;
}

/// Cycles, after the data was compared with the reference interpreter.
std::int64_t cycles(const Schedule& schedule, const Machine& machine) {
  auto program = lower(schedule, machine, {});
  EXPECT_TRUE(program.ok()) << (program.ok() ? "" : program.reason());
  const Result result = run(*program.value());
  EXPECT_FALSE(compare_outputs(schedule, interpret(schedule, {}, 7), result.outputs[0], {}).difference);
  return result.cycles ? result.cycles->value() : -1;
}

TEST(OperationStart, DelaysAChainOnce) {
  for (const std::int64_t start : {0, 1, 2, 7, 40}) {
    for (const std::int64_t b : {1, 2, 20}) {
      EXPECT_EQ(cycles(reduce_row(test::chain_tree(6), b), wafer(6, {.start = start})),
                b + (2 * kRampLatency + 2) * 5 - 1 + start)
          << start << " " << b;
    }
  }
}

TEST(OperationStart, DelaysAStarOncePerMessage) {
  for (const std::int64_t start : {1, 2, 7, 40}) {
    for (const std::int64_t b : {1, 2, 20}) {
      EXPECT_EQ(cycles(reduce_row(test::star_tree(6), b), wafer(6, {.start = start})),
                (b + start) * 5 + 2 * kRampLatency + 1)
          << start << " " << b;
    }
  }
}

TEST(OperationStart, FollowsAWait) {
  // PE 1 has the sum at 30 + 1 + 2 ramps, and once more after the way back; each way waits for one start-up, since the
  // operations of the second lane of PE 0 and of the first ones of all lanes start at 0.
  ScheduleBuilder b({.nodes = 2, .count = 30});
  const SpanId all = b.span({0, 30});
  const StreamId s = b.stream(0, 1, all), t = b.stream(1, 0, all);
  b.step(0, all).own(Buffer::input).push(s);
  auto sum = b.step(1, all, 0).own(Buffer::input).take(s).store(Buffer::output);
  b.step(1, all, 1).own(Buffer::output).push(t).after(sum);
  b.step(0, all, 1).take(t).store(Buffer::output);
  b.contract({.collective = Collective::allreduce, .ranks = {0, 1}, .count = 30});
  EXPECT_EQ(cycles(std::move(b).finish(), wafer(2, {.start = 9})), 2 * (30 + 1 + 2 * kRampLatency + 9));
}

TEST(OperationStart, BeginsEveryCall) {
  const auto program = lower(reduce_row(test::chain_tree(1), 9), wafer(1, {.start = 5}), {});
  EXPECT_EQ(run(*program.value(), 3).call_cycles, (std::vector<Cycles>{Cycles(14), Cycles(28), Cycles(42)}));
}

TEST(ReceiveGap, DelaysAStarBetweenMessages) {
  for (const std::int64_t gap : {1, 2, 7, 40}) {
    for (const std::int64_t b : {1, 2, 20}) {
      EXPECT_EQ(cycles(reduce_row(test::star_tree(6), b), wafer(6, {.gap = gap})),
                b * 5 + gap * 4 + 2 * kRampLatency + 1);
      EXPECT_EQ(cycles(reduce_row(test::star_tree(6), b), wafer(6, {.start = 3, .gap = gap})),
                (b + 3) * 5 + gap * 4 + 2 * kRampLatency + 1);
    }
  }
}

TEST(ReceiveGap, DoesNotDelayAChain) {
  EXPECT_EQ(cycles(reduce_row(test::chain_tree(6), 20), wafer(6, {.gap = 50})), 20 + (2 * kRampLatency + 2) * 5 - 1);
}

TEST(ReceiveInterval, SpacesTheWordsOfAMessage) {
  for (const std::int64_t interval : {1, 2, 13}) {
    for (const std::int64_t b : {1, 2, 40}) {
      EXPECT_EQ(cycles(reduce_row(test::chain_tree(2), b), wafer(2, {.interval = interval})),
                1 + 2 * kRampLatency + (b - 1) * interval + 1)
          << interval << " " << b;
    }
  }
}

/// What is taken is sent on in the next cycle, so the PEs of a chain wait at the same time.
TEST(ReceiveInterval, SlowsAChainDownOncePerWord) {
  for (const std::int64_t interval : {1, 2, 3, 13}) {
    for (const std::int64_t b : {1, 2, 20}) {
      EXPECT_EQ(cycles(reduce_row(test::chain_tree(6), b), wafer(6, {.interval = interval})),
                (2 * kRampLatency + 2) * 5 + (b - 1) * interval)
          << interval << " " << b;
    }
  }
}

TEST(ReceiveInterval, LiesBetweenAllWordsOfAStarAndLetsStartUpsPass) {
  for (const std::int64_t interval : {1, 2, 13}) {
    for (const std::int64_t b : {1, 2, 20}) {
      EXPECT_EQ(cycles(reduce_row(test::star_tree(6), b), wafer(6, {.interval = interval})),
                1 + 2 * kRampLatency + (5 * b - 1) * interval + 1)
          << interval << " " << b;
    }
  }
  // A start-up of 4 passes within the 12 cycles after the last word of a message; the first one comes before any word.
  EXPECT_EQ(cycles(reduce_row(test::star_tree(6), 20), wafer(6, {.start = 4, .interval = 13})),
            4 + 1 + 2 * kRampLatency + (5 * 20 - 1) * 13 + 1);
}

TEST(ReceiveInterval, CountsForEachWordOfAnElement) {
  // PE 0 combines two streams: two words per element.
  ScheduleBuilder b({.nodes = 3, .count = 10});
  const SpanId all = b.span({0, 10});
  const StreamId near = b.stream(1, 0, all), far = b.stream(2, 0, all);
  b.step(1, all).own(Buffer::input).push(near);
  b.step(2, all).own(Buffer::input).push(far);
  b.step(0, all).own(Buffer::input).take(near).take(far).store(Buffer::output);
  b.contract({.collective = Collective::reduce, .ranks = {0, 1, 2}, .count = 10});
  const Schedule schedule = std::move(b).finish();
  const std::int64_t ideal = cycles(schedule, wafer(3, {}));
  EXPECT_EQ(cycles(schedule, wafer(3, {.interval = 5})), ideal + 9 * 2 * (5 - 1));
}

TEST(ReceiveInterval, DoesNotHoldBackWhatIsSent) {
  // PE 0 stores a word in cycle 5 and sends it back in cycle 6: PE 1 has it 6 cycles later.
  ScheduleBuilder b({.nodes = 2, .count = 1});
  const SpanId all = b.span({0, 1});
  const StreamId there = b.stream(1, 0, all), back = b.stream(0, 1, all);
  b.step(1, all).own(Buffer::input).push(there);
  b.step(0, all).own(Buffer::input).take(there).store(Buffer::output);
  b.step(0, all).own(Buffer::output).push(back);
  b.step(1, all).take(back).store(Buffer::output);
  b.contract({.collective = Collective::allreduce, .ranks = {0, 1}, .count = 1});
  EXPECT_EQ(cycles(std::move(b).finish(), wafer(2, {.interval = 100})), 6 + 6);
}

TEST(ReceiveInterval, KeepsTheProcessorBusyWithinAMessage) {
  Machine machine = wafer(6, {.interval = 13});
  const auto program = lower(reduce_row(test::star_tree(6), 20), machine, {});
  const Resource processor = run(*program.value()).resources.back();
  EXPECT_EQ(processor.name, "processor");
  EXPECT_EQ(processor.busy, to_seconds(Cycles(5 * (19 * 13 + 1)), test::mesh_of(machine).clock));
  EXPECT_EQ(processor.bytes, Bytes(4 * 2 * 5 * 20)) << "each word is sent once and taken once";
}

TEST(ReceiveGap, IsCountedFromTheLastMessageNotFromTheLastOperation) {
  // PE 0 takes a vector, copies 20 elements of its own, takes the other vector: 12 of the gap of 32 are left.
  ScheduleBuilder b({.nodes = 2, .count = 20, .scratch = 20});
  const SpanId all = b.span({0, 20});
  const StreamId first = b.stream(1, 0, all), second = b.stream(1, 0, all);
  b.step(1, all).own(Buffer::input).push(first);
  b.step(1, all).own(Buffer::input).push(second);
  b.step(0, all).own(Buffer::input).take(first).store(Buffer::output);
  b.step(0, all).own(Buffer::input).store(Buffer::scratch);
  b.step(0, all).own(Buffer::output).take(second).store(Buffer::output);
  b.contract({.collective = Collective::reduce, .ranks = {0, 1}, .root = 0, .count = 20});
  const Schedule schedule = std::move(b).finish();
  const std::int64_t ideal = cycles(schedule, wafer(2, {}));
  EXPECT_EQ(ideal, 3 * 20 + 2 * kRampLatency + 1);
  EXPECT_EQ(cycles(schedule, wafer(2, {.gap = 20})), ideal);
  EXPECT_EQ(cycles(schedule, wafer(2, {.gap = 32})), ideal + 12);
  EXPECT_EQ(cycles(schedule, wafer(2, {.start = 1, .gap = 32})), ideal + 1 + 1 + 11 + 1);
}

/// The best tree of a row with start-up and gap: G(p), F(p) and where the last child begins.
struct BestTree {
  std::vector<std::int64_t> done{0, 0}, sends{0, 0};
  std::vector<std::size_t> split{0, 0};
  BestTree(std::size_t size, std::int64_t count, const Timing& timing) {
    sends[1] = timing.start;
    for (std::size_t p = 2; p <= size; ++p) {
      std::int64_t best = -1;
      std::size_t where = 1;
      for (std::size_t i = 1; i < p; ++i) {
        const std::int64_t ready = i == 1 ? timing.start : done[i] + timing.gap + timing.start;
        const std::int64_t s = std::max(ready, sends[p - i] + static_cast<std::int64_t>(i) + 2 * kRampLatency);
        if (best < 0 || s < best) best = s, where = i;
      }
      done.push_back(best + count);
      sends.push_back(best + 1);
      split.push_back(where);
    }
  }
  void write(std::size_t first, std::size_t size, test::Tree& parents) const {
    if (size == 1) return;
    write(first, split[size], parents);
    parents[first + split[size]] = static_cast<std::int32_t>(first);
    write(first + split[size], size - split[size], parents);
  }
};

RC_GTEST_PROP(BestTreeWithTiming, RunsExactlyAsItsRecursionSays, ()) {
  const auto p = *rc::gen::inRange<std::int32_t>(2, 60);
  const auto b = *rc::gen::inRange<std::int64_t>(1, 50);
  const Timing timing{.start = *rc::gen::inRange<std::int64_t>(0, 12), .gap = *rc::gen::inRange<std::int64_t>(0, 12)};
  const BestTree best(static_cast<std::size_t>(p), b, timing);
  test::Tree parents(static_cast<std::size_t>(p), 0);
  best.write(0, static_cast<std::size_t>(p), parents);
  RC_ASSERT(cycles(reduce_row(parents, b), wafer(p, timing)) == best.done.back());
}

constexpr Position from_to(Direction from, Direction to) { return {set_of(from), set_of(to)}; }

/// In a row of four, PE 2 sends to PE 1 and PE 3 sends to PE 0: both need the link from 2 to 1. PE 1 then copies what it
/// got to its output, which is owed.
WaferProgram shared_link(std::int64_t count, const Timing& timing, std::int8_t near, std::int8_t far) {
  WaferProgram program;
  program.machine = wafer(4, timing);
  program.colors = {3, 8};
  program.extent = {count, count, count};
  const SpanId all = program.spans.add(Range{0, count});
  const auto add_route = [&](std::size_t x, std::int8_t color, Position position) {
    program.classes[x].routes.push_back({.color = color, .count = 1, .positions = {position}});
  };
  const auto add_operation = [&](std::size_t x, Operation operation) {
    operation.elements = operation.own_elements = operation.store_elements = operation.sent_elements = all;
    program.classes[x].operations.push_back(operation);
  };
  constexpr auto kEast = Direction::east, kWest = Direction::west, kRamp = Direction::ramp;
  program.classes.resize(4);
  program.class_of = {0, 1, 2, 3};
  add_route(2, near, from_to(kRamp, kWest));
  add_route(1, near, from_to(kEast, kRamp));
  add_route(3, far, from_to(kRamp, kWest));
  add_route(2, far, from_to(kEast, kWest));
  add_route(1, far, from_to(kEast, kWest));
  add_route(0, far, from_to(kEast, kRamp));
  add_operation(2, {.operands = {kOwnOperand}, .outputs = {{.color = near}}, .own = Buffer::input});
  add_operation(3, {.operands = {kOwnOperand}, .outputs = {{.color = far}}, .own = Buffer::input});
  add_operation(0, {.operands = {far}, .store = Buffer::output});
  add_operation(1, {.operands = {near}, .store = Buffer::scratch});
  add_operation(1, {.operands = {kOwnOperand}, .own = Buffer::scratch, .store = Buffer::output});
  program.contracts.push_back({.collective = Collective::reduce, .ranks = {1}, .root = 0, .count = count});
  return program;
}

// PE 2's wavelets are in its router from cycle 2 on, PE 3's from 3 on. What leaves router 2 in cycle t is used by PE 1 in
// t + 3. Copying takes another cycle per element.
TEST(Arbitration, DecidesWhoWaits) {
  constexpr std::int64_t kCount = 25;
  const auto ends = [&](Arbitration arbitration, std::int8_t near) {
    const auto far = static_cast<std::int8_t>(1 - near);
    return run(shared_link(kCount, {.arbitration = arbitration}, near, far)).cycles->value();
  };
  // The near ones leave in 2, 3, ...: the last in 1 + B.
  EXPECT_EQ(ends(Arbitration::lowest_color, 0), (1 + kCount) + 4 + kCount);
  EXPECT_EQ(ends(Arbitration::highest_color, 1), (1 + kCount) + 4 + kCount);
  // One leaves in 2, then B far ones, then the rest.
  EXPECT_EQ(ends(Arbitration::lowest_color, 1), (1 + 2 * kCount) + 4 + kCount);
  EXPECT_EQ(ends(Arbitration::highest_color, 0), (1 + 2 * kCount) + 4 + kCount);
  // One leaves in 2, then they alternate from 3 on; the lower color first.
  EXPECT_EQ(ends(Arbitration::round_robin, 0), (3 + 2 * (kCount - 2)) + 4 + kCount);
  EXPECT_EQ(ends(Arbitration::round_robin, 1), (4 + 2 * (kCount - 2)) + 4 + kCount);
}

TEST(Arbitration, ByTurnsFeedsTwoOperandsEvenly) {
  ScheduleBuilder b({.nodes = 3, .count = 20});
  const SpanId all = b.span({0, 20});
  const StreamId left = b.stream(0, 1, all), right = b.stream(2, 1, all);
  b.step(0, all).own(Buffer::input).push(left);
  b.step(2, all).own(Buffer::input).push(right);
  b.step(1, all).take(left).own(Buffer::input).take(right).store(Buffer::output);
  b.contract({.collective = Collective::reduce, .ranks = {0, 1, 2}, .root = 1, .count = 20});
  const Schedule schedule = std::move(b).finish();
  // With a fixed order, one color fills its queue of 4 before the other gets a turn; by turns only 1 comes before.
  EXPECT_EQ(cycles(schedule, wafer(3, {.arbitration = Arbitration::highest_color})), 2 * 20 + 2 * kRampLatency + 1 + 4);
  EXPECT_EQ(cycles(schedule, wafer(3, {.arbitration = Arbitration::round_robin})), 2 * 20 + 2 * kRampLatency + 1 + 1);
}

}  // namespace
}  // namespace muster::wafer

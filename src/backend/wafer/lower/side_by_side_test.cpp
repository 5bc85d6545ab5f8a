// What the verifier accepts, the fabric finishes: streams that count on buffers of their own, streams and operations
// without elements, processors without work.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "backend/wafer/test_problem.h"
#include "backend/wafer/test_schedules.h"

namespace muster::wafer {
namespace {

using test::fault_text;
using test::problem_of;

Machine wafer_with_many_queues(std::int32_t width) {
  Machine m = test::wafer(width);
  test::mesh_of(m).input_queues = test::mesh_of(m).output_queues = 64;
  return m;
}

/// Node 1 sends its vector in `pieces` streams of two elements; node 0 takes the last one first.
Schedule last_piece_first(std::int32_t pieces) {
  const std::int64_t count = 2 * pieces;
  ScheduleBuilder b({.nodes = 2, .count = count});
  std::vector<SpanId> spans;
  std::vector<StreamId> streams;
  for (std::int32_t p = 0; p < pieces; ++p) {
    spans.push_back(b.span({2 * p, 2}));
    streams.push_back(b.stream(1, 0, spans.back()));
    b.step(1, spans.back()).own(Buffer::input).store(Buffer::output).push(streams.back());
  }
  b.step(0, spans.back()).take(streams.back()).store(Buffer::output);
  for (std::size_t p = 0; p + 1 < spans.size(); ++p) b.step(0, spans[p]).take(streams[p]).store(Buffer::output);
  b.contract({.collective = Collective::broadcast, .ranks = {0, 1}, .root = 1, .count = count});
  return std::move(b).finish();
}

TEST(SideBySide, ShortStreamsHaveBuffersOfTheirOwn) {
  EXPECT_EQ(problem_of(last_piece_first(9), wafer_with_many_queues(2)), "");
  const auto refused = lower(last_piece_first(9), test::wafer(2), {});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(
      refused.reason(),
      "input queues of PE (0,0): 9 needed, one per color, 6 free of 8 (0, 1 belong to the host library); receive on at "
      "most 6 colors there");
}

TEST(SideBySide, AnOperationWithoutElementsFreesTheLaneThatWaitsForIt) {
  ScheduleBuilder b({.nodes = 1, .count = 4});
  const SpanId all = b.span({0, 4}), none = b.span(Range{});
  const auto empty = b.step(0, none, 1).own(Buffer::input);
  b.step(0, all, 0).own(Buffer::input).store(Buffer::output).after(empty);
  b.contract({.collective = Collective::reduce, .ranks = {0}, .root = 0, .count = 4});
  EXPECT_EQ(problem_of(std::move(b).finish(), test::wafer(1)), "");
}

TEST(SideBySide, NobodyWaitsForAStreamWithoutElements) {
  ScheduleBuilder b({.nodes = 2, .count = 4});
  const SpanId all = b.span({0, 4}), none = b.span(Range{});
  const StreamId data = b.stream(1, 0, all), there = b.stream(0, 1, none), back = b.stream(1, 0, none);
  b.step(0, all).take(data).store(Buffer::output);
  b.step(0, none).take(back).push(there);
  b.step(1, all).own(Buffer::input).store(Buffer::output).push(data);
  b.step(1, none).take(there).push(back);
  b.contract({.collective = Collective::broadcast, .ranks = {0, 1}, .root = 1, .count = 4});
  const Schedule schedule = std::move(b).finish();
  EXPECT_EQ(problem_of(schedule, test::wafer(2)), "");
  EXPECT_EQ(lower(schedule, test::wafer(2), {}).value()->colors.size(), 1U);
}

TEST(SideBySide, StreamsWithoutElementsNeedNoColor) {
  ScheduleBuilder b({.nodes = 2, .count = 1});
  const SpanId none = b.span(Range{});
  const StreamId nothing = b.stream(1, 0, none);
  b.step(1, none).own(Buffer::input).push(nothing);
  b.step(0, none).take(nothing);
  EXPECT_TRUE(lower(std::move(b).finish(), test::wafer(2), {}).value()->colors.empty());
}

TEST(Padding, GivesProcessorsThatTheScheduleDoesNotUseNothingToDo) {
  const Schedule chain = test::reduce_row(test::chain_tree(3), 4);
  EXPECT_EQ(problem_of(chain, test::wafer(5, 2)), "");
  const auto program = lower(chain, test::wafer(5, 2), {});
  ASSERT_TRUE(program.ok());
  ASSERT_EQ(program.value()->class_of.size(), 10U);
  const ProcessorClass& idle = program.value()->classes[static_cast<std::size_t>(program.value()->class_of[9])];
  EXPECT_EQ(idle, ProcessorClass{});

  const auto refused = lower(chain, test::wafer(2), {});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.reason(), "the schedule has 3 nodes, the machine 2x1 PEs; use a larger grid");
}

/// One end of a stream: a step that pushes or takes it.
struct End {
  NodeId node = 0;
  StreamId stream = 0;
  bool pushes = false;
};

/// Streams between random nodes of a row, most of them short, pushed and taken in random order on one or two lanes.
Schedule random_streams(NodeId nodes) {
  const auto streams = *rc::gen::inRange(1, 21);
  std::vector<std::int64_t> sizes;
  for (int s = 0; s < streams; ++s) sizes.push_back(*rc::gen::element<std::int64_t>(1, 2, 2, 2, 2, 2, 2, 2, 7));
  const std::int64_t count = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
  ScheduleBuilder b({.nodes = nodes, .count = count, .scratch = count});
  std::vector<SpanId> spans;
  std::vector<End> ends;
  std::int64_t first = 0;
  for (const std::int64_t size : sizes) {
    spans.push_back(b.span({first, size}));
    first += size;
    const NodeId from = *rc::gen::inRange<NodeId>(0, nodes);
    const NodeId to = (from + *rc::gen::inRange<NodeId>(1, nodes)) % nodes;
    const StreamId stream = b.stream(from, to, spans.back());
    ends.push_back({from, stream, true});
    ends.push_back({to, stream, false});
  }
  const auto priorities = *rc::gen::container<std::vector<int>>(ends.size(), rc::gen::inRange(0, 1000));
  std::vector<std::size_t> order(ends.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // Pushing tends to come before taking: other orders rarely are free of deadlock.
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
    return priorities[x] + (ends[x].pushes ? 0 : 500) < priorities[y] + (ends[y].pushes ? 0 : 500);
  });
  for (const std::size_t e : order) {
    const SpanId span = spans[static_cast<std::size_t>(ends[e].stream)];
    auto step = b.step(ends[e].node, span, *rc::gen::element(0, 0, 0, 0, 0, 1));
    if (ends[e].pushes) step.own(Buffer::input).push(ends[e].stream);
    if (!ends[e].pushes) step.take(ends[e].stream).store(Buffer::scratch);
  }
  // Streams end in scratch; what is owed is a copy that every node makes on its own.
  const SpanId all = b.span({0, count});
  for (NodeId n = 0; n < nodes; ++n) {
    b.step(n, all, 2).own(Buffer::input).store(Buffer::output);
    b.contract({.collective = Collective::broadcast, .ranks = {n}, .root = 0, .count = count});
  }
  return std::move(b).finish();
}

RC_GTEST_PROP(SideBySide, AVerifiedScheduleNeverDeadlocksInTheFabric, ()) {
  const auto nodes = *rc::gen::element<NodeId>(2, 2, 2, 3, 5);
  const Schedule schedule = random_streams(nodes);
  Machine machine = wafer_with_many_queues(nodes);
  test::mesh_of(machine).router_buffer = *rc::gen::element(1, 2);
  test::mesh_of(machine).ramp_queue = *rc::gen::element(1, 2);
  test::mesh_of(machine).ramp_latency = Cycles(*rc::gen::element<std::int64_t>(1, 2));
  const Verdict verdict = verify(schedule, machine);
  if (!verdict.verified()) RC_ASSERT(verdict.counterexample->kind == Counterexample::Kind::wait_cycle);
  const auto program = lower(schedule, machine, {});
  RC_CLASSIFY(verdict.verified(), "verified");
  RC_CLASSIFY(verdict.verified() && program.ok(), "lowered");
  if (!verdict.verified() || !program.ok()) return;
  const Result result = simulate(*program.value(), {.calls = 1, .seed = 3, .give_up = Cycles(1 << 16), .progress = {}});
  RC_ASSERT(fault_text(result) == "");
}

}  // namespace
}  // namespace muster::wafer

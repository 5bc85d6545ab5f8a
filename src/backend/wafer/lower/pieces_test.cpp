// What of a schedule takes several instructions: scattered elements, several destinations.
#include <gtest/gtest.h>

#include "backend/wafer/csl/samples.h"
#include "backend/wafer/lower/lower.h"
#include "base/index.h"

namespace muster::wafer {
namespace {

using samples::fused_allreduce;
using samples::lowered;
using samples::row_of;

const std::vector<Operation>& operations_of(const WaferProgram& program, NodeId node) {
  return program.classes[at(program.class_of[at(node)])].operations;
}

std::vector<Range> ranges_of(const WaferProgram& program, SpanId span) {
  const auto ranges = program.spans.ranges(span);
  return {ranges.begin(), ranges.end()};
}

/// PE 0 sends words that lie apart; PE 1 stores them as one run.
Schedule sent_from_two_ranges() {
  ScheduleBuilder b({.nodes = 2, .count = 12});
  const std::vector<Range> apart{{8, 4}, {0, 2}};
  const SpanId sent = b.span(apart);
  const StreamId stream = b.stream(0, 1, sent);
  b.step(0, sent).own(Buffer::input).push(stream);
  b.step(1, sent).take(stream).store(Buffer::output, b.span({3, 6}));
  return std::move(b).finish();
}

TEST(Pieces, ScatteredElementsTakeOneOperationPerPiece) {
  const auto program = lowered(sent_from_two_ranges(), row_of("wse2", 2), {});
  const auto& sends = operations_of(*program, 0);
  ASSERT_EQ(sends.size(), 2U);
  EXPECT_EQ(ranges_of(*program, sends[0].own_elements), (std::vector<Range>{{8, 4}}));
  EXPECT_EQ(ranges_of(*program, sends[1].own_elements), (std::vector<Range>{{0, 2}}));
  // Words of a color come one after another: who stores them in one run takes them at once.
  ASSERT_EQ(operations_of(*program, 1).size(), 1U);
  EXPECT_EQ(ranges_of(*program, operations_of(*program, 1)[0].store_elements), (std::vector<Range>{{3, 6}}));
}

TEST(Pieces, OnlyTheLastPieceMovesASwitchAndWhatWaitedWaitsForIt) {
  WaferProgram program = *lowered(sent_from_two_ranges(), row_of("wse2", 2), {});
  const std::vector<Range> apart{{0, 1}, {4, 1}, {6, 1}};
  Operation send = operations_of(program, 0)[0];
  send.elements = send.own_elements = program.spans.add(apart);
  send.outputs[0].ending = Ending::advance;
  send.times = 2;
  Operation other = send;
  other.lane = 1;
  other.elements = other.own_elements = program.spans.add({0, 1});
  other.after = {0};
  auto& operations = program.classes[at(program.class_of[0])].operations;
  operations = {send, other};
  cut_into_pieces(program);
  ASSERT_EQ(operations.size(), 7U);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(operations[i].times, 1);
    EXPECT_EQ(operations[i].outputs[0].ending, i % 3 == 2 ? Ending::advance : Ending::nothing) << i;
    EXPECT_EQ(operations[i].continues, i % 3 != 0) << i;
  }
  EXPECT_EQ(operations[6].after, (std::vector<std::int32_t>{5}));
}

TEST(Pieces, AStepThatTakesStoresAndSendsIsTwoOperations) {
  const auto program = fused_allreduce("wse2", 4);
  const auto& root = operations_of(*program, 0);
  ASSERT_EQ(root.size(), 2U);
  EXPECT_EQ(root[0].store, Buffer::output);
  EXPECT_TRUE(root[0].outputs.empty());
  EXPECT_EQ(root[1].own, Buffer::output);
  EXPECT_EQ(root[1].outputs.size(), 1U);
  for (const Engine engine : {Engine::cycle, Engine::automatic}) {
    const SimulateOptions options{.calls = 3, .engine = engine};
    const Result result = engine == Engine::cycle ? simulate(*program, options) : simulate_streams(*program, options);
    ASSERT_FALSE(result.fault) << result.fault->message;
  }
}

/// PE 0 floods to 1 and 2; PE 1 stores what it takes and forwards it to 2, which needs both word by word.
TEST(Pieces, RefusesAScheduleThatOnlyRunsWordByWord) {
  const std::int64_t count = 64;
  ScheduleBuilder b({.nodes = 3, .count = count});
  const SpanId all = b.span({0, count});
  const std::vector<NodeId> both{1, 2};
  const StreamId flood = b.multicast(0, both, all), passed = b.stream(1, 2, all);
  b.step(0, all).own(Buffer::input).push(flood);
  b.step(1, all).take(flood).store(Buffer::output).push(passed);
  b.step(2, all).take(flood).take(passed).store(Buffer::output);
  const auto program = lower(std::move(b).finish(), row_of("wse2", 3), {});
  ASSERT_FALSE(program);
  EXPECT_EQ(program.reason(),
            "an instruction has one destination: if steps store what they receive before they send it, they deadlock, "
            "e.g. at PE (1,0); use separate steps, or a shorter vector");
}

}  // namespace
}  // namespace muster::wafer

#include <gtest/gtest.h>

#include "backend/hyperx/test_trees.h"
#include "machine/hyperx.h"

namespace muster::hyperx {
namespace {

/// Two cores, 5 ns apart: 0 gives and takes, 1 is the root and does so too. A packet takes 1 ns on a link, and 2.5 ns to read or
/// write at half of the memory's bandwidth.
TestTree pair(std::int16_t id = 0) {
  return {.id = id, .root = 3, .parent = {{2, 3}}, .gives = {2, 3}, .takes = {2, 3}};
}

std::vector<std::int64_t> owed(const Result& result) {
  std::vector<std::int64_t> times;
  for (const NodeTimes& node : result.node_times[0]) times.push_back(node.owed.value());
  return times;
}

class SimulateEngines : public testing::TestWithParam<Engine> {
 protected:
  static Result run(const HyperXProgram& program, const HyperXOptions& options = {}, int calls = 1) {
    Result result = simulate(program, {.calls = calls, .engine = GetParam(), .options = options});
    EXPECT_FALSE(result.fault) << result.fault->location << ": " << result.fault->message;
    return result;
  }
};
INSTANTIATE_TEST_SUITE_P(Both, SimulateEngines, testing::Values(Engine::cycle, Engine::stream));

TEST_P(SimulateEngines, AddsReadLinksAndWrite) {
  const Result result = run(program_of(piuma({}, 1, 2, 1), {pair()}, {{.elements = {0, 2}}}));
  EXPECT_EQ(owed(result), (std::vector<std::int64_t>{2500 + 5000 + 5000 + 2500, 2500 + 5000 + 2500}));
  EXPECT_EQ(result.hops, 2);
  EXPECT_EQ(result.max_port_load, 2);
  EXPECT_EQ(result.channels, 1);
  ASSERT_EQ(result.parts.size(), 3U);
  EXPECT_DOUBLE_EQ(result.parts[0].seconds.value(), 10e-9);
  EXPECT_DOUBLE_EQ(result.parts[1].seconds.value(), 5e-9);
  EXPECT_NEAR(result.parts[2].seconds.value(), 0, 1e-18);
}

TEST_P(SimulateEngines, WaitsForTheMemoryBetweenPackets) {
  const Result result = run(program_of(piuma({}, 1, 2, 1), {pair()}, {{.elements = {0, 200}}}));
  EXPECT_EQ(owed(result), (std::vector<std::int64_t>{15000 + 99 * 2500, 10000 + 99 * 2500}));
  EXPECT_NEAR(result.parts[2].seconds.value(), 99 * 2.5e-9, 1e-15);
  ASSERT_EQ(result.resources.size(), 2U);
  EXPECT_EQ(result.resources[0].name, "core links");
  EXPECT_EQ(result.resources[0].bytes, Bytes(2 * 800));
  EXPECT_DOUBLE_EQ(result.resources[0].busy.value(), 100e-9);
  EXPECT_DOUBLE_EQ(result.resources[0].utilization, 1600 / (2 * 8e9 * result.seconds.value()));
  EXPECT_EQ(result.resources[1].bytes, Bytes(4 * 800));
  EXPECT_DOUBLE_EQ(result.resources[1].busy.value(), 250e-9);
}

/// One slot per buffer: the credit of the first packet is back when the second one may leave, 10 ns later.
TEST_P(SimulateEngines, WaitsForCreditsWhereBuffersAreSmall) {
  HyperX network = piuma({}, 1, 2, 1);
  network.buffer_packets = 1;
  EXPECT_EQ(owed(run(program_of(network, {pair()}, {{.elements = {0, 20}}}))),
            (std::vector<std::int64_t>{15000 + 9 * 10000, 10000 + 9 * 10000}));
}

TEST_P(SimulateEngines, BeginsAnIdWhenItsSwitchIsThroughWithTheLast) {
  const auto program = program_of(piuma({}, 1, 2, 1), {pair(0), pair(1)}, {{.elements = {0, 2}}, {.elements = {2, 2}}});
  // Core 0 begins the second id at 15 ns, core 1 at 10 ns.
  EXPECT_EQ(owed(run(program)), (std::vector<std::int64_t>{30000, 25000}));
}

TEST_P(SimulateEngines, WaitsForSlowMemoriesAndLateCores) {
  const auto program = program_of(piuma({}, 1, 2, 1), {pair()}, {{.elements = {0, 2}}});
  EXPECT_EQ(owed(run(program, HyperXOptions{.slow = {{0, 3.0}}})), (std::vector<std::int64_t>{25000, 15000}));
  EXPECT_EQ(owed(run(program, HyperXOptions{.late = {{1, Seconds(100e-9)}}})),
            (std::vector<std::int64_t>{110000, 105000}));
}

TEST_P(SimulateEngines, RepeatsCallsWithOtherInputs) {
  const Result result = run(program_of(piuma({}, 1, 2, 1), {pair()}, {{.elements = {0, 2}}}), {}, 3);
  EXPECT_EQ(result.call_cycles, (std::vector<Ticks>{Ticks(15000), Ticks(30000), Ticks(45000)}));
  EXPECT_EQ(result.node_times[2][1].owed, Ticks(40000));
  ASSERT_EQ(result.outputs.size(), 3U);
  EXPECT_NE(result.outputs[0], result.outputs[1]);
}

TEST(Simulate, SaysWhereBuffersDoNotLast) {
  HyperX network = piuma({2}, 1, 1, 1);
  const std::vector<Segment> segments{{.elements = {0, 1 << 20}}};
  EXPECT_EQ(simulate(program_of(network, {pair()}, segments), {}).note, "");
  network.buffer_packets = 8;
  const std::string note = simulate(program_of(network, {pair()}, segments), {}).note;
  EXPECT_NE(note.find("until the times became periodic"), std::string::npos) << note;
}

TEST(Simulate, TakesNoLongerToFollowALongVector) {
  HyperX network = piuma({2}, 1, 1, 1);
  for (const std::int32_t slots : {8, 128}) {
    network.buffer_packets = slots;
    const auto effort = [&](std::int64_t words) {
      return simulate(program_of(network, {pair()}, {{.elements = {0, words}}}), {}).effort;
    };
    EXPECT_EQ(effort(1 << 20), effort(std::int64_t{1} << 30));
  }
}

/// Where nothing moves any more, the plain engine says who waits for what.
TEST(Simulate, FindsRowsThatWaitForEachOther) {
  const HyperX network = piuma({}, 1, 2, 1);
  const Ports ports(network);
  TestRows rows;
  rows[{2, 0, Channel::request}] = {{ports.mesh(Ports::Side::east), ports.memory()}, {ports.mesh(Ports::Side::east)}};
  rows[{3, 0, Channel::request}] = {{ports.mesh(Ports::Side::west)}, {ports.mesh(Ports::Side::west), ports.memory()}};
  const auto program = program_of(network, registers_of(rows, {{.elements = {0, 4}}}));
  const Result packets = simulate(program, {.engine = Engine::cycle});
  ASSERT_TRUE(packets.fault);
  EXPECT_FALSE(packets.cycles);
  EXPECT_EQ(packets.fault->kind, "deadlock");
  EXPECT_EQ(packets.fault->location, "switch of core 0, id 0, request, port east");
  const Result lines = simulate(program, {});
  ASSERT_TRUE(lines.fault);
  EXPECT_EQ(lines.fault->kind, "wait cycle");
}

TEST(Simulate, FindsWhatNobodyTakes) {
  const HyperX network = piuma({}, 1, 2, 1);
  const Ports ports(network);
  TestRows rows;
  rows[{2, 0, Channel::request}] = {{ports.memory()}, {ports.mesh(Ports::Side::east)}};
  const auto fault_of = [&](std::int64_t words) {
    return simulate(program_of(network, registers_of(rows, {{.elements = {0, words}}})), {.engine = Engine::cycle})
        .fault;
  };
  ASSERT_TRUE(fault_of(256));
  EXPECT_EQ(fault_of(256)->kind, "left over");
  EXPECT_EQ(fault_of(256)->location, "switch of core 0, id 0, request, port east");
  ASSERT_TRUE(fault_of(258));
  EXPECT_EQ(fault_of(258)->kind, "deadlock");
}

TEST(Simulate, RefusesWhatItDoesNotKnow) {
  const auto program = program_of(piuma({}, 1, 2, 1), {pair()}, {{.elements = {0, 2}}});
  const auto endless = program_of(piuma({}, 1, 2, 1), {pair()}, {{.elements = {0, kMostElements}}});
  EXPECT_THROW(simulate(endless, {}), InputError);
}

}  // namespace
}  // namespace muster::hyperx

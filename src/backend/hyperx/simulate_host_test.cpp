// Cores 5 ns apart. A round takes 1.2 us of software, 4 ways, and 2 passes of memory for a message, 3 more to combine it; at 6.4
// GB/s, 6400 bytes pass in 1 us.
#include <gtest/gtest.h>

#include "backend/hyperx/host_program.h"
#include "backend/hyperx/test_schedules.h"
#include "schedule/interpret.h"

namespace muster::hyperx {
namespace {

constexpr std::int64_t kWords = 1600;
constexpr std::int64_t kSoftware = 1'200'000, kWays = 4 * 5'000, kPass = 1'000'000;  // picoseconds
constexpr std::int64_t kRound = kSoftware + kWays + 5 * kPass;

Result run(Schedule schedule, const SimulateOptions& options = {}) {
  return simulate(*lower_for_hosts(schedule, two_cores(), {}).value(), options);
}

std::vector<std::int64_t> ends(const Result& result) {
  std::vector<std::int64_t> times;
  for (NodeId rank = 0; rank < 2; ++rank)
    times.push_back(result.node_times[0][static_cast<std::size_t>(rank)].owed.value());
  return times;
}

TEST(SimulateHost, ARoundTakesSoftwareWaysAndPassesOfMemory) {
  const Result result = run(exchange_of_two(kWords));
  ASSERT_FALSE(result.fault);
  EXPECT_EQ(result.engine, "rounds");
  EXPECT_EQ(ends(result), (std::vector<std::int64_t>{kRound, kRound}));
  ASSERT_EQ(result.parts.size(), 3U);
  EXPECT_EQ(result.parts[0].name, "network");
  EXPECT_DOUBLE_EQ(result.parts[0].seconds.value(), 20e-9);
  EXPECT_EQ(result.parts[1].name, "memory");
  EXPECT_DOUBLE_EQ(result.parts[1].seconds.value(), 5e-6);
  EXPECT_EQ(result.parts[2].name, "software");
  EXPECT_NEAR(result.parts[2].seconds.value(), 1.2e-6, 1e-15);
  EXPECT_EQ(result.hops, 2 * 3 * kWords) << "from a core to its switch, on to the other one, to its core";
  EXPECT_EQ(result.max_port_load, kWords);
}

TEST(SimulateHost, ComputesWhatTheReferenceDoes) {
  const Schedule schedule = exchange_of_two(5);
  const Result result = run(schedule, {.calls = 2, .seed = 3});
  ASSERT_EQ(result.outputs.size(), 2U);
  EXPECT_EQ(result.outputs[0], interpret(schedule, {}, 3));
  EXPECT_EQ(result.outputs[1], interpret(schedule, {}, 4));
}

TEST(SimulateHost, BeginsWhenBothAreThere) {
  EXPECT_EQ(ends(run(exchange_of_two(kWords), {.options = HyperXOptions{.late = {{0, Seconds(1e-6)}}}})),
            (std::vector<std::int64_t>{1'000'000 + kRound, 1'000'000 + kRound}));
  EXPECT_EQ(ends(run(exchange_of_two(kWords), {.options = HyperXOptions{.slow = {{1, 3.0}}}})),
            (std::vector<std::int64_t>{kRound, kRound + 2 * 5 * kPass}));
}

/// 7 words at 6.4 GB/s take no whole number of picoseconds.
TEST(SimulateHost, MovesTheSameBytesHoweverSlowACoreIs) {
  const auto bytes = [](const HyperXOptions& options) {
    const Result result = run(exchange_of_two(7), {.options = options});
    return result.resources.at(0).bytes.value();
  };
  EXPECT_EQ(bytes({}), 2 * 5 * 7 * 4);
  EXPECT_EQ(bytes({.slow = {{1, 3.3}}}), 2 * 5 * 7 * 4);
}

TEST(SimulateHost, RoundsFollowEachOther) {
  ScheduleBuilder b({.nodes = 2, .count = kWords});
  const SpanId all = b.span({0, kWords});
  const StreamId there = b.stream(0, 1, all), back = b.stream(1, 0, all);
  b.step(0, all).own(Buffer::input).push(there);
  b.step(0, all).take(back).store(Buffer::output);
  b.step(1, all).take(there).own(Buffer::input).store(Buffer::output);
  b.step(1, all).own(Buffer::output).push(back);
  b.contract(allreduce_of_two(kWords));
  // What is taken alone passes memory twice.
  EXPECT_EQ(ends(run(std::move(b).finish())),
            (std::vector<std::int64_t>{kRound + kSoftware + kWays + 2 * kPass, kRound}));
}

TEST(SimulateHost, SaysWhoWaitsForever) {
  ScheduleBuilder b({.nodes = 2, .count = 4});
  const SpanId all = b.span({0, 4});
  const StreamId right = b.stream(0, 1, all), left = b.stream(1, 0, all);
  b.step(0, all).take(left).store(Buffer::output);
  b.step(0, all).own(Buffer::input).push(right);
  b.step(1, all).take(right).store(Buffer::output);
  b.step(1, all).own(Buffer::input).push(left);
  const Result result = run(std::move(b).finish());
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->kind, "deadlock");
  EXPECT_EQ(result.fault->location, "core 0");
  EXPECT_FALSE(result.fault->before_running);
  ASSERT_TRUE(result.fault->time);
  EXPECT_DOUBLE_EQ(result.fault->time->value(), 0) << "nothing has ended";
  EXPECT_TRUE(result.outputs.empty());
}

}  // namespace
}  // namespace muster::hyperx

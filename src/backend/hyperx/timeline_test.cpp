#include "backend/hyperx/timeline.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "backend/hyperx/check.h"
#include "backend/hyperx/host_program.h"
#include "backend/hyperx/test_schedules.h"
#include "backend/hyperx/test_trees.h"
#include "machine/hyperx.h"

namespace muster::hyperx {
namespace {

/// As in simulate_test.cpp: two cores, 5 ns apart, 1 ns per packet on a link, 2.5 ns to read or write one.
TestTree two_cores_tree(std::int16_t id = 0) {
  return {.id = id, .root = 3, .parent = {{2, 3}}, .gives = {2, 3}, .takes = {2, 3}};
}

Timeline timeline_of(const HyperXProgram& program, SimulateOptions options = {}) {
  options.timeline = true;
  const Result result = simulate(program, options);
  EXPECT_FALSE(result.fault);
  EXPECT_TRUE(result.timeline);
  return result.timeline.value_or(Timeline{});
}

std::vector<std::string> lines_of(const Timeline& timeline) {
  std::vector<std::string> lines;
  for (const PathLine& line : timeline.path) {
    lines.push_back(fmt::format("{} {} {}", line.begin.value(), line.end.value(), line.what));
  }
  return lines;
}

std::int64_t part(const Timeline& timeline, const std::string& name) {
  for (const PathPart& path_part : timeline.path_parts) {
    if (path_part.name == name) return path_part.time.value();
  }
  return -1;
}

TEST(SwitchTimeline, FollowsAPacketUpToTheRootAndBack) {
  const Timeline timeline = timeline_of(program_of(piuma({}, 1, 2, 1), {two_cores_tree()}, {{.elements = {0, 2}}}));
  EXPECT_EQ(lines_of(timeline), (std::vector<std::string>{"0 2500 the memory of core 0 reads 1 packet",
                                                          "2500 7500 a request crosses 1 core link, core 0 to core 1",
                                                          "7500 7500 the response starts at the switch of core 1",
                                                          "7500 12500 a response crosses 1 core link, core 1 to core 0",
                                                          "12500 15000 the memory of core 0 writes 1 packet"}));
  EXPECT_EQ(part(timeline, "latency"), 10000);
  EXPECT_EQ(part(timeline, "memory"), 5000);
  EXPECT_EQ(part(timeline, "link"), 0);
  EXPECT_EQ(part(timeline, "late"), -1) << "there is none";
}

TEST(SwitchTimeline, ShowsTheMemoryThatDecidesForLongVectors) {
  const Timeline timeline = timeline_of(program_of(piuma({}, 1, 2, 1), {two_cores_tree()}, {{.elements = {0, 200}}}));
  EXPECT_EQ(lines_of(timeline).front(), "0 250000 the memory of core 0 reads 100 packets");
  EXPECT_EQ(part(timeline, "memory"), 252500);
}

TEST(SwitchTimeline, ShowsALinkThatIsSlowerThanMemory) {
  HyperX network = piuma({}, 1, 2, 1);
  network.link_bandwidth = BytesPerSecond(1e9);  // 8 ns per packet
  const Timeline timeline = timeline_of(program_of(network, {two_cores_tree()}, {{.elements = {0, 20}}}));
  EXPECT_EQ(part(timeline, "link"), 9 * 8000);
}

TEST(SwitchTimeline, ShowsBuffersThatAreTooSmall) {
  HyperX network = piuma({}, 1, 2, 1);
  network.buffer_packets = 1;
  const Timeline timeline = timeline_of(program_of(network, {two_cores_tree()}, {{.elements = {0, 20}}}));
  EXPECT_EQ(part(timeline, "buffer"), 9 * 10000);
}

/// Bursts of packets wait a little for the memory that takes them, but the credits decide.
TEST(SwitchTimeline, TellsBuffersFromTheMemoryBehindThem) {
  HyperX network = piuma({2}, 1, 1, 1);
  network.buffer_packets = 16;
  const Ports ports(network);
  TestRows rows;
  rows[{2, 0, Channel::request}] = {{ports.memory()}, {ports.towards(2, 3)}};
  rows[{3, 0, Channel::request}] = {{ports.towards(3, 2)}, {ports.memory()}};
  const Timeline timeline = timeline_of(program_of(network, registers_of(rows, {{.elements = {0, 4096}}})));
  EXPECT_GT(part(timeline, "buffer"), 100 * part(timeline, "memory"));
}

TEST(SwitchTimeline, GoesBackOverIdsAndLateCores) {
  const auto program = program_of(piuma({}, 1, 2, 1), {two_cores_tree(0), two_cores_tree(1)},
                                  {{.elements = {0, 2}}, {.elements = {2, 2}}});
  const Timeline timeline = timeline_of(program, {.options = HyperXOptions{.late = {{0, Seconds(100e-9)}}}});
  EXPECT_EQ(lines_of(timeline).front(), "0 100000 core 0 starts late");
  EXPECT_EQ(timeline.path.size(), 1U + 5 + 5);
  EXPECT_EQ(timeline.path.back().end, Ticks(130000));
}

TEST(SwitchTimeline, HasATrackForEveryLinkAndMemoryOfASmallMachine) {
  const Timeline timeline = timeline_of(program_of(piuma({}, 1, 2, 1), {two_cores_tree()}, {{.elements = {0, 200}}}));
  std::vector<std::string> names;
  for (const TimelineTrack& track : timeline.tracks) names.push_back(track.name);
  EXPECT_EQ(names, (std::vector<std::string>{"link 0 to 1", "core 0 writes", "core 0 reads", "link 1 to 0",
                                             "core 1 writes", "core 1 reads"}));
  ASSERT_EQ(timeline.spans.size(), 6U);
  const TimelineSpan& request = timeline.spans[0];
  EXPECT_EQ(request.begin, Ticks(2500));
  EXPECT_EQ(request.end, Ticks(2500 + 99 * 2500 + 1000));
  EXPECT_EQ(request.in_use(), Ticks(100 * 1000)) << "between packets, the link is free";
  EXPECT_EQ(request.label, "request of id 0, 100 packets");
  EXPECT_EQ(timeline.kinds[static_cast<std::size_t>(request.kind)], "request");
}

TEST(SwitchTimeline, ShowsTheCriticalPathOfALargeMachine) {
  const HyperX network = piuma({4, 4}, 2, 4, 2);
  const NodeId ranks = rank_count(network);
  const Timeline timeline = timeline_of(program_of(network, {whole_tree(network, ranks)}, {{.elements = {0, 200}}}));
  EXPECT_LE(timeline.tracks.size(), kMostTracks);
  EXPECT_NE(timeline.tracks.front().name.find("reads"), std::string::npos);
  EXPECT_NE(timeline.tracks.back().name.find("writes"), std::string::npos);
}

/// Whatever the buffers, ids, slow and late cores: the chain has no gaps, and all of the time is on it.
RC_GTEST_PROP(SwitchTimeline, CriticalPathExplainsAllOfTheTime, ()) {
  const HyperX network = any_network();
  const std::int32_t ids = any(1, 3);
  const HyperXProgram program = program_of(network, any_trees(network, ids), any_segments(ids));
  RC_PRE(!check(program));
  const Result result = simulate(program, {.timeline = true, .options = any_options(network)});
  RC_ASSERT(!result.fault);
  Ticks now;
  for (const PathLine& line : result.timeline->path) {
    RC_ASSERT(line.begin == now);
    RC_ASSERT(line.end >= line.begin);
    now = line.end;
  }
  RC_ASSERT(now == *result.cycles);
  std::int64_t sum = 0;
  for (const PathPart& path_part : result.timeline->path_parts) sum += path_part.time.value();
  RC_ASSERT(Ticks(sum) == now);
  for (const TimelineSpan& span : result.timeline->spans) RC_ASSERT(span.in_use() <= span.end - span.begin);
}

TEST(HostTimeline, HasSoftwareNetworkAndMemoryOfEveryRound) {
  const Result result =
      simulate(*lower_for_hosts(exchange_of_two(1600), hyperx::two_cores(), {}).value(), {.timeline = true});
  ASSERT_TRUE(result.timeline);
  const Timeline& timeline = *result.timeline;
  ASSERT_EQ(timeline.tracks.size(), 2U);
  ASSERT_EQ(timeline.path.size(), 1U);
  EXPECT_EQ(timeline.path[0].end, *result.cycles);
  EXPECT_EQ(part(timeline, "software"), 1'200'000);
  EXPECT_EQ(part(timeline, "latency"), 20'000);
  EXPECT_EQ(part(timeline, "memory"), 5'000'000);
  ASSERT_EQ(timeline.spans.size(), 6U);
  EXPECT_EQ(timeline.spans[1].begin, Ticks(1'200'000));
  EXPECT_EQ(timeline.kinds[static_cast<std::size_t>(timeline.spans[2].kind)], "memory");
}

}  // namespace
}  // namespace muster::hyperx

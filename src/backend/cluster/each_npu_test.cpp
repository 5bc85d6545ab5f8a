#include "backend/cluster/each_npu.h"

#include <gtest/gtest.h>

#include "backend/cluster/cluster.h"
#include "backend/cluster/test_parts.h"
#include "base/index.h"
#include "machine/cluster.h"
#include "schedule/builder.h"
#include "schedule/verify.h"

namespace muster::cluster {
namespace {

/// 2 x 2 NPUs, equal dimensions.
Machine square() {
  Cluster cluster;
  for (int d = 0; d < 2; ++d) {
    cluster.dimensions.push_back({.kind = Cluster::Kind::ring,
                                  .size = 2,
                                  .link_bandwidth = BytesPerSecond(1e9),
                                  .links = 1,
                                  .latency = Seconds(1e-7)});
  }
  cluster.buffer_chunks = 2;
  return Machine{.name = "square", .summary = "", .network = cluster};
}

/// Chunks of 1000 words; every second one visits the second dimension first.
std::unique_ptr<ClusterProgram> program_of(int chunks) {
  ScheduleBuilder b({.nodes = 4, .count = 1000 * chunks, .output = 0});
  const SpanId whole = b.span({0, 1000}), low = b.span({0, 500}), high = b.span({500, 500});
  const auto wide = b.part(halves(1000)), narrow = b.part(halves(500));
  const auto rows = b.groups({{{0, 1}, whole}, {{2, 3}, whole}}),
             columns = b.groups({{{0, 2}, whole}, {{1, 3}, whole}});
  const auto rows_behind = b.groups({{{0, 1}, low}, {{2, 3}, high}});
  const auto columns_behind = b.groups({{{0, 2}, low}, {{1, 3}, high}});
  for (int c = 0; c < chunks; ++c) {
    const bool rows_first = c % 2 == 0;
    const auto first =
        b.phase({.part = wide, .groups = rows_first ? rows : columns, .offset = 1000 * c, .output = Buffer::input});
    b.phase({.part = narrow,
             .groups = rows_first ? columns_behind : rows_behind,
             .offset = 1000 * c,
             .output = Buffer::input,
             .after = {first}});
  }
  auto program = lower(std::move(b).finish(), square(), {});
  EXPECT_TRUE(program.ok()) << program.reason();
  return std::move(program).value();
}

TEST(EachNpu, TakesAsLongAsOneThatStandsForAllWhereAllAreAlike) {
  for (const int chunks : {1, 2, 7}) {
    const auto program = program_of(chunks);
    const Result each = simulate_each(*program, {}, {});
    EXPECT_FALSE(each.fault);
    EXPECT_EQ(each.cycles, simulate(*program, {}).cycles);
  }
}

TEST(EachNpu, WaitsForASlowOne) {
  const auto program = program_of(6);
  const Result each = simulate_each(*program, {.slow = {{3, 2.0}}}, {});
  EXPECT_FALSE(each.fault);
  EXPECT_GT(each.cycles->value(), simulate(*program, {}).cycles->value());
  EXPECT_LE(each.cycles->value(), 2 * simulate(*program, {}).cycles->value());
}

/// One chunk, rows first, 500 words each way at 4 ns: row 2-3 is 2 us slower when its link is twice as slow, and both columns wait
/// for it.
TEST(EachNpu, SlowsTheGroupThatUsesASlowLink) {
  const auto program = program_of(1);
  const std::int64_t alike = simulate(*program, {}).cycles->value();
  const auto with_slow = [&](NodeId a, NodeId b) {
    return simulate_each(*program, {.slow_links = {{.a = a, .b = b, .factor = 2}}}, {}).cycles->value();
  };
  EXPECT_EQ(with_slow(2, 3), alike + 2'000'000);
  EXPECT_EQ(with_slow(3, 1), alike + 1'000'000);
  EXPECT_EQ(with_slow(0, 3), alike) << "these two are in no group";
}

TEST(EachNpu, EnforcedOrderNeverDeadlocksAndArrivalOrderDoes) {
  const auto program = program_of(16);
  int stuck = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    EXPECT_FALSE(simulate_each(*program, {.jitter = 3, .seed = seed}, {}).fault) << seed;
    const Result free = simulate_each(*program, {.order = SendOrder::arrival, .jitter = 3, .seed = seed}, {});
    if (!free.fault) continue;
    ++stuck;
    EXPECT_EQ(free.fault->kind, "deadlock");
    EXPECT_NE(free.fault->message.find(" and waits for NPU "), std::string::npos) << free.fault->message;
  }
  EXPECT_GT(stuck, 100) << "NPUs that see chunks arrive in different orders wait for each other";
}

/// Two chunks of 1000 words through a switch that reduces: 4 us each, up and down, and 0.1 us for the way.
TEST(EachNpu, NeverWaitsForASwitchThatReduces) {
  Machine machine = square();
  auto& dimensions = as<Cluster>(machine)->dimensions;
  dimensions.resize(1);
  dimensions[0].kind = Cluster::Kind::switched;
  dimensions[0].size = 3;
  dimensions[0].reduces = true;
  ScheduleBuilder b({.nodes = 4, .count = 2000, .output = 0});
  const auto part = b.part(sum_at_switch(3, 1000));
  const auto all = b.groups({{{0, 1, 2, 3}, b.span({0, 1000})}});
  for (const std::int64_t offset : {0, 1000}) {
    b.phase({.part = part, .groups = all, .offset = offset, .output = Buffer::input});
  }
  const auto program = lower(std::move(b).finish(), machine, {});
  ASSERT_TRUE(program.ok()) << program.reason();
  const Result together = simulate(*program.value(), {});
  EXPECT_EQ(together.cycles, Ticks(8'100'000));
  EXPECT_EQ(together.resources[0].bytes, Bytes(3 * 2 * 4000));
  EXPECT_DOUBLE_EQ(together.utilization, 8.0 / 8.1);
  EXPECT_EQ(simulate_each(*program.value(), {}, {}).cycles, together.cycles);
  EXPECT_EQ(simulate_each(*program.value(), {.slow = {{2, 2.0}}}, {}).cycles, Ticks(16'100'000));
  EXPECT_FALSE(simulate_each(*program.value(), {.order = SendOrder::arrival, .jitter = 3, .seed = 1}, {}).fault);
}

/// The deadlock as a schedule: two NPUs that exchange halves of two chunks, the second NPU in the other order.
TEST(EachNpu, VerifierFindsTheDeadlockOfArrivalOrder) {
  for (const bool enforced : {true, false}) {
    ScheduleBuilder b({.nodes = 2, .count = 8, .output = 0});
    const auto exchange = [&](NodeId n, std::int64_t first, StreamId in, StreamId out) {
      const SpanId low = b.span({first, 2}), high = b.span({first + 4, 2});
      b.step(n, n == 0 ? low : high)
          .own(Buffer::input)
          .take(in)
          .store(Buffer::input)
          .send_old(Buffer::input, n == 0 ? high : low)
          .push(out);
    };
    const StreamId a_up = b.stream(0, 1, b.span({4, 2})), a_down = b.stream(1, 0, b.span({0, 2}));
    const StreamId b_up = b.stream(0, 1, b.span({6, 2})), b_down = b.stream(1, 0, b.span({2, 2}));
    exchange(0, 0, a_down, a_up);
    exchange(0, 2, b_down, b_up);
    if (enforced) exchange(1, 0, a_up, a_down);
    exchange(1, 2, b_up, b_down);
    if (!enforced) exchange(1, 0, a_up, a_down);
    b.contract({.collective = Collective::reduce_scatter, .ranks = {0, 1}, .count = 8, .to = Buffer::input});
    const Schedule schedule = std::move(b).finish();
    const Verdict verdict = verify(schedule, square());
    ASSERT_EQ(verdict.verified(), enforced);
    if (enforced) continue;
    EXPECT_EQ(verdict.counterexample->kind, Counterexample::Kind::wait_cycle);
  }
}

TEST(EachNpu, ShowsWhoSendsWhatWhen) {
  const auto program = program_of(2);
  ClusterOptions slow;
  slow.slow[3] = 2;
  const Result result = simulate_each(*program, slow, {.timeline = true});
  ASSERT_TRUE(result.timeline);
  const Timeline& timeline = *result.timeline;
  ASSERT_EQ(timeline.tracks.size(), 4U * 2U);
  EXPECT_EQ(timeline.tracks[7].name, "NPU 3, dimension 2");
  std::vector<Ticks> busy(timeline.tracks.size());
  for (std::size_t i = 0; i < timeline.spans.size(); ++i) {
    const TimelineSpan& span = timeline.spans[i];
    busy[at(span.track)] += span.end - span.begin;
    EXPECT_LE(span.end, *result.cycles);
    if (i == 0 || timeline.spans[i - 1].track != span.track) continue;
    EXPECT_LE(timeline.spans[i - 1].end, span.begin) << "a dimension sends one thing at a time";
  }
  EXPECT_EQ(busy[6], busy[0] * 2) << "NPU 3 and who is in its groups take twice as long";
  EXPECT_EQ(busy[4], busy[6]);
  EXPECT_EQ(busy[2], busy[0]);
}

}  // namespace
}  // namespace muster::cluster

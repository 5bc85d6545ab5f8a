#include "collective/dimensions/part.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "machine/cluster.h"
#include "schedule/interpret.h"
#include "schedule/rounds.h"
#include "schedule/verify.h"

namespace muster {
namespace {

Machine one_dimension(Cluster::Kind kind, std::int32_t size) {
  Cluster cluster;
  cluster.dimensions.push_back(
      {.kind = kind, .size = size, .link_bandwidth = BytesPerSecond(1e9), .links = 1, .latency = Seconds(1e-6)});
  cluster.buffer_chunks = 2;
  return Machine{.name = "one", .summary = "", .network = cluster};
}

RC_GTEST_PROP(DimensionPart, IsVerifiedForEverySizeAndCount, ()) {
  const auto kind = *rc::gen::element(Cluster::Kind::ring, Cluster::Kind::fully_connected, Cluster::Kind::switched);
  const auto collective = *rc::gen::element(Collective::reduce_scatter, Collective::allgather, Collective::all_to_all);
  const auto size = *rc::gen::inRange<std::int32_t>(2, 20);
  auto count = *rc::gen::inRange<std::int64_t>(1, 60);
  if (collective == Collective::all_to_all) count *= size;
  Machine machine = one_dimension(kind, size);
  Cluster::Dimension& dimension = as<Cluster>(machine)->dimensions[0];
  dimension.links = *rc::gen::inRange<std::int32_t>(1, 3);
  dimension.reduces = kind == Cluster::Kind::switched && *rc::gen::arbitrary<bool>();
  const Schedule part = dimension_part(as<Cluster>(machine)->dimensions[0], collective, count);
  const Verdict verdict = verify(part, machine, {});
  if (!verdict.verified()) RC_FAIL(verdict.counterexample->message);
}

/// Words that go from a member to another.
std::int64_t words_between(const Schedule& part, NodeId from, NodeId to) {
  std::int64_t words = 0;
  for (const Stream& stream : part.streams) {
    if (stream.source == from && part.sinks_of(stream).front() == to) words += part.spans.count(stream.elements);
  }
  return words;
}

TEST(DimensionPart, SendsHalfOfEveryBlockEachWayAroundARing) {
  for (const Collective collective : {Collective::reduce_scatter, Collective::allgather}) {
    const Schedule both = ring_part(collective, 4, 40, RingWays::both);
    EXPECT_EQ(words_between(both, 0, 1), 15);
    EXPECT_EQ(words_between(both, 0, 3), 15);
    const Schedule odd = ring_part(collective, 4, 12, RingWays::both);
    EXPECT_EQ(words_between(odd, 0, 1), 6);
    EXPECT_EQ(words_between(odd, 0, 3), 3);
    EXPECT_EQ(words_between(ring_part(collective, 4, 7, RingWays::both), 0, 3), 0) << "a block of one word";
    EXPECT_EQ(words_between(ring_part(collective, 4, 40, RingWays::one), 0, 3), 0);
  }
}

RC_GTEST_PROP(DimensionPart, TakesAsLongBothWaysAroundARingWithLinksThatAreTogetherAsFast, ()) {
  const auto collective = *rc::gen::element(Collective::reduce_scatter, Collective::allgather);
  const auto size = *rc::gen::inRange<std::int32_t>(2, 12);
  const auto count = *rc::gen::inRange<std::int64_t>(1, 100);
  const Rounds one_way = rounds_of(ring_part(collective, size, count, RingWays::one));
  const Rounds both = rounds_of(ring_part(collective, size, count, RingWays::both));
  RC_ASSERT(both.count == one_way.count);
  RC_ASSERT(both.words == one_way.words);
  RC_ASSERT(both.most == one_way.most);
  RC_ASSERT(both.sent == one_way.sent);
  for (std::size_t r = 0; r < one_way.each.size(); ++r) RC_ASSERT(both.each[r].words == one_way.each[r].words);
}

/// A block for a member k hops away is sent k times: by each of 4 members 1 + 2 + 1 times, if it can go both ways.
TEST(DimensionPart, ExchangesTheShorterWayAroundARing) {
  const auto sent = [](std::int32_t size, RingWays ways) {
    return rounds_of(ring_exchange_part(size, size, ways)).most;
  };
  EXPECT_EQ(sent(4, RingWays::both), 4);
  EXPECT_EQ(sent(5, RingWays::both), 6);
  EXPECT_EQ(sent(4, RingWays::one), 6);
  EXPECT_EQ(sent(5, RingWays::one), 10);
  EXPECT_EQ(rounds_of(ring_exchange_part(5, 5, RingWays::one)).count, 4);
  EXPECT_EQ(rounds_of(direct_exchange_part(5, 5)).count, 1);
  EXPECT_EQ(rounds_of(direct_exchange_part(5, 5)).most, 4);
}

TEST(DimensionPart, SendsEverythingOnceThroughASwitchThatReduces) {
  const auto rounds = [](Collective collective) { return rounds_of(reducing_part(collective, 4, 40)); };
  const Rounds both = rounds(Collective::allreduce);
  EXPECT_EQ(both.count, 2);  // up and down
  EXPECT_EQ(both.each[0].words, 40);
  EXPECT_EQ(both.each[1].switched, 40);
  EXPECT_EQ(both.sent, 4 * 40);
  EXPECT_EQ(rounds(Collective::reduce_scatter).words, 30);
  EXPECT_EQ(rounds(Collective::reduce_scatter).switched, 10) << "to each of its members";
  EXPECT_EQ(rounds(Collective::reduce_scatter).sent, 4 * 30);
  EXPECT_EQ(rounds(Collective::allgather).words, 10);
  EXPECT_EQ(rounds(Collective::allgather).switched, 30);
  EXPECT_EQ(rounds(Collective::allgather).sent, 4 * 30);
  for (const Collective collective : {Collective::allreduce, Collective::reduce_scatter, Collective::allgather}) {
    EXPECT_EQ(rounds(collective).count - rounds(collective).relays, 1) << "one way through the switch";
  }
  const Machine machine = [] {
    Machine switched = one_dimension(Cluster::Kind::switched, 4);
    as<Cluster>(switched)->dimensions[0].reduces = true;
    return switched;
  }();
  for (const Collective collective : {Collective::allreduce, Collective::reduce_scatter, Collective::allgather}) {
    const Verdict verdict = verify(reducing_part(collective, 4, 41), machine, {});
    EXPECT_TRUE(verdict.verified()) << verdict.counterexample->message;
  }
}

}  // namespace
}  // namespace muster

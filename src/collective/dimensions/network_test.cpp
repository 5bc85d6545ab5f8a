#include "collective/dimensions/network.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/index.h"
#include "collective/dimensions/pre_simulation.h"

namespace muster {

static bool operator==(const Begin& a, const Begin& b) {
  return a.chunk == b.chunk && a.operation == b.operation && a.time == b.time;
}

namespace {

ChunkOperation operation(std::int32_t dimension, std::int64_t sending, std::int64_t delay) {
  return {.dimension = dimension, .sending = Ticks(sending), .delay = Ticks(delay)};
}

TEST(DimensionNetwork, SendsWhatCameLaterBehindWhatCameFirst) {
  const ChunkOperations a{{operation(0, 10, 5)}};
  const ChunkOperations b{{operation(0, 3, 1)}};
  DimensionNetwork network(1, SendFirst::arrived);
  EXPECT_EQ(network.begin(a), 0);
  EXPECT_EQ(network.next_end(Ticks(4)), std::nullopt);
  EXPECT_EQ(network.now(), Ticks(4));
  EXPECT_EQ(network.begin(b), 1);
  EXPECT_EQ(network.left(0), Ticks(9));  // 6 of a, 3 of b
  // a sends until 10 and arrives at 15; b sends from 10 to 13 and arrives at 14.
  EXPECT_EQ(network.next_end(), 1);
  EXPECT_EQ(network.now(), Ticks(14));
  EXPECT_EQ(network.next_end(), 0);
  EXPECT_EQ(network.now(), Ticks(15));
  EXPECT_EQ(network.next_end(), std::nullopt);
  EXPECT_EQ(network.busy(0), Ticks(13));
  EXPECT_EQ(network.left(0), Ticks(0));
}

TEST(DimensionNetwork, LetsASmallChunkOfALaterCollectiveGoFirstUnderScf) {
  const ChunkOperations a{{operation(0, 10, 0)}, {operation(0, 10, 0)}};
  const ChunkOperations b{{operation(0, 2, 0)}};
  DimensionNetwork network(1, SendFirst::smallest);
  network.begin(a);
  EXPECT_EQ(network.next_end(Ticks(1)), std::nullopt);
  network.begin(b);
  EXPECT_EQ(network.next_end(), 1);  // after the first chunk of a, before the second
  EXPECT_EQ(network.now(), Ticks(12));
  EXPECT_EQ(network.next_end(), 0);
  EXPECT_EQ(network.now(), Ticks(22));
}

TEST(DimensionNetwork, SendsNothingAtTheEndOfACollectiveBeforeItIsAskedToGoOn) {
  const ChunkOperations a{{operation(0, 10, 0)}};
  const ChunkOperations b{{operation(0, 9, 0)}};
  const ChunkOperations c{{operation(0, 1, 0)}};
  DimensionNetwork network(1, SendFirst::smallest);
  network.begin(a);
  ASSERT_EQ(network.next_end(Ticks(5)), std::nullopt);
  network.begin(b);
  EXPECT_EQ(network.next_end(), 0);  // at 10, when b could begin
  network.begin(c);
  EXPECT_EQ(network.next_end(), 2);
  EXPECT_EQ(network.now(), Ticks(11));
}

TEST(DimensionNetwork, EndsACollectiveWithoutChunksAtOnce) {
  const ChunkOperations none;
  DimensionNetwork network(2, SendFirst::feeding);
  EXPECT_EQ(network.next_end(Ticks(7)), std::nullopt);
  network.begin(none);
  EXPECT_EQ(network.next_end(Ticks(9)), 0);
  EXPECT_EQ(network.now(), Ticks(7));
}

ChunkOperations any_chunks(std::int32_t dimensions) {
  ChunkOperations chunks(*rc::gen::inRange<std::size_t>(1, 12));
  for (auto& operations : chunks) {
    const auto count = *rc::gen::inRange(0, 6);
    for (int i = 0; i < count; ++i) {
      operations.push_back(operation(*rc::gen::inRange<std::int32_t>(0, dimensions), *rc::gen::inRange(0, 20),
                                     *rc::gen::inRange(0, 10)));
    }
  }
  return chunks;
}

RC_GTEST_PROP(DimensionNetwork, SendsCollectivesThatBeginAtOnceAsOneOfAllTheirChunks, ()) {
  const ChunkOperations chunks = any_chunks(3);
  const auto first = *rc::gen::element(SendFirst::arrived, SendFirst::smallest, SendFirst::feeding);
  const Timetable table = pre_simulate(chunks, 3, first);
  std::vector<ChunkOperations> single;
  for (const auto& operations : chunks) single.push_back({operations});
  DimensionNetwork network(3, first);
  for (const ChunkOperations& operations : single) network.begin(operations);
  std::size_t ended = 0;
  // Standing still now and then changes nothing.
  for (std::int64_t limit = 0; ended < chunks.size(); limit += *rc::gen::inRange(1, 15)) {
    while (network.next_end(Ticks(limit))) ++ended;
    RC_ASSERT(network.now() == Ticks(limit));
  }
  RC_ASSERT(network.begins() == table.begins);
}

RC_GTEST_PROP(DimensionNetwork, TakesThePlansTimesWhereACollectiveWithAPlanIsAlone, ()) {
  const ChunkOperations chunks = any_chunks(3);
  const Timetable table =
      pre_simulate(chunks, 3, *rc::gen::element(SendFirst::arrived, SendFirst::smallest, SendFirst::feeding));
  DimensionNetwork network(3, *rc::gen::element(SendFirst::arrived, SendFirst::smallest));
  network.begin(chunks, table.begins);
  RC_ASSERT(network.next_end() == 0);
  RC_ASSERT(network.begins() == table.begins);
  RC_ASSERT(network.now() == table.end);
}

TEST(DimensionNetwork, LetsTheRuleDecideBetweenPlans) {
  const ChunkOperations a{{operation(0, 10, 0)}, {operation(0, 4, 0)}};
  const ChunkOperations b{{operation(0, 5, 0)}};
  const std::vector<Begin> large_first{{.chunk = 0, .operation = 0, .time = Ticks(0)},
                                       {.chunk = 1, .operation = 0, .time = Ticks(10)}};
  DimensionNetwork network(1, SendFirst::smallest);
  network.begin(a, large_first);
  network.begin(b, {{.chunk = 0, .operation = 0, .time = Ticks(0)}});
  EXPECT_EQ(network.next_end(), 1);  // 5 before 10; the 4 are behind the 10
  EXPECT_EQ(network.now(), Ticks(5));
  EXPECT_EQ(network.next_end(), 0);
  EXPECT_EQ(network.begins().back().chunk, 1);
}

}  // namespace
}  // namespace muster

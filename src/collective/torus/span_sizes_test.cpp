#include "collective/torus/span_sizes.h"

#include <gtest/gtest.h>

#include "collective/torus/torus_test_machines.h"
#include "schedule/builder.h"

namespace muster {
namespace {

constexpr std::int64_t kTileWords = 512;  // of 16-bit elements

TEST(SpanSizes, OfWholeTilesAreTheirBytesInPackets) {
  const Machine machine = test_wormhole(2);
  ScheduleBuilder b({.nodes = 2, .count = 8 * kTileWords});
  const SpanId all = b.span({0, 8 * kTileWords});
  const Schedule flat = std::move(b).finish();
  const SpanSize size = SpanSizes(flat, *as<Torus>(machine), kTileWords).of(all);
  EXPECT_EQ(size.ranges, 1);
  EXPECT_EQ(size.tiles, 8);
  EXPECT_EQ(size.bytes, 16'384);
  EXPECT_EQ(size.packets, 2);
}

TEST(SpanSizes, HaveATileForEveryPieceAndSendLittlePaddingAlong) {
  const Machine machine = test_wormhole(2);
  ScheduleBuilder b({.nodes = 2, .count = 1000});
  const SpanId all = b.span({0, 1000});
  (void)b.span({0, 15});    // cuts it after 15 words: 1,988 bytes of padding are not sent, so there are two calls
  (void)b.span({15, 400});  // and after 415: the padding of 448 bytes is sent
  const Schedule flat = std::move(b).finish();
  const SpanSize size = SpanSizes(flat, *as<Torus>(machine), kTileWords).of(all);
  EXPECT_EQ(size.tiles, 1 + 1 + 2);
  EXPECT_EQ(size.packets, 2);
  EXPECT_EQ(size.bytes, 15 * 4 + 2048 + 585 * 4);
}

}  // namespace
}  // namespace muster

#include "backend/cluster/msccl/chunks.h"

#include <gtest/gtest.h>

#include <array>

#include "backend/cluster/msccl/algo.h"
#include "schedule/builder.h"

namespace muster::msccl {
namespace {

/// An allreduce of `count` words whose one message has the elements `sent`.
ScheduleBuilder one_message(std::int64_t count, SpanId& sent, std::span<const Range> ranges) {
  ScheduleBuilder b({.nodes = 2, .count = count, .output = 0});
  sent = b.span(ranges);
  const StreamId s = b.stream(0, 1, sent);
  b.step(0, sent).own(Buffer::input).push(s);
  b.step(1, sent).take(s).store(Buffer::input);
  b.contract({.collective = Collective::allreduce, .ranks = {0, 1}, .count = count, .to = Buffer::input});
  return b;
}

ChunkGrid grid_of(const Schedule& flat) {
  Outcome<ChunkGrid> grid = ChunkGrid::of(flat);
  EXPECT_TRUE(grid) << grid.reason();
  return std::move(grid).value();
}

std::string refusal(const Schedule& flat) {
  const Outcome<ChunkGrid> grid = ChunkGrid::of(flat);
  return grid ? "none" : grid.reason();
}

std::vector<std::pair<std::int64_t, std::int32_t>> pieces(const ChunkGrid& grid, SpanId span) {
  std::vector<std::pair<std::int64_t, std::int32_t>> all;
  for (const Piece& piece : grid.pieces(span)) all.emplace_back(piece.first, piece.count);
  return all;
}

using Pieces = std::vector<std::pair<std::int64_t, std::int32_t>>;

TEST(ChunkGrid, TakesTheLargestChunkThatAllSpansConsistOf) {
  SpanId sent = 0;
  const std::array<Range, 2> ranges{{{7, 14}, {28, 7}}};
  const Schedule flat = std::move(one_message(35, sent, ranges)).finish();
  const ChunkGrid grid = grid_of(flat);
  EXPECT_EQ(grid.words(), 7);
  EXPECT_EQ(grid.chunks(35), 5);
  EXPECT_EQ(grid.chunk(sent, 0), 1);
  EXPECT_EQ(grid.chunk(sent, 1), 2);
  EXPECT_EQ(grid.chunk(sent, 2), 4) << "behind the gap";
  EXPECT_EQ(pieces(grid, sent), (Pieces{{0, 2}, {2, 1}}));
}

TEST(ChunkGrid, TakesTheWholeVectorWhereNothingIsCut) {
  SpanId sent = 0;
  const std::array<Range, 1> ranges{{{0, 1001}}};
  const Schedule flat = std::move(one_message(1001, sent, ranges)).finish();
  const ChunkGrid grid = grid_of(flat);
  EXPECT_EQ(grid.words(), 1001);
  EXPECT_EQ(pieces(grid, sent), (Pieces{{0, 1}}));
}

TEST(ChunkGrid, CutsLongPiecesAtTheFormatsLimit) {
  SpanId sent = 0;
  const std::array<Range, 1> ranges{{{1, 2 * kMostChunksPerStep + 5}}};
  const Schedule flat = std::move(one_message(2 * kMostChunksPerStep + 6, sent, ranges)).finish();
  EXPECT_EQ(pieces(grid_of(flat), sent),
            (Pieces{{0, kMostChunksPerStep}, {kMostChunksPerStep, kMostChunksPerStep}, {2 * kMostChunksPerStep, 5}}));
}

TEST(ChunkGrid, CutsWhereAnyBufferOfAStepHasAGap) {
  ScheduleBuilder b({.nodes = 2, .count = 12, .output = 0});
  const std::array<Range, 2> apart{{{0, 2}, {6, 4}}}, swapped{{{8, 4}, {0, 2}}};
  const SpanId row = b.span({0, 6}), gap = b.span(apart), other = b.span(swapped), unused = b.span({3, 3});
  const StreamId s = b.stream(0, 1, row);
  b.step(0, row).own(Buffer::input, gap).push(s);
  b.step(1, row).take(s).store(Buffer::input, other);
  b.contract({.collective = Collective::allreduce, .ranks = {0, 1}, .count = 12, .to = Buffer::input});
  const Schedule flat = std::move(b).finish();
  const ChunkGrid grid = grid_of(flat);
  EXPECT_EQ(grid.words(), 2);
  EXPECT_EQ(pieces(grid, row), (Pieces{{0, 1}, {1, 1}, {2, 1}})) << "at 1 for what is read, at 2 for what is stored";
  EXPECT_EQ(pieces(grid, unused), Pieces{});
}

TEST(ChunkGrid, CutsMessagesOfAnExchangeAsWhatIsSentLies) {
  ScheduleBuilder b({.nodes = 2, .count = 8, .output = 0});
  const std::array<Range, 2> apart{{{0, 1}, {2, 3}}};
  const SpanId kept = b.span({4, 4}), message = b.span({0, 4}), sent = b.span(apart);
  const StreamId s = b.stream(0, 1, message), t = b.stream(1, 0, kept);
  b.step(0, kept).take(t).store(Buffer::input).send_old(Buffer::input, sent).push(s);
  b.step(1, message).take(s).store(Buffer::input).send_old(Buffer::input, kept).push(t);
  b.contract({.collective = Collective::allreduce, .ranks = {0, 1}, .count = 8, .to = Buffer::input});
  const Schedule flat = std::move(b).finish();
  EXPECT_EQ(pieces(grid_of(flat), message), (Pieces{{0, 1}, {1, 3}}));
}

TEST(ChunkGrid, RefusesUnevenPieces) {
  SpanId sent = 0;
  const std::array<Range, 1> uneven{{{3, 4}}};
  EXPECT_EQ(
      refusal(std::move(one_message(10, sent, uneven)).finish()),
      "the vector of 10 elements is cut into 3 pieces whose sizes are not multiples of the smallest, as MSCCL needs; "
      "use another count or fewer chunks");
  const std::array<Range, 3> more{{{0, 2}, {4, 2}, {7, 1}}};
  EXPECT_EQ(refusal(std::move(one_message(8, sent, more)).finish()), "none") << "every word is a chunk";
  const std::array<Range, 1> long_range{{{0, kMostChunks + 1}}}, short_range{{{0, 1}}};
  EXPECT_EQ(refusal(std::move(one_message(kMostChunks + 1, sent, long_range)).finish()), "none");
  EXPECT_EQ(
      refusal(std::move(one_message(kMostChunks + 1, sent, short_range)).finish()),
      "the vector of 1048577 elements is cut into 2 pieces whose sizes are not multiples of the smallest, as MSCCL "
      "needs; use another count or fewer chunks");
}

}  // namespace
}  // namespace muster::msccl

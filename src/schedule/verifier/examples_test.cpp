// The seven examples that a schedule must say naturally, each on a machine that can run it.
#include "schedule/phase.h"
#include "schedule/verifier/phases_test_support.h"
#include "schedule/verifier/verify_test_support.h"

namespace muster::examples {
namespace {

TEST(Examples, ReductionTreesOnARow) {
  for (const NodeId nodes : {2, 3, 7, 8, 13}) {
    const Machine row = mesh(nodes, 1);
    for (const std::int64_t count : {1, 5, 1000}) {
      EXPECT_TRUE(is_verified(reduce_by_tree(chain_tree(nodes), 0, count), row));
      EXPECT_TRUE(is_verified(reduce_by_tree(star_tree(nodes), 0, count), row));
      EXPECT_TRUE(is_verified(reduce_by_tree(binomial_tree(nodes), 0, count), row));
      EXPECT_TRUE(is_verified(reduce_by_tree(two_phase_tree(nodes, 3), 0, count), row));
    }
  }
}

TEST(Examples, AnArbitraryPreOrderTree) {
  const Tree tree = tree_from_parents({-1, 0, 1, 1, 3, 0, 5, 5, 0});
  EXPECT_TRUE(is_verified(reduce_by_tree(tree, 0, 64), mesh(9, 1)));
  EXPECT_TRUE(is_verified(reduce_by_tree(tree, 0, 64), mesh(9, 1), kFingerprints));
}

TEST(Examples, BothSidesOfARowReduceTowardsAMiddleRoot) {
  for (const NodeId root : {0, 3, 6}) {
    EXPECT_TRUE(is_verified(reduce_by_tree(middle_root_tree(7, root), root, 33), mesh(7, 1)));
  }
}

TEST(Examples, AFloodIsOneMulticastStream) {
  for (const NodeId root : {0, 2, 11}) {
    const Schedule row = flood(12, root, 100);
    EXPECT_EQ(row.streams.size(), 1U);
    EXPECT_TRUE(is_verified(row, mesh(12, 1)));
    EXPECT_TRUE(is_verified(row, mesh(4, 3))) << "on a grid";
  }
}

TEST(Examples, RingsInBothMappingsWithBlocksLargerThanAnyBuffer) {
  for (const NodeId nodes : {2, 3, 5, 8}) {
    for (const std::int64_t count : {nodes * 100, nodes * 100 + 1, 1}) {
      EXPECT_TRUE(is_verified(ring_allreduce(plain_ring(nodes), count), mesh(nodes, 1, 2)));
      EXPECT_TRUE(is_verified(ring_allreduce(folded_ring(nodes), count), mesh(nodes, 1, 2)));
    }
  }
}

TEST(Examples, AFoldedRingGoesAtMostTwoHopsAtATime) {
  EXPECT_EQ(folded_ring(7), (std::vector<NodeId>{0, 2, 4, 6, 5, 3, 1}));
  EXPECT_EQ(folded_ring(8), (std::vector<NodeId>{0, 2, 4, 6, 7, 5, 3, 1}));
}

TEST(Examples, RecursiveDoublingAndSwingExchangeWholeVectors) {
  for (const NodeId nodes : {2, 4, 8, 16}) {
    EXPECT_TRUE(is_verified(exchange_whole(nodes, doubling_partner, 50), mesh(nodes, 1)));
    EXPECT_TRUE(is_verified(exchange_whole(nodes, swing_partner(nodes), 50), mesh(nodes, 1)));
  }
}

TEST(Examples, RecursiveDoublingAndSwingExchangeScatteredBlocks) {
  for (const NodeId nodes : {2, 4, 8, 16}) {
    for (const std::int64_t count : {16 * 7, 16 * 7 + 3, 5}) {
      EXPECT_TRUE(is_verified(exchange_blocks(nodes, doubling_partner, count), mesh(nodes, 1)));
      EXPECT_TRUE(is_verified(exchange_blocks(nodes, swing_partner(nodes), count), mesh(nodes, 1)));
    }
  }
  const Schedule swing = exchange_blocks(8, swing_partner(8), 80);
  bool scattered = false;
  for (SpanId id = 0; id < swing.spans.size(); ++id) scattered |= swing.spans.ranges(id).size() > 1;
  EXPECT_TRUE(scattered);
}

TEST(Examples, SwitchesReduceAndTheSameTreeBackwardsBroadcasts) {
  const Machine machine = hyperx(4, 3);
  ASSERT_EQ(node_count(machine), 24);
  const Tree tree = tree_from_parents({-1, 0, 1, 2, 0, 4, 5, 6, 4, 8, 9, 10});
  for (const std::int64_t count : {1, 1000}) {
    EXPECT_TRUE(is_verified(switch_reduce(tree, count), machine));
    EXPECT_TRUE(is_verified(switch_broadcast(tree, count), machine));
  }
  const Schedule reduce = switch_reduce(tree, 10);
  std::int32_t widest = 0;
  for (const Step& step : reduce.steps) widest = std::max(widest, step.operands.count);
  EXPECT_EQ(widest, 3) << "a switch combines its core and two others at once";
}

TEST(Examples, ChunksVisitThreeDimensionsEachInItsOwnOrder) {
  const std::vector<std::int32_t> sizes = {2, 3, 4};
  const Schedule phases = ChunkedAllreduce(sizes, 3 * 24 * 5).build();
  EXPECT_EQ(phases.phases.size(), 18U);
  EXPECT_TRUE(is_verified(phases, cluster(sizes)));
  EXPECT_TRUE(is_verified(phases, cluster(sizes), kFingerprints));
  const Schedule flat = expand(phases);
  EXPECT_TRUE(flat.is_flat());
  EXPECT_TRUE(is_verified(flat, cluster(sizes)));
}

TEST(Examples, RowsThenAColumnAsTwoPhases) {
  const Schedule phases = row_then_column_reduce(5, 3, 17, true);
  EXPECT_TRUE(is_verified(phases, mesh(5, 3)));
  EXPECT_TRUE(is_verified(expand(phases), mesh(5, 3)));
}

TEST(Examples, AStencilSendsToFourNeighboursInFiveTurns) {
  for (const std::int32_t width : {2, 5, 6, 13}) {
    EXPECT_TRUE(is_verified(stencil(width, 2, 40), mesh(width, 2)));
  }
}

TEST(Examples, ABarrierByDisseminationRepeatsTokens) {
  for (const NodeId nodes : {3, 5, 300}) {
    const Schedule barrier = dissemination(nodes, doubling_distances(nodes));
    EXPECT_TRUE(is_verified(barrier, mesh(nodes, 1)));
    EXPECT_TRUE(is_verified(barrier, mesh(nodes, 1), kFingerprints));
    Schedule sum = barrier;
    sum.contracts[0].collective = Collective::allreduce;
    EXPECT_EQ(refusal(sum, mesh(nodes, 1)).kind, Kind::doubled);
  }
}

TEST(Examples, SeveralContractsAtOnce) {
  // Two rows of three, each reducing to its own first processor.
  ScheduleBuilder b({.nodes = 6, .count = 4});
  const SpanId all = b.span({0, 4});
  for (const NodeId first : {0, 3}) {
    const StreamId s = b.stream(first + 2, first + 1, all);
    const StreamId t = b.stream(first + 1, first, all);
    b.step(first + 2, all).own(Buffer::input).push(s);
    b.step(first + 1, all).own(Buffer::input).take(s).push(t);
    b.step(first, all).own(Buffer::input).take(t).store(Buffer::output);
    b.contract({.collective = Collective::reduce, .ranks = {first, first + 1, first + 2}, .root = 0, .count = 4});
  }
  EXPECT_TRUE(is_verified(std::move(b).finish(), mesh(3, 2)));
}

}  // namespace
}  // namespace muster::examples

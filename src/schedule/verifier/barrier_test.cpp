// Barriers may repeat contributions, which fingerprints cannot judge: windows of origins do.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <ctime>

#include "base/error.h"
#include "schedule/verifier/exchanges_test_support.h"
#include "schedule/verifier/verify_test_support.h"

namespace muster::examples {
namespace {

TEST(Barrier, AMissingTokenIsNamedWhateverItsWindow) {
  constexpr NodeId kNodes = 300;
  std::vector<NodeId> distances = doubling_distances(kNodes);
  distances.back() = kNodes - 257;  // 256 nodes are heard of after eight rounds: of the last 44, one is left out
  const Counterexample wrong = refusal(dissemination(kNodes, distances), mesh(kNodes, 1));
  EXPECT_EQ(wrong.kind, Kind::missing);
  EXPECT_EQ(wrong.node, 0);
  EXPECT_TRUE(says(wrong, "element 0 lacks the contribution of rank 1 (PE (1,0))"));
  distances.back() = kNodes - 256;
  EXPECT_TRUE(is_verified(dissemination(kNodes, distances), mesh(kNodes, 1)));
}

TEST(Barrier, OfThousandsOfNodesIsVerifiedInSeconds) {
  constexpr NodeId kNodes = 5000;
  const std::clock_t start = std::clock();
  const Verdict verdict = verify(dissemination(kNodes, doubling_distances(kNodes)), mesh(kNodes, 1));
  EXPECT_TRUE(verdict.verified());
  EXPECT_EQ(verdict.error_probability, 0) << "exact";
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 20) << "about one; more in a sanitizer build";
}

RC_GTEST_PROP(BarrierProperty, WindowsAgreeWithExactSets, ()) {
  const auto nodes = *rc::gen::inRange<NodeId>(2, 200);
  std::vector<NodeId> distances = doubling_distances(nodes);
  for (NodeId& distance : distances) {
    if (*rc::gen::inRange(0, 10) == 0) distance = *rc::gen::inRange<NodeId>(1, nodes);
  }
  const Schedule schedule = dissemination(nodes, distances);
  const Verdict exact = verify(schedule, mesh(nodes, 1));
  const Verdict windows = verify(schedule, mesh(nodes, 1), kFingerprints);
  RC_TAG(exact.verified());
  RC_ASSERT(exact.verified() == windows.verified());
  if (!exact.verified()) RC_ASSERT(exact.counterexample->kind == windows.counterexample->kind);
}

/// A chain to node 0 that takes node 1's token twice, and a flood back.
Schedule repetitive_barrier(NodeId nodes) {
  ScheduleBuilder b({.nodes = nodes, .count = 1});
  const SpanId token = b.span({0, 1});
  const StreamId again = b.stream(1, 0, token);
  std::vector<NodeId> others = first_nodes(nodes);
  others.erase(others.begin());
  const StreamId down = b.multicast(0, others, token);
  StreamId up = 0;
  for (NodeId v = nodes - 1; v > 0; --v) {
    auto step = b.step(v, token).own(Buffer::input);
    if (v < nodes - 1) step.take(up);
    step.push(up = b.stream(v, v - 1, token));
    if (v == 1) step.push(again);
    b.step(v, token).take(down).store(Buffer::output);
  }
  b.step(0, token).own(Buffer::input).take(up).take(again).store(Buffer::output).push(down);
  b.contract({.collective = Collective::barrier, .ranks = first_nodes(nodes), .count = 1});
  return std::move(b).finish();
}

TEST(Barrier, TooLargeForAnExactProofIsSaidSo) {
  EXPECT_TRUE(is_verified(repetitive_barrier(1000), mesh(1000, 1)));
  try {
    (void)verify(repetitive_barrier(150'000), mesh(150'000, 1));
    FAIL() << "verified";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()),
              "a barrier that combines tokens repeatedly needs exact verification, which is too expensive for 150000 "
              "nodes and 299999 steps; use fewer nodes, or combine each token once");
  }
}

}  // namespace
}  // namespace muster::examples

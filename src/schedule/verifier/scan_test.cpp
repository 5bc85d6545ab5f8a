// A scan's ranks must be combined in their order.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/index.h"
#include "schedule/verifier/exchanges_test_support.h"
#include "schedule/verifier/verify_test_support.h"

namespace muster::examples {
namespace {

/// A chain along a row. Rank `turned` puts its own vector first.
Schedule chain_scan(NodeId nodes, NodeId turned = -1) {
  ScheduleBuilder b({.nodes = nodes, .count = 4});
  const SpanId all = b.span({0, 4});
  StreamId before = 0;
  for (NodeId v = 0; v < nodes; ++v) {
    const StreamId next = v + 1 < nodes ? b.stream(v, v + 1, all) : -1;
    auto step = b.step(v, all);
    if (v == turned) step.own(Buffer::input);
    if (v > 0) step.take(before);
    if (v != turned) step.own(Buffer::input);
    step.store(Buffer::output);
    if (next >= 0) step.push(next);
    before = next;
  }
  b.contract({.collective = Collective::scan, .ranks = first_nodes(nodes), .count = 4});
  return std::move(b).finish();
}

TEST(Scan, OfAChainIsProvenExactlyAtAnySize) {
  for (const NodeId nodes : {1, 2, 7, 1000}) {
    const Verdict verdict = verify(chain_scan(nodes), mesh(nodes, 1), kFingerprints);
    EXPECT_TRUE(verdict.verified());
    EXPECT_EQ(verdict.error_probability, 0);
  }
}

TEST(Scan, AnotherOrderIsNamed) {
  const Counterexample wrong = refusal(chain_scan(5, 2), mesh(5, 1));
  EXPECT_EQ(wrong.kind, Kind::disordered);
  EXPECT_EQ(wrong.node, 2);
  EXPECT_TRUE(
      says(wrong,
           "rank 2 (PE (2,0)) must hold the combination of ranks 0 to 2, in that order, in elements [0,4) of output; "
           "element 0 has them in a different order"));
}

TEST(Scan, AMissingRankIsNamedAndOneTooManyIs) {
  Schedule schedule = chain_scan(4);
  std::swap(schedule.contracts[0].ranks[1], schedule.contracts[0].ranks[2]);
  const Counterexample wrong = refusal(schedule, mesh(4, 1));
  EXPECT_EQ(wrong.kind, Kind::foreign);
  EXPECT_TRUE(says(wrong, "contains element 0 of input of rank 2 (PE (1,0)), which does not belong there"));
}

TEST(Scan, StandsAloneAndHasNoPhases) {
  Schedule schedule = chain_scan(4);
  schedule.contracts.push_back(schedule.contracts[0]);
  EXPECT_TRUE(
      says(refusal(schedule, mesh(4, 1)), "contract 1 is the second scan of PE (0,0); a node takes part in one"));
  schedule.contracts[1].collective = Collective::allreduce;
  EXPECT_TRUE(says(refusal(schedule, mesh(4, 1)), "contract 1 is not a scan, but others are"));
}

/// The reference: texts, put together as the operators say.
RC_GTEST_PROP(ScanProperty, WhatHasAllRanksInOrderIsAccepted, ()) {
  const auto nodes = *rc::gen::inRange<NodeId>(2, 7);
  ScheduleBuilder b({.nodes = nodes, .count = 1, .scratch = nodes});
  const SpanId single = b.span({0, 1});
  std::vector<std::string> held(at(nodes));
  for (NodeId v = 0; v < nodes; ++v) held[at(v)] = std::string(1, static_cast<char>('a' + v));
  std::vector<bool> has_stored(at(nodes));
  const auto hold_in = [&](NodeId v) { return has_stored[at(v)] ? Buffer::output : Buffer::input; };
  const auto give = [&](NodeId from, NodeId to, bool first) {
    const StreamId stream = b.stream(from, to, single);
    b.step(from, single).own(hold_in(from)).push(stream);
    auto step = b.step(to, single);
    if (first) step.take(stream);
    step.own(hold_in(to));
    if (!first) step.take(stream);
    step.store(Buffer::output);
    has_stored[at(to)] = true;
    held[at(to)] = first ? held[at(from)] + held[at(to)] : held[at(to)] + held[at(from)];
  };
  const bool disturbed = *rc::gen::arbitrary<bool>();
  const NodeId where = *rc::gen::inRange<NodeId>(1, nodes);
  for (NodeId v = 1; v < nodes; ++v) give(v - 1, v, !(disturbed && v == where && *rc::gen::arbitrary<bool>()));
  b.step(0, single).own(Buffer::input).store(Buffer::output);
  b.contract({.collective = Collective::scan, .ranks = first_nodes(nodes), .count = 1});
  const Verdict verdict = verify(std::move(b).finish(), mesh(nodes, 1));
  bool in_order = true;
  for (NodeId v = 0; v < nodes; ++v) in_order &= held[at(v)] == std::string("abcdefgh").substr(0, at(v) + 1);
  RC_TAG(in_order);
  RC_ASSERT(verdict.verified() == in_order);
  if (!in_order) RC_ASSERT(verdict.counterexample->kind == Kind::disordered);
}

}  // namespace
}  // namespace muster::examples

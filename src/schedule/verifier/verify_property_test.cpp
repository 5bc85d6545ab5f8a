// Properties of the verifier: right schedules of random shape are accepted; dropping, duplicating, retargeting or
// shifting a stream or a step is always refused; whatever else is corrupted is refused or computes the same.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/error.h"
#include "schedule/interpret.h"
#include "schedule/phase.h"
#include "schedule/verifier/mutations_test_support.h"
#include "schedule/verifier/phases_test_support.h"
#include "schedule/verify.h"

namespace muster::examples {
namespace {

RC_GTEST_PROP(VerifyProperty, RandomPreOrderTreesAreAccepted, ()) {
  const auto nodes = *rc::gen::inRange<NodeId>(1, 40);
  const auto count = *rc::gen::inRange<std::int64_t>(1, 100);
  const Schedule schedule = reduce_by_tree(tree_from_parents(any_preorder_tree(nodes)), 0, count);
  RC_ASSERT(verify(schedule, mesh(nodes, 1)).verified());
  const Verdict fingerprints = verify(schedule, mesh(nodes, 1), {.seed = 3, .exact_nodes = 0});
  RC_ASSERT(fingerprints.verified());
  RC_ASSERT(fingerprints.error_probability < 1e-18);
}

RC_GTEST_PROP(VerifyProperty, TheOtherExamplesAreAcceptedInRandomSizes, ()) {
  const Case right = any_right_case();
  RC_ASSERT(verify(right.schedule, right.machine).verified());
}

using Mutation = void (*)(Schedule&);

void expect_always_refused(Mutation mutate) {
  Case wrong = any_right_case();
  mutate(wrong.schedule);
  for (const NodeId exact : {kExactNodes, 0}) {
    const Verdict verdict = verify(wrong.schedule, wrong.machine, {.seed = 5, .exact_nodes = exact});
    RC_ASSERT(!verdict.verified());
    RC_ASSERT(!verdict.counterexample->message.empty());
  }
}

// Every step of these examples takes or pushes a stream. A step that only copies inside its node does the same when it
// runs twice: see ADuplicatedCopyInsideANodeIsAccepted.
RC_GTEST_PROP(VerifyProperty, ADroppedStepIsRefused, ()) { expect_always_refused(drop_step); }
RC_GTEST_PROP(VerifyProperty, ADuplicatedStepIsRefused, ()) { expect_always_refused(duplicate_step); }
RC_GTEST_PROP(VerifyProperty, ADroppedStreamIsRefused, ()) { expect_always_refused(drop_stream); }
RC_GTEST_PROP(VerifyProperty, ADuplicatedStreamIsRefused, ()) { expect_always_refused(duplicate_stream); }
RC_GTEST_PROP(VerifyProperty, ARetargetedStreamIsRefused, ()) { expect_always_refused(retarget_stream); }
RC_GTEST_PROP(VerifyProperty, ARetargetedStepIsRefused, ()) { expect_always_refused(retarget_step); }
RC_GTEST_PROP(VerifyProperty, AShiftedStreamIsRefused, ()) { expect_always_refused(shift_stream); }
RC_GTEST_PROP(VerifyProperty, AShiftedStepIsRefused, ()) { expect_always_refused(shift_step); }

TEST(Verify, ADuplicatedCopyInsideANodeIsAccepted) {
  ScheduleBuilder b({.nodes = 1, .count = 8});
  const SpanId all = b.span({0, 8});
  b.step(0, all).own(Buffer::input).store(Buffer::output);
  b.contract({.collective = Collective::allreduce, .ranks = {0}, .count = 8});
  Schedule schedule = std::move(b).finish();
  schedule.steps.push_back(schedule.steps[0]);
  schedule.steps[1].operands = append(schedule.operands, {kOwn});
  schedule.lanes[0].count = 2;
  ASSERT_EQ(schedule.steps.size(), 2U);
  EXPECT_TRUE(verify(schedule, mesh(1, 1)).verified());
}

RC_GTEST_PROP(VerifyProperty, ACorruptedScheduleIsRefusedOrStillComputesTheSame, ()) {
  const Case right = any_right_case();
  Case wrong = right;
  for (int i = *rc::gen::inRange(1, 4); i > 0; --i) corrupt_anything(wrong.schedule);
  if (!verify(wrong.schedule, wrong.machine).verified()) return;
  const Arithmetic arithmetic{.type = ElementType::i32, .op = Operator::sum};
  const Outputs expected = interpret(right.schedule, arithmetic, 1);
  const Outputs actual = interpret(wrong.schedule, arithmetic, 1);
  RC_ASSERT(compare_outputs(right.schedule, expected, actual, arithmetic).difference == std::nullopt);
}

RC_GTEST_PROP(VerifyProperty, WhatTheCompositionAcceptsItsExpansionIsAcceptedToo, ()) {
  const std::vector<std::int32_t> sizes = {2, 2, 3};
  const Machine machine = cluster(sizes);
  Schedule schedule = ChunkedAllreduce(sizes, 36).build();
  for (int i = *rc::gen::inRange(1, 3); i > 0; --i) corrupt_phases(schedule);
  const bool composed = verify(schedule, machine).verified();
  RC_TAG(composed);
  if (composed) RC_ASSERT(verify(expand(schedule), machine).verified());
}

}  // namespace
}  // namespace muster::examples

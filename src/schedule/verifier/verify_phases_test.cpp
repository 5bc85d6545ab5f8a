// Wrong schedules of phases, composed and expanded.
#include "schedule/phase.h"
#include "schedule/verifier/phases_test_support.h"
#include "schedule/verifier/verify_test_support.h"

namespace muster::examples {
namespace {

TEST(PhaseRefusal, PhasesNeedTheirOrder) {
  const Counterexample early = refusal(row_then_column_reduce(5, 3, 17, false), mesh(5, 3));
  EXPECT_EQ(early.kind, Kind::race);
  EXPECT_EQ(early.node, 0);
  EXPECT_TRUE(says(early,
                   "at PE (0,0), two phases race for element 0 of scratch: group 0 of phase 0 stores it, group 0 of "
                   "phase 1 reads it"));
  EXPECT_EQ(refusal(expand(row_then_column_reduce(5, 3, 17, false)), mesh(5, 3)).kind, Kind::race);

  const std::vector<std::int32_t> sizes = {2, 3, 2};
  for (const std::int32_t phase : {1, 3, 8, 17}) {
    const Schedule forgetful = ChunkedAllreduce(sizes, 3 * 12).forget_wait(phase).build();
    EXPECT_EQ(refusal(forgetful, cluster(sizes)).kind, Kind::race) << "phase " << phase;
    EXPECT_EQ(refusal(expand(forgetful), cluster(sizes)).kind, Kind::race) << "phase " << phase;
  }
}

TEST(PhaseRefusal, AMissingPhaseIsNoticed) {
  const std::vector<std::int32_t> sizes = {2, 3, 2};
  for (const std::size_t stage : {0U, 1U, 2U, 3U, 4U, 5U}) {
    const Schedule schedule = ChunkedAllreduce(sizes, 3 * 12).leave_out(stage).build();
    refusal(schedule, cluster(sizes));
    refusal(expand(schedule), cluster(sizes));
  }
  const Schedule gap = ChunkedAllreduce(sizes, 3 * 12).leave_out(4).build();
  EXPECT_EQ(refusal(gap, cluster(sizes)).message,
            "phase 4, group 0: part 4 needs element 2 of output at NPU 0, where nothing has been stored before")
      << "partial sums that a part leaves behind are worth nothing";
  const Schedule no_gather = ChunkedAllreduce(sizes, 3 * 12).leave_out(5).build();
  const Counterexample composed = refusal(no_gather, cluster(sizes));
  const Counterexample flat = refusal(expand(no_gather), cluster(sizes));
  EXPECT_EQ(composed.kind, Kind::missing);
  EXPECT_EQ(composed.node, flat.node);
  EXPECT_EQ(composed.element, flat.element);
}

TEST(PhaseRefusal, AWrongPartIsRefusedByItself) {
  Schedule schedule = row_then_column_reduce(5, 3, 17, true);
  schedule.parts[1].steps[0].own = Buffer::none;
  EXPECT_TRUE(
      says(refusal(schedule, mesh(5, 3)), "part 1: step 0 at node 0 combines its own element but names no buffer"));
}

}  // namespace
}  // namespace muster::examples

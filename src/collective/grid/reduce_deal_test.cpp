// Dealt reduces: who takes how much, times in full, and that any shape and root is free of deadlock.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "collective/algorithms.h"
#include "collective/collective_test_support.h"
#include "machine/mesh.h"
#include "schedule/joined_lanes.h"
#include "schedule/verify.h"

namespace muster {
namespace {

const Algorithm& deal() { return find_algorithm(Collective::reduce, "mesh", "deal-best-tree"); }

Schedule dealt(const Request& request, const Parameters& given) {
  return deal().make(request, complete_parameters(deal(), request, given));
}

std::int64_t taken(const Schedule& schedule, NodeId node) {
  std::int64_t words = 0;
  for (const Lane& lane : schedule.lanes_of(node)) {
    for (StepId s = lane.first; s < lane.first + lane.count; ++s) {
      const Step& step = schedule.steps[static_cast<std::size_t>(s)];
      for (const StreamId stream : schedule.operands_of(step)) {
        if (stream != kOwn) words += schedule.spans.count(step.elements);
      }
    }
  }
  return words;
}

TEST(Deal, TheRootTakesNothingButTheFinishedParts) {
  const Schedule schedule = expand_in_lanes(dealt(reduce_request(64, 32, 64), {{"parts", 8}}));
  EXPECT_EQ(taken(schedule, 0), 64);
}

TEST(Deal, ColumnsTakeTheTimeOfAPartOfTheVector) {
  const Request request = reduce_request(512, 512, 1024);
  const auto cycles = [&](std::int64_t parts) {
    return deal().cost(request, complete_parameters(deal(), request, {{"parts", parts}})).value();
  };
  // Rows of 512: 2,459 cycles; columns of 512: as many for the whole vector, 796 for an eighth, 690 for a sixteenth.
  EXPECT_NEAR(static_cast<double>(cycles(1)), 2459 + 2459, 30);
  EXPECT_NEAR(static_cast<double>(cycles(8)), 2459 + 796, 80);
  EXPECT_LT(cycles(16), cycles(8));
}

TEST(Deal, RefusesGridsWithTooFewColumnsForTheRootTheTargetsAndTheHead) {
  EXPECT_EQ(deal().unsupported(reduce_request(7, 9, 16)), "needs 8 columns, got 7");
  EXPECT_EQ(deal().unsupported(reduce_request(8, 2, 1)), std::nullopt);
}

RC_GTEST_PROP(Deal, NeverDeadlocksWhateverItsShapeRootAndParts, ()) {
  const auto width = *rc::gen::inRange(8, 24);
  const auto height = *rc::gen::inRange(2, 9);
  const Request request =
      reduce_request(width, height, *rc::gen::inRange(1, 200), *rc::gen::inRange(0, width * height));
  const ParameterSpec& parts = deal().parameters.back();
  const Schedule schedule = dealt(request, {{"parts", *rc::gen::inRange(std::int64_t{1}, parts.most(request) + 1)}});
  const Verdict verdict = verify(schedule, request.machine);
  if (!verdict.verified()) RC_LOG() << verdict.counterexample->message;
  RC_ASSERT(verdict.verified());
}

}  // namespace
}  // namespace muster

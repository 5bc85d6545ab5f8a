#include "collective/grid/reduction_tree.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/error.h"
#include "collective/collective_test_support.h"
#include "collective/grid/line_reduce.h"
#include "schedule/interpret.h"
#include "schedule/verify.h"

namespace muster {
namespace {

/// Every pre-order tree can come out: index x hangs below x - 1 or one of its ancestors.
ReductionTree random_tree(std::int32_t size) {
  std::vector<std::int32_t> parents(static_cast<std::size_t>(size), -1);
  for (std::int32_t x = 1; x < size; ++x) {
    std::int32_t parent = x - 1;
    while (parent > 0 && *rc::gen::inRange(0, 3) > 0) parent = parents[static_cast<std::size_t>(parent)];
    parents[static_cast<std::size_t>(x)] = parent;
  }
  return ReductionTree(std::move(parents));
}

std::vector<std::int32_t> children_of(const ReductionTree& tree, std::int32_t x) {
  std::vector<std::int32_t> all;
  for (const std::int32_t child : tree.children(x)) all.push_back(child);
  return all;
}

TEST(ReductionTree, ListsTheChildrenOfAProcessorNearestFirst) {
  const ReductionTree tree({-1, 0, 0, 2, 3, 2, 0});
  EXPECT_EQ(children_of(tree, 0), (std::vector<std::int32_t>{1, 2, 6}));
  EXPECT_EQ(children_of(tree, 2), (std::vector<std::int32_t>{3, 5}));
  EXPECT_TRUE(children_of(tree, 4).empty());
  EXPECT_EQ(tree.end(2), 6);
  EXPECT_TRUE(tree.is_leaf(6));
  EXPECT_TRUE(tree.is_last_child(6));
  EXPECT_FALSE(tree.is_last_child(3));
}

TEST(ReductionTree, WithOverlappingEdgesIsABug) {
  EXPECT_THROW(ReductionTree({-1, 0, 0, 1}), InternalError) << "3 sends to 1 past 2, which has sent to 0";
  EXPECT_THROW(ReductionTree({-1, 2, 0}), InternalError) << "a parent comes before its children";
  EXPECT_THROW(ReductionTree(std::vector<std::int32_t>{}), InternalError);
}

RC_GTEST_PROP(ReductionTree, NeverLetsEdgesOverlap, ()) {
  const ReductionTree tree = random_tree(*rc::gen::inRange(1, 40));
  for (std::int32_t x = 1; x < tree.size(); ++x) {
    for (std::int32_t y = tree.parent(x) + 1; y < x; ++y) RC_ASSERT(tree.parent(y) >= tree.parent(x));
  }
}

RC_GTEST_PROP(ReductionTree, GivesARightScheduleWhateverItsFormAndRoot, ()) {
  const auto length = *rc::gen::inRange(1, 24);
  const Line line{.length = length, .root = *rc::gen::inRange(0, length)};
  const std::int64_t count = *rc::gen::inRange(1, 6);
  const Schedule schedule = reduce_along_line(line, count, random_tree);
  const Verdict verdict = verify(schedule, ideal_wafer(length, 1));
  RC_LOG() << (verdict.verified() ? "" : verdict.counterexample->message);
  RC_ASSERT(verdict.verified());

  const Arithmetic integers{.type = ElementType::i32, .op = Operator::sum};
  const Outputs outputs = interpret(schedule, integers, 7);
  for (std::int64_t element = 0; element < count; ++element) {
    Word sum = 0;
    for (NodeId rank = 0; rank < length; ++rank) sum = integers.combine(sum, integers.input(rank, element, 7));
    RC_ASSERT(outputs[static_cast<std::size_t>(line.root)][static_cast<std::size_t>(element)] == sum);
  }
}

TEST(ReduceAlongLine, AddsTheShorterSideFirstAndNearerChildrenBeforeFartherOnes) {
  const auto chain = [](std::int32_t size) { return ReductionTree::from(size, [](std::int32_t x) { return x - 1; }); };
  const Schedule schedule = reduce_along_line({.length = 5, .root = 3}, 4, chain);
  EXPECT_EQ(order_of_additions(schedule, 3, 0), "((x3 + x4) + (x2 + (x1 + x0)))");
}

TEST(ReduceAlongLine, StoresAllButTheLastChildAndForwardsThatAsItComes) {
  const auto star_below_one = [](std::int32_t size) {
    return ReductionTree::from(size, [](std::int32_t x) { return x == 1 ? 0 : 1; });
  };
  const Schedule schedule = reduce_along_line({.length = 4, .root = 0}, 4, star_below_one);
  const Lane& lane = schedule.lanes_of(1)[0];
  ASSERT_EQ(lane.count, 2);
  const Step& first = schedule.steps[static_cast<std::size_t>(lane.first)];
  const Step& last = schedule.steps[static_cast<std::size_t>(lane.first) + 1];
  EXPECT_EQ(first.own, Buffer::input);
  EXPECT_EQ(first.store, Buffer::output);
  EXPECT_TRUE(schedule.outputs_of(first).empty());
  EXPECT_EQ(last.own, Buffer::output);
  EXPECT_EQ(last.store, Buffer::none);
  EXPECT_EQ(schedule.outputs_of(last).size(), 1U);
}

TEST(ReduceAlongLine, IsLinearInTheNumberOfProcessors) {
  const auto chain = [](std::int32_t size) { return ReductionTree::from(size, [](std::int32_t x) { return x - 1; }); };
  const Schedule schedule = reduce_along_line({.length = 1'000'000, .root = 400'000}, 4096, chain);
  EXPECT_EQ(schedule.streams.size(), 999'999U);
  EXPECT_EQ(schedule.steps.size(), 1'000'001U) << "one each, and one more at the root for its second side";
}

}  // namespace
}  // namespace muster

// Elements that repeat, and some that nearly do.
#include "schedule/verifier/repetition.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace muster::verifier {
namespace {

/// A phase per offset, all on groups with these elements.
Repetition repetition_of_phases(const std::vector<Range>& elements, const std::vector<std::int64_t>& offsets) {
  Schedule schedule;
  for (const std::int64_t offset : offsets) schedule.phases.push_back({.groups = 0, .offset = offset});
  return repetition_of(schedule, {{.elements = elements, .no_node_is_twice = true}});
}

TEST(Repetition, HasOneRangeInEveryStride) {
  const std::vector<Range> slices{{0, 2}, {10, 2}, {20, 2}};
  EXPECT_EQ(repetition_of_phases(slices, {0, 2, 8}).times, 3);
  EXPECT_EQ(repetition_of_phases(slices, {0, 2, 8}).stride, 10);
  EXPECT_EQ(repetition_of_phases(slices, {0, 9}).times, 1) << "over the end of a stride";
  EXPECT_EQ(repetition_of_phases({{0, 2}, {10, 2}, {21, 2}}, {0}).times, 1) << "other distances";
  EXPECT_EQ(repetition_of_phases({{0, 2}, {10, 3}}, {0}).times, 1) << "other lengths";
  EXPECT_EQ(repetition_of_phases({{0, 30}}, {0}).times, 1);
  EXPECT_EQ(repetition_of_phases({}, {0}).times, 1);
}

TEST(Repetition, IsCommonToAllGroupSets) {
  Schedule schedule;
  schedule.phases = {{.groups = 0}, {.groups = 1}};
  const GroupSetFacts two{.elements = {{0, 2}, {10, 2}}, .no_node_is_twice = true};
  const GroupSetFacts longer{.elements = {{3, 4}, {13, 4}}, .no_node_is_twice = true};
  const GroupSetFacts wider{.elements = {{3, 4}, {14, 4}}, .no_node_is_twice = true};
  EXPECT_EQ(repetition_of(schedule, {two, longer}).times, 2);
  EXPECT_EQ(repetition_of(schedule, {two, wider}).times, 1);
}

RC_GTEST_PROP(Repetition, RepeatsEveryElement, ()) {
  const auto stride = *rc::gen::inRange<std::int64_t>(1, 12);
  const auto times = *rc::gen::inRange<std::int64_t>(1, 5);
  const auto is_in =
      *rc::gen::container<std::vector<bool>>(static_cast<std::size_t>(stride), rc::gen::arbitrary<bool>());
  std::vector<Range> ranges;
  for (std::int64_t i = 0; i < stride; ++i) {
    if (is_in[static_cast<std::size_t>(i)]) append(ranges, {i, 1});
  }
  const std::vector<Range> all = repeated(ranges, {.stride = stride, .times = times});
  std::vector<bool> found(static_cast<std::size_t>(stride * times));
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (r > 0) RC_ASSERT(all[r - 1].end() < all[r].first);
    for (std::int64_t e = all[r].first; e < all[r].end(); ++e) found[static_cast<std::size_t>(e)] = true;
  }
  for (std::size_t e = 0; e < found.size(); ++e) RC_ASSERT(found[e] == is_in[e % static_cast<std::size_t>(stride)]);
}

}  // namespace
}  // namespace muster::verifier

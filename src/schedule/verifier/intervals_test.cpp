#include "schedule/verifier/intervals.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>

namespace muster::verifier {
namespace {

constexpr std::int64_t kElements = 24;
using Model = std::array<int, kElements>;  // 0: a gap

Model model_of(const Intervals<int>& intervals) {
  Model model{};
  intervals.visit({0, kElements}, [&](Range range, const int* value) {
    for (std::int64_t e = range.first; e < range.end(); ++e) model[static_cast<std::size_t>(e)] = value ? *value : 0;
  });
  return model;
}

RC_GTEST_PROP(Intervals, BehaveLikeAnArrayOfElements, ()) {
  Intervals<int> intervals;
  Model model{};
  for (int i = *rc::gen::inRange(0, 20); i > 0; --i) {
    const auto first = *rc::gen::inRange<std::int64_t>(0, kElements);
    const Range range{first, *rc::gen::inRange<std::int64_t>(0, kElements - first + 1)};
    const int action = *rc::gen::inRange(0, 3);
    const int value = *rc::gen::inRange(1, 4);
    if (action == 0) intervals.assign(range, value);
    if (action == 1) intervals.erase(range);
    if (action == 2) intervals.update(range, [&](Range, int& old) { old += value; });
    for (std::int64_t e = range.first; e < range.end(); ++e) {
      int& old = model[static_cast<std::size_t>(e)];
      old = action == 0 ? value : action == 1 ? 0 : old + value;
    }
    RC_ASSERT(model_of(intervals) == model);
  }
  for (std::int64_t e = 0; e < kElements; ++e) {
    const int* value = intervals.find(e);
    RC_ASSERT((value ? *value : 0) == model[static_cast<std::size_t>(e)]);
  }
}

/// The reference: one after another.
RC_GTEST_PROP(Intervals, AreAssignedAllAtOnceAsOneAfterAnother, ()) {
  Intervals<int> at_once, one_by_one;
  for (int i = *rc::gen::inRange(0, 8); i > 0; --i) {
    std::vector<Intervals<int>::Piece> assigned;
    for (auto first = *rc::gen::inRange<std::int64_t>(0, kElements); first < kElements;) {
      const auto end = *rc::gen::inRange<std::int64_t>(first + 1, kElements + 1);
      const int before = assigned.empty() ? 0 : assigned.back().value;
      assigned.push_back({first, end, before % 3 + *rc::gen::inRange(1, 3)});
      one_by_one.assign({first, end - first}, assigned.back().value);
      first = *rc::gen::inRange(0, 3) > 0 ? end : kElements;
    }
    at_once.assign_all(assigned);
    RC_ASSERT(model_of(at_once) == model_of(one_by_one));
    RC_ASSERT(at_once.pieces().size() == one_by_one.pieces().size());
  }
}

TEST(Intervals, JoinEqualNeighbours) {
  Intervals<int> intervals;
  intervals.assign({0, 4}, 1);
  intervals.assign({8, 4}, 1);
  intervals.assign({4, 4}, 1);
  ASSERT_EQ(intervals.pieces().size(), 1U);
  EXPECT_EQ(intervals.pieces()[0].end, 12);
}

}  // namespace
}  // namespace muster::verifier

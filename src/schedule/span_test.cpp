#include "schedule/span.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/error.h"

namespace muster {
namespace {

TEST(SpanTable, KeepsEqualSpansOnce) {
  SpanTable spans;
  const SpanId whole = spans.add({0, 8});
  const std::vector<Range> halves = {{0, 4}, {4, 0}, {4, 4}};
  EXPECT_EQ(spans.add(halves), whole) << "neighbouring ranges are merged, empty ones dropped";
  const std::vector<Range> swapped = {{4, 4}, {0, 4}};
  EXPECT_NE(spans.add(swapped), whole) << "the order of ranges is part of a span";
  EXPECT_EQ(spans.size(), 2);
}

TEST(SpanTable, CountsAndFindsElements) {
  SpanTable spans;
  const std::vector<Range> ranges = {{6, 2}, {0, 3}};
  const SpanId id = spans.add(ranges);
  EXPECT_EQ(spans.count(id), 5);
  EXPECT_EQ(spans.element(id, 0), 6);
  EXPECT_EQ(spans.element(id, 2), 0);
  EXPECT_EQ(spans.element(id, 4), 2);
}

TEST(SpanTable, RefusesOverlapAndOverflow) {
  SpanTable spans;
  const std::vector<Range> overlapping = {{4, 4}, {0, 5}};
  EXPECT_THROW(spans.add(overlapping), InputError);
  EXPECT_THROW(spans.add({-1, 2}), InputError);
  EXPECT_THROW(spans.add({0, -2}), InputError);
  EXPECT_THROW(spans.add({std::int64_t{1} << 62, 1}), InputError);
}

RC_GTEST_PROP(Block, CutsAVectorWithoutGapsAndEvenly, ()) {
  const auto parts = *rc::gen::inRange<std::int64_t>(1, 100);
  const auto count = *rc::gen::inRange<std::int64_t>(0, 1000);
  std::int64_t next = 0;
  for (std::int64_t i = 0; i < parts; ++i) {
    const Range range = block(count, parts, i);
    RC_ASSERT(range.first == next);
    RC_ASSERT(range.count == count / parts || range.count == count / parts + 1);
    next = range.end();
  }
  RC_ASSERT(next == count);
}

}  // namespace
}  // namespace muster

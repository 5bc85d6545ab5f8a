// A set that is walked up and down and emptied from below, against std::set.
#include "backend/wafer/number_set.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

namespace muster::wafer {
namespace {

std::vector<std::int32_t> up(const NumberSet& set) {
  std::vector<std::int32_t> all;
  set.visit_up([&](std::int32_t id) { all.push_back(id); });
  return all;
}

RC_GTEST_PROP(NumberSet, HoldsWhatWasAddedAndNotRemovedInOrder, ()) {
  const auto size = *rc::gen::inRange<std::int32_t>(1, 10000);
  NumberSet set(static_cast<std::size_t>(size));
  std::set<std::int32_t> expected;
  for (const auto id : *rc::gen::container<std::vector<std::int32_t>>(rc::gen::inRange(0, size))) {
    set.add(id);
    expected.insert(id);
  }
  for (const auto id : *rc::gen::container<std::vector<std::int32_t>>(rc::gen::inRange(0, size))) {
    set.remove(id);
    expected.erase(id);
    RC_ASSERT(!set.has(id));
  }
  const std::vector<std::int32_t> sorted(expected.begin(), expected.end());
  RC_ASSERT(up(set) == sorted);
  std::vector<std::int32_t> down;
  set.visit_down([&](std::int32_t id) { down.push_back(id); });
  std::reverse(down.begin(), down.end());
  RC_ASSERT(down == sorted);
}

RC_GTEST_PROP(NumberSet, GivesItsLowestNumberWhileOthersAreAdded, ()) {
  const auto size = *rc::gen::inRange<std::int32_t>(1, 10000);
  NumberSet set(static_cast<std::size_t>(size));
  std::set<std::int32_t> expected;
  for (const auto id : *rc::gen::container<std::vector<std::int32_t>>(rc::gen::inRange(-size, size))) {
    if (id >= 0) {
      set.add(id);
      expected.insert(id);
      continue;
    }
    RC_ASSERT(set.take_lowest() == (expected.empty() ? -1 : *expected.begin()));
    if (!expected.empty()) expected.erase(expected.begin());
  }
  for (const std::int32_t id : expected) RC_ASSERT(set.take_lowest() == id);
  RC_ASSERT(set.take_lowest() == -1);
}

TEST(NumberSet, MayLoseItsNumbersWhileItIsWalked) {
  NumberSet set(5000);
  for (const std::int32_t id : {0, 63, 64, 4095, 4096, 4999}) set.add(id);
  set.visit_up([&](std::int32_t id) { set.remove(id); });
  EXPECT_TRUE(up(set).empty());
}

}  // namespace
}  // namespace muster::wafer

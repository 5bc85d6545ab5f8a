// A set that is walked up and down, against std::set.
#include "backend/wafer/simulate/active_set.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

namespace muster::wafer {
namespace {

std::vector<std::int32_t> up(const ActiveSet& set) {
  std::vector<std::int32_t> all;
  set.visit_up([&](std::int32_t id) { all.push_back(id); });
  return all;
}

RC_GTEST_PROP(ActiveSet, HoldsWhatWasAddedAndNotRemovedInOrder, ()) {
  const auto size = *rc::gen::inRange<std::int32_t>(1, 10000);
  ActiveSet set(static_cast<std::size_t>(size));
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

TEST(ActiveSet, MayLoseItsNumbersWhileItIsWalked) {
  ActiveSet set(5000);
  for (const std::int32_t id : {0, 63, 64, 4095, 4096, 4999}) set.add(id);
  set.visit_up([&](std::int32_t id) { set.remove(id); });
  EXPECT_TRUE(up(set).empty());
}

}  // namespace
}  // namespace muster::wafer

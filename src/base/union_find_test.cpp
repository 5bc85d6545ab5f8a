#include "base/union_find.h"

#include <gtest/gtest.h>

namespace muster {
namespace {

TEST(UnionFind, NamesASetByItsSmallestNumber) {
  UnionFind sets(6);
  EXPECT_EQ(sets.find(4), 4);
  sets.join(5, 4);
  sets.join(3, 5);
  EXPECT_EQ(sets.find(5), 3);
  EXPECT_EQ(sets.find(4), 3);
  EXPECT_EQ(sets.find(0), 0);
  sets.join(4, 0);
  sets.join(0, 4);
  for (const std::int32_t x : {0, 3, 4, 5}) EXPECT_EQ(sets.find(x), 0) << x;
  EXPECT_EQ(sets.find(1), 1);
  EXPECT_EQ(sets.find(2), 2);
}

}  // namespace
}  // namespace muster

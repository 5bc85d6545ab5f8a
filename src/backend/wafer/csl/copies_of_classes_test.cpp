#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <numeric>

#include "backend/wafer/csl/copies.h"

namespace muster::wafer {
namespace {

using Classes = std::vector<std::int32_t>;

std::size_t items_of(const Classes& classes) {
  const auto items = compress_classes(classes);
  EXPECT_EQ(expand(items), classes);
  return items.size();
}

// root, inner PEs of two parities, leaf
Classes chain(std::int32_t size) {
  Classes classes;
  for (std::int32_t x = 0; x < size; ++x) classes.push_back(x == 0 ? 0 : x == size - 1 ? 3 : 1 + x % 2);
  return classes;
}

Classes star(std::int32_t size) {
  Classes classes(static_cast<std::size_t>(size), 1);
  classes.front() = 0;
  classes.back() = 2;
  return classes;
}

// heads of groups in two parities, members in two parities; groups are counted from the far end
Classes two_phase(std::int32_t size, std::int32_t group) {
  Classes classes;
  for (std::int32_t x = 0; x < size; ++x) {
    const std::int32_t from_end = size - 1 - x;
    const bool head = from_end % group == group - 1;
    classes.push_back(x == 0 ? 0 : head ? 1 + (from_end / group) % 2 : 3 + from_end % group % 2);
  }
  return classes;
}

// a PE of the binomial tree differs by its children, the parity of its depth and whether it is its parent's last
Classes tree(std::int32_t size) {
  Classes classes;
  for (std::int32_t x = 0; x < size; ++x) {
    const auto bits = static_cast<std::uint32_t>(x);
    const std::int32_t children = std::countr_zero(bits | static_cast<std::uint32_t>(size));
    const std::int32_t last = static_cast<std::int32_t>(bits >> (children + 1)) & 1;
    classes.push_back(4 * children + 2 * (std::popcount(bits) % 2) + last);
  }
  return classes;
}

TEST(CopiesOfClasses, RepeatsAPatternWithOneOverlappingCopy) {
  const Classes classes{7, 1, 2, 1, 2, 1, 2, 1};
  const std::vector<CopyItem> expected{{.change = 7}, {.change = 1}, {.change = 2}, {.length = 5, .distance = 2}};
  EXPECT_EQ(compress_classes(classes), expected);
}

TEST(CopiesOfClasses, OfNobodyIsEmpty) {
  EXPECT_TRUE(compress_classes({}).empty());
  EXPECT_TRUE(expand({}).empty());
}

TEST(CopiesOfClasses, DoesNotGrowWithTheLengthOfAChainAStarOrGroups) {
  for (const std::int32_t size : {64, 100, 1024, 4095}) {
    EXPECT_LE(items_of(chain(size)), 5U) << size;
    EXPECT_LE(items_of(star(size)), 4U) << size;
    EXPECT_LE(items_of(two_phase(size, 8)), 16U) << size;
  }
}

TEST(CopiesOfClasses, GrowsByAConstantPerDoublingOfATree) {
  std::size_t previous = items_of(tree(64));
  for (std::int32_t size = 128; size <= 65536; size *= 2) {
    const std::size_t items = items_of(tree(size));
    EXPECT_LE(items, previous + 8) << size;
    previous = items;
  }
}

TEST(CopiesOfClasses, WritesEqualRowsOnce) {
  Classes grid;
  for (int row = 0; row < 300; ++row) {
    for (const std::int32_t c : chain(200)) grid.push_back(c);
  }
  EXPECT_LE(items_of(grid), 6U);
}

RC_GTEST_PROP(CopiesOfClasses, RoundTrips, ()) {
  const int kinds = *rc::gen::inRange(1, 6);
  const auto classes = *rc::gen::container<Classes>(rc::gen::inRange(0, kinds));
  RC_ASSERT(expand(compress_classes(classes)) == classes);
}

// No parse into earlier occurrences has fewer items than the greedy one; here against a plain search.
RC_GTEST_PROP(CopiesOfClasses, CopiesAsMuchAsItCan, ()) {
  const auto classes = *rc::gen::container<Classes>(rc::gen::inRange(0, 3));
  std::size_t from = 0;
  for (const CopyItem& item : compress_classes(classes)) {
    std::size_t longest = 0;
    for (std::size_t start = 0; start < from; ++start) {
      std::size_t length = 0;
      while (from + length < classes.size() && classes[start + length] == classes[from + length]) ++length;
      longest = std::max(longest, length);
    }
    RC_ASSERT(static_cast<std::size_t>(item.length) == std::max<std::size_t>(longest, 1));
    from += static_cast<std::size_t>(item.length);
  }
}

}  // namespace
}  // namespace muster::wafer

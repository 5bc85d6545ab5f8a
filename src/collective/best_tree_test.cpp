#include "collective/best_tree.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>

#include "base/index.h"
#include "collective/collective_test_support.h"

namespace muster {
namespace {

constexpr LineTiming kIdeal{.words = 1, .hop = 1, .ramps = 4, .start = 0, .gap = 0, .turn = 1};
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLong = kNever / 4;

LineTiming ideal(std::int64_t words) {
  LineTiming timing = kIdeal;
  timing.words = words;
  return timing;
}

LineTiming random_timing() {
  return {.words = *rc::gen::inRange(1, 100),
          .hop = *rc::gen::inRange(1, 4),
          .ramps = 2 * *rc::gen::inRange(0, 9),
          .start = *rc::gen::inRange(0, 4),
          .gap = *rc::gen::inRange(0, 6),
          .turn = *rc::gen::inRange(0, 3)};
}

/// The recursion of best_tree.h as it stands there: every split is tried.
std::vector<std::int64_t> plain_starts(std::int32_t places, const LineTiming& t) {
  std::vector<std::int64_t> start(at(places) + 1, kNever);
  const auto ready = [&](std::int32_t p) { return p == 1 ? t.start : start[at(p)] + t.words + t.start + t.gap; };
  const auto sent = [&](std::int32_t p) { return p == 1 ? t.start : start[at(p)] + 1; };
  for (std::int32_t p = 2; p <= places; ++p) {
    for (std::int32_t i = 1; i < p; ++i) {
      start[at(p)] = std::min(start[at(p)], std::max(ready(i), sent(p - i) + t.hop * i + t.ramps));
    }
  }
  return start;
}

/// The same over both sides of a root inside: every next child of either side. start[s][a][b] is that of the last child,
/// which is on side s.
std::int64_t plain_stored(std::int32_t first, std::int32_t second, const LineTiming& t) {
  const std::vector<std::int64_t> side = plain_starts(std::max(first, second), t);
  const auto sent = [&](std::int32_t p) { return p == 1 ? t.start : side[at(p)] + 1; };
  const std::vector<std::vector<std::int64_t>> never(at(first) + 1, std::vector<std::int64_t>(at(second) + 1, kLong));
  std::array starts{never, never};
  const auto ready = [&](std::int32_t a, std::int32_t b, std::size_t next) {
    if (a == 1 && b == 1) return t.start;
    const std::int64_t pause = t.start + t.gap;
    const std::int64_t turned = starts.at(1 - next)[at(a)][at(b)] + std::max(pause, t.turn);
    return std::min(starts.at(next)[at(a)][at(b)] + pause, turned) + t.words;
  };
  for (std::int32_t a = 1; a <= first; ++a) {
    for (std::int32_t b = 1; b <= second; ++b) {
      for (std::int32_t i = 1; i < a; ++i) {
        std::int64_t& best = starts[0][at(a)][at(b)];
        best = std::min(best, std::max(ready(i, b, 0), sent(a - i) + t.hop * i + t.ramps));
      }
      for (std::int32_t i = 1; i < b; ++i) {
        std::int64_t& best = starts[1][at(a)][at(b)];
        best = std::min(best, std::max(ready(a, i, 1), sent(b - i) + t.hop * i + t.ramps));
      }
    }
  }
  return std::min(starts[0][at(first)][at(second)], starts[1][at(first)][at(second)]) + t.words;
}

/// When the root of a line has the sum, if the given trees are run: the timing alone, without any choice.
std::int64_t stored_by(const LineTrees& trees, const LineTiming& t) {
  std::array<std::vector<std::int64_t>, 2> sent;
  for (std::size_t side = 0; side < 2; ++side) {
    const ReductionTree& tree = trees.sides.at(side);
    sent.at(side).assign(at(tree.places()), t.start);
    for (std::int32_t x = tree.places() - 1; x > 0; --x) {
      std::int64_t ready = t.start;
      std::int64_t start = t.start - 1;
      for (const std::int32_t child : tree.children(x)) {
        start = std::max(ready, sent.at(side)[at(child)] + t.hop * (child - x) + t.ramps);
        ready = start + t.words + t.start + t.gap;
      }
      sent.at(side)[at(x)] = start + 1;
    }
  }
  std::array<std::int32_t, 2> next{1, 1};
  std::int64_t stored = 0;
  std::uint8_t before = trees.order.empty() ? 0 : trees.order[0];
  for (const std::uint8_t side : trees.order) {
    const std::int32_t child = next.at(side);
    next.at(side) = trees.sides.at(side).end(child);
    const std::int64_t pause = std::max(t.start + t.gap, side == before ? 0 : t.turn);
    const std::int64_t ready = stored == 0 ? t.start : stored + pause;
    before = side;
    stored = std::max(ready, sent.at(side)[at(child)] + t.hop * child + t.ramps) + t.words;
  }
  return stored;
}

TEST(BestTree, IsTheComputedReferenceFor512Processors) {
  const auto stored = [](std::int64_t words) { return SidePlan(512, ideal(words)).stored(512); };
  EXPECT_EQ(stored(1), 516);
  EXPECT_EQ(stored(8), 539);
  EXPECT_EQ(stored(32), 598);
  EXPECT_EQ(stored(128), 796);
  EXPECT_EQ(stored(256), 1044);
  EXPECT_EQ(stored(512), 1526);
  EXPECT_EQ(stored(1024), 2459);
  EXPECT_EQ(stored(2048), 4322);
  EXPECT_EQ(stored(4096), 7161);
}

TEST(BestTree, IsAMessageForTwoProcessors) {
  EXPECT_EQ(SidePlan(2, ideal(10)).stored(2), 10 + 1 + 4);
  EXPECT_EQ(SidePlan(1, ideal(10)).stored(1), 0) << "it has its own vector";
}

RC_GTEST_PROP(BestTree, EqualsThePlainRecursion, ()) {
  const auto places = *rc::gen::inRange(1, 120);
  const LineTiming timing = random_timing();
  const SidePlan plan(places, timing);
  const std::vector<std::int64_t> plain = plain_starts(places, timing);
  for (std::int32_t p = 2; p <= places; ++p) {
    RC_ASSERT(plan.stored(p) == plain[at(p)] + timing.words);
    RC_ASSERT(plan.sent(p) == plain[at(p)] + 1);
  }
}

RC_GTEST_PROP(BestTree, EqualsThePlainRecursionWithARootInside, ()) {
  const auto length = *rc::gen::inRange(1, 50);
  const Line line{.length = length, .root = *rc::gen::inRange(0, length)};
  const LineTiming timing = random_timing();
  const LinePlan plan = fastest_plan(line, timing);
  const auto [shorter, longer] = line.sides();
  if (length > 1) RC_ASSERT(plan.stored == plain_stored(shorter.length, longer.length, timing));
  RC_ASSERT(plan.stored == stored_by(plan.trees, timing));
}

RC_GTEST_PROP(BestTree, IsNeverWorseThanTakingOneSideAfterTheOther, ()) {
  const auto length = *rc::gen::inRange(3, 60);
  const Line line{.length = length, .root = *rc::gen::inRange(1, length - 1)};
  const LineTiming timing = random_timing();
  const SidePlan sides(length, timing);
  const LineTrees one_by_one = shorter_side_first(line, [&](std::int32_t places) { return sides.tree(places); });
  RC_ASSERT(fastest_plan(line, timing).stored <= stored_by(one_by_one, timing));
}

TEST(BestTree, StaysAtTheLargestNumberWhereItCannotCount) {
  EXPECT_EQ(SidePlan(100, ideal(kNever - 9)).stored(100), kNever);
  EXPECT_EQ(fastest_plan({.length = 9, .root = 4}, ideal(kNever - 9)).stored, kNever);
}

}  // namespace
}  // namespace muster

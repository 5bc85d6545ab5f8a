#include "collective/grid/best_tree.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>
#include <variant>

#include "base/index.h"
#include "collective/collective_test_support.h"
#include "machine/mesh.h"

namespace muster {
namespace {

constexpr LineTiming kIdeal{.words = 1, .hop = 1, .ramps = 4, .turn = 1};
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLong = kNever / 4;

LineTiming ideal(std::int64_t words) {
  LineTiming timing = kIdeal;
  timing.words = words;
  return timing;
}

/// With routers of one buffer or of more, hops of any length.
LineTiming random_timing() {
  Request request = reduce_request(2, 1, *rc::gen::inRange(1, 100));
  Mesh& mesh = *as<Mesh>(request.machine);
  mesh.router_buffer = *rc::gen::inRange(1, 3);
  mesh.ramp_queue = *rc::gen::inRange(1, 6);
  mesh.hop_latency = Cycles(*rc::gen::inRange(1, 4));
  mesh.ramp_latency = Cycles(*rc::gen::inRange(0, 9));
  mesh.operation_start = Cycles(*rc::gen::inRange(0, 20));
  mesh.receive_gap = Cycles(*rc::gen::inRange(0, 20));
  return line_timing(request);
}

/// When a processor begins to take a child that could be there at `arrival`, and has it, `before` being when it had the one
/// before it: as best_tree.h has it, word for word.
struct Taking {
  std::int64_t begin = 0;
  std::int64_t stored = 0;
};
constexpr std::int64_t kNothing = -1;

Taking take(std::int64_t before, std::int64_t arrival, const LineTiming& t, bool turns = false) {
  const std::int64_t message = t.words + t.slow;
  if (before == kNothing) return {.begin = arrival, .stored = arrival + message};
  const std::int64_t pause = std::max(t.start + t.gap, turns ? t.turn : t.between);
  const std::int64_t waiting = t.words + t.slow_if_late;
  const std::int64_t behind = turns ? 0 : t.between + message;
  return {.begin = std::max(before + pause, arrival),
          .stored = std::max({before + pause + waiting, before + behind, arrival + message})};
}

/// The recursion of best_tree.h as it stands there: every split is tried.
struct PlainSide {
  std::vector<std::int64_t> begin, stored;
  PlainSide(std::int32_t size, const LineTiming& t) : begin(at(size) + 1, kNever), stored(at(size) + 1, kNever) {
    stored[1] = kNothing;
    for (std::int32_t p = 2; p <= size; ++p) {
      for (std::int32_t i = 1; i < p; ++i) {
        const Taking taking = take(stored[at(i)], sent(p - i, t) + t.hop * i + t.ramps, t);
        begin[at(p)] = std::min(begin[at(p)], taking.begin);
        stored[at(p)] = std::min(stored[at(p)], taking.stored);
      }
    }
  }
  [[nodiscard]] std::int64_t sent(std::int32_t p, const LineTiming& t) const {
    return p == 1 ? t.start : begin[at(p)] + 1;
  }
};

/// The same over both sides of a root inside: every next child of either side. stored[s][a][b] is that of the last child,
/// which is on side s.
std::int64_t plain_stored(std::int32_t first, std::int32_t second, const LineTiming& t) {
  const PlainSide side(std::max(first, second), t);
  const std::vector<std::vector<std::int64_t>> never(at(first) + 1, std::vector<std::int64_t>(at(second) + 1, kLong));
  std::array stored{never, never};
  const auto best_after = [&](std::int32_t a, std::int32_t b, std::size_t next, std::int64_t arrival) {
    if (a == 1 && b == 1) return take(kNothing, arrival, t).stored;
    return std::min(take(stored.at(next)[at(a)][at(b)], arrival, t).stored,
                    take(stored.at(1 - next)[at(a)][at(b)], arrival, t, true).stored);
  };
  for (std::int32_t a = 1; a <= first; ++a) {
    for (std::int32_t b = 1; b <= second; ++b) {
      for (std::int32_t i = 1; i < a; ++i) {
        std::int64_t& best = stored[0][at(a)][at(b)];
        best = std::min(best, best_after(i, b, 0, side.sent(a - i, t) + t.hop * i + t.ramps));
      }
      for (std::int32_t i = 1; i < b; ++i) {
        std::int64_t& best = stored[1][at(a)][at(b)];
        best = std::min(best, best_after(a, i, 1, side.sent(b - i, t) + t.hop * i + t.ramps));
      }
    }
  }
  return std::min(stored[0][at(first)][at(second)], stored[1][at(first)][at(second)]);
}

/// When the root of a line has the sum, if the given trees are run: the timing alone, without any choice.
std::int64_t stored_by(const LineTrees& trees, const LineTiming& t) {
  std::array<std::vector<std::int64_t>, 2> sent;
  for (std::size_t side = 0; side < 2; ++side) {
    const ReductionTree& tree = trees.sides.at(side);
    sent.at(side).assign(at(tree.size()), t.start);
    for (std::int32_t x = tree.size() - 1; x > 0; --x) {
      Taking last{.begin = t.start - 1, .stored = kNothing};
      for (const std::int32_t child : tree.children(x)) {
        last = take(last.stored, sent.at(side)[at(child)] + t.hop * (child - x) + t.ramps, t);
      }
      sent.at(side)[at(x)] = last.begin + 1;
    }
  }
  std::array<std::int32_t, 2> next{1, 1};
  std::int64_t stored = kNothing;
  std::uint8_t before = trees.order.empty() ? 0 : trees.order[0];
  for (const std::uint8_t side : trees.order) {
    const std::int32_t child = next.at(side);
    next.at(side) = trees.sides.at(side).end(child);
    stored = take(stored, sent.at(side)[at(child)] + t.hop * child + t.ramps, t, side != before).stored;
    before = side;
  }
  return std::max<std::int64_t>(stored, 0);
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
  const auto size = *rc::gen::inRange(1, 120);
  const LineTiming timing = random_timing();
  const SidePlan plan(size, timing);
  const PlainSide plain(size, timing);
  for (std::int32_t p = 2; p <= size; ++p) {
    RC_ASSERT(plan.stored(p) == plain.stored[at(p)]);
    RC_ASSERT(plan.sent(p) == plain.sent(p, timing));
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
  const LineTrees one_by_one = shorter_side_first(line, [&](std::int32_t size) { return sides.storing_tree(size); });
  RC_ASSERT(fastest_plan(line, timing).stored <= stored_by(one_by_one, timing));
}

RC_GTEST_PROP(BestTree, KnowsTheTimesOfAllRootsAtOnce, ()) {
  const auto length = *rc::gen::inRange(2, 40);
  const LineTiming timing = random_timing();
  const std::vector<std::int64_t> all = fastest_by_root(length, timing);
  for (std::int32_t root = 0; root < length; ++root) {
    RC_ASSERT(all[at(root)] == fastest_plan({.length = length, .root = root}, timing).stored);
  }
}

TEST(BestTree, FollowsStreamsAtHalfRateThroughSingleBuffers) {
  Request request = reduce_request(3, 1, 16);
  as<Mesh>(request.machine)->router_buffer = 1;
  const LineTiming timing = line_timing(request);
  EXPECT_EQ(SidePlan(2, timing).stored(2), 1 + 4 + 31) << "16 words, one in two cycles";
  EXPECT_EQ(SidePlan(3, timing).stored(3), 42) << "a chain, one stop of 6 cycles more";
}

TEST(BestTree, StaysAtTheLargestNumberWhereItCannotCount) {
  EXPECT_EQ(SidePlan(100, ideal(kNever - 9)).stored(100), kNever);
  EXPECT_EQ(fastest_plan({.length = 9, .root = 4}, ideal(kNever - 9)).stored, kNever);
}

}  // namespace
}  // namespace muster

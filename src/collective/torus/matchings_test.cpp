#include "collective/torus/matchings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "base/index.h"
#include "collective/torus/players.h"
#include "collective/torus/tile_rounds.h"
#include "collective/torus/torus_test_machines.h"

namespace muster {
namespace {

/// Listing A.1 as it stands, for a square.
int thesis_swing(int node, int step, bool horizontal, int side) {
  const int row = node / side;
  step /= 2;
  int power = 1;
  for (int i = 0; i <= step; ++i) power *= -2;
  const int dist = (1 - power) / 3;
  int partner = 0;
  if (horizontal) {
    partner = node % 2 == 0 ? node + dist : node - dist;
    if (partner < 0 || partner / side < row) {
      partner += side;
    } else if (partner / side > row) {
      partner -= side;
    }
  } else {
    partner = row % 2 == 0 ? node + side * dist : node - side * dist;
    if (partner < 0) partner += side * side;
    if (partner >= side * side) partner -= side * side;
  }
  return partner;
}

TEST(Matchings, AreThoseOfTheThesis) {
  const std::vector<Matching> swing = matchings(8, 8, {.rule = PartnerRule::swing});
  const std::vector<Matching> doubling = matchings(8, 8, {.rule = PartnerRule::recursive_doubling});
  ASSERT_EQ(swing.size(), 6U);
  ASSERT_EQ(doubling.size(), 6U);
  for (int step = 0; step < 6; ++step) {
    for (int node = 0; node < 64; ++node) {
      EXPECT_EQ(swing[at(step)][at(node)], thesis_swing(node, step, step % 2 == 0, 8)) << step << ", " << node;
      const int distance = (1 << (step / 2)) * (step % 2 == 0 ? 1 : 8);
      EXPECT_EQ(doubling[at(step)][at(node)], node ^ distance);
    }
  }
}

TEST(Matchings, LeadFromEverybodyToEverybodyOnce) {
  for (const auto& [columns, rows] : {std::pair{1, 1}, {2, 1}, {8, 1}, {1, 16}, {2, 8}, {8, 4}, {8, 8}, {16, 4}}) {
    for (const StepOrder& order :
         {StepOrder{}, StepOrder{.vertical_first = true}, StepOrder{.mirrored = true},
          StepOrder{.vertical_first = true, .mirrored = true}, StepOrder{.rule = PartnerRule::recursive_doubling}}) {
      const std::vector<Matching> steps = matchings(columns, rows, order);
      for (const Matching& step : steps) {
        for (std::size_t n = 0; n < step.size(); ++n) {
          EXPECT_NE(at(step[n]), n);
          EXPECT_EQ(at(step[at(step[n])]), n);
        }
      }
      const std::vector<std::int32_t> number = contiguous_order(steps, columns * rows);
      for (std::size_t k = 0; k <= steps.size(); ++k) {
        for (const std::vector<std::int32_t>& reached : reached_from(steps, k, columns * rows)) {
          std::set<std::int32_t> numbers;
          for (const std::int32_t n : reached) numbers.insert(number[at(n)]);
          EXPECT_EQ(numbers.size(), std::size_t{1} << (steps.size() - k));
          EXPECT_EQ(at(*numbers.rbegin() - *numbers.begin()), numbers.size() - 1) << "not contiguous";
        }
      }
    }
  }
}

/// The most messages of each step on one link.
std::vector<int> congestion(const Machine& machine, PartnerRule rule, bool swapped) {
  const Torus& torus = *as<Torus>(machine);
  const TorusPlayers players = players_of(torus);
  std::vector<int> busiest;
  for (const Matching& step : matchings(players.columns, players.rows, {.rule = rule})) {
    std::map<std::tuple<int, NodeId, NodeId>, int> messages;
    for (std::size_t n = 0; n < step.size(); ++n) {
      const NodeId from = players.ranks[n], to = players.ranks[at(step[n])];
      const int noc = nearer_noc(torus, from, to) ^ (swapped ? 1 : 0);
      const std::vector<NodeId> route = route_on(torus, noc, from, to);
      for (std::size_t i = 1; i < route.size(); ++i) ++messages[{noc, route[i - 1], route[i]}];
    }
    int most = 0;
    for (const auto& [link, count] : messages) most = std::max(most, count);
    busiest.push_back(most);
  }
  return busiest;
}

TEST(Matchings, ShareLinksOfAnIdealTorusAsThePaperSays) {
  const Machine ideal = test_ideal_torus(8);
  EXPECT_EQ(congestion(ideal, PartnerRule::swing, false), (std::vector<int>{1, 1, 1, 1, 2, 2}));
  EXPECT_EQ(congestion(ideal, PartnerRule::recursive_doubling, false), (std::vector<int>{1, 1, 2, 2, 4, 4}));
}

TEST(Matchings, ShareMoreLinksIfTheNocsAreSwapped) {
  const Machine machine = test_wormhole(8, 8);  // rows 1-5 and 7-9
  EXPECT_EQ(congestion(machine, PartnerRule::swing, false), (std::vector<int>{1, 1, 1, 1, 2, 2}));
  EXPECT_EQ(congestion(machine, PartnerRule::recursive_doubling, false), (std::vector<int>{1, 1, 2, 2, 4, 4}));
  EXPECT_EQ(congestion(machine, PartnerRule::swing, true), (std::vector<int>{4, 4, 4, 4, 3, 3}));
  EXPECT_EQ(congestion(machine, PartnerRule::recursive_doubling, true), (std::vector<int>{4, 4, 4, 4, 4, 4}));
}

TEST(Players, AreTheLargestGridOfPowersOfTwo) {
  const auto players = [](const Machine& machine) { return players_of(*as<Torus>(machine)); };
  EXPECT_EQ(players(test_wormhole(64)).count(), 64);
  EXPECT_TRUE(players(test_wormhole(64)).folds.empty());
  EXPECT_EQ(
      players(test_wormhole(72)).folds,
      (std::vector<std::vector<Folded>>{{{64, 0}, {65, 1}, {66, 2}, {67, 3}, {68, 4}, {69, 5}, {70, 6}, {71, 7}}}));
  EXPECT_EQ(players(test_wormhole(3, 3)).folds,
            (std::vector<std::vector<Folded>>{{{2, 0}, {5, 3}, {8, 6}}, {{6, 0}, {7, 1}}}));
  const TorusPlayers short_row = players(test_wormhole(27));
  EXPECT_EQ(short_row.rows, 2) << "three whole rows";
  EXPECT_EQ(short_row.folds.at(0).size(), 11U);
}

TEST(Players, ExchangeRolesWithARoot) {
  const TorusPlayers before = players_of(*as<Torus>(test_wormhole(3, 3)));
  const TorusPlayers after = with_player(before, 8);  // it was folded into 6, and 6 into 0
  EXPECT_EQ(after.ranks, (std::vector<NodeId>{8, 1, 3, 4}));
  EXPECT_EQ(after.folds, (std::vector<std::vector<Folded>>{{{2, 8}, {5, 3}, {0, 6}}, {{6, 8}, {7, 1}}}));
  EXPECT_EQ(represented_by(before, 0), (std::vector<NodeId>{0, 2, 6, 8}));
  EXPECT_EQ(represented_by(before, 6), (std::vector<NodeId>{6, 8}));
  EXPECT_EQ(represented_by(before, 4), (std::vector<NodeId>{4}));
}

/// What the steps of an axis cost if player i sits on worker order[i] of a line of `workers` on a ring of `length` tiles: cycles for the
/// messages on the busiest link of each step, and for its longest way. Messages take the nearer NoC, as nearer_noc() does.
std::int64_t cost_of(const std::vector<std::int32_t>& order, const std::vector<std::int32_t>& workers,
                     std::int32_t length, std::int64_t cycles_per_message) {
  constexpr std::int64_t kHop = 9;
  const auto players = static_cast<std::int32_t>(order.size());
  std::int64_t cost = 0;
  for (int step = 0; (1 << step) < players; ++step) {
    std::vector<std::int64_t> load(static_cast<std::size_t>(2 * length));
    std::int64_t most_hops = 0;
    for (std::int32_t p = 0; p < players; ++p) {
      const std::int32_t a = order[static_cast<std::size_t>(p)];
      const std::int32_t b = order[static_cast<std::size_t>(partner_on_axis(p, step, players, {}))];
      const std::int32_t from = workers[static_cast<std::size_t>(a)];
      const std::int32_t east = (workers[static_cast<std::size_t>(b)] - from + length) % length;
      const std::int32_t workers_east = (b - a + players) % players;
      const bool is_tie = 2 * east == length;
      const bool is_tie_of_workers = 2 * workers_east == players;
      const bool goes_east = !is_tie ? 2 * east < length : is_tie_of_workers ? a < b : 2 * workers_east < players;
      const std::int32_t hops = goes_east ? east : length - east;
      most_hops = std::max<std::int64_t>(most_hops, hops);
      for (std::int32_t k = 0; k < hops; ++k) {
        const std::int32_t at = (from + (goes_east ? k : length - k)) % length;
        ++load[static_cast<std::size_t>(2 * at + (goes_east ? 0 : 1))];
      }
    }
    cost += cycles_per_message * *std::max_element(load.begin(), load.end()) + kHop * most_hops;
  }
  return cost;
}

/// Tiles that are no workers lengthen ways, but players on the workers in their order is still the best: all orders are tried.
TEST(Matchings, NoOtherOrderOfWorkersIsBetterForSwing) {
  const std::vector<std::int32_t> rows{1, 2, 3, 4, 5, 7, 8, 9, 10, 11};
  struct Line {
    std::vector<std::int32_t> workers;
    std::int32_t length;
  };
  std::vector<Line> lines{{{1, 2, 3, 4, 6, 7, 8, 9}, 10}};
  for (const std::int32_t fused_off : {1, 5, 9, 11}) {
    Line& line = lines.emplace_back(Line{{}, 12});
    for (const std::int32_t row : rows) {
      if (row != fused_off && line.workers.size() < 8) line.workers.push_back(row);
    }
  }
  for (const Line& line : lines) {
    for (const std::int64_t cycles_per_message : {66, 4228}) {  // 2 and 128 KiB
      std::vector<std::int32_t> order(8);
      std::iota(order.begin(), order.end(), 0);
      const std::int64_t natural = cost_of(order, line.workers, line.length, cycles_per_message);
      std::int64_t best = natural;
      while (std::next_permutation(order.begin(), order.end())) {
        best = std::min(best, cost_of(order, line.workers, line.length, cycles_per_message));
      }
      EXPECT_EQ(best, natural) << "rows or columns from " << line.workers.front() << " to " << line.workers.back();
    }
  }
}

}  // namespace
}  // namespace muster

// How few colors are possible at all: every choice is tried, by the one rule that no router changes both sides of a switch
// where the machine changes one. The lowering obeys more rules than that, so it cannot do better.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "backend/wafer/directions.h"
#include "backend/wafer/lower/lower.h"
#include "backend/wafer/test_grids.h"
#include "backend/wafer/test_schedules.h"
#include "base/index.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

using test::Grid;

/// Which streams cannot share a color, and whether a number of colors is enough: the most restricted stream goes first.
class Conflicts {
 public:
  Conflicts(const Schedule& schedule, const Mesh& mesh) {
    const auto routes = find_routes(schedule, mesh);
    std::vector<std::map<NodeId, Position>> paths(schedule.streams.size());
    for (std::size_t s = 0; s < paths.size(); ++s) {
      routes.value().all_visits(static_cast<StreamId>(s), [&](const Visit& v) {
        paths[s][v.router] = v.position;
        return true;
      });
    }
    of_.resize(paths.size());
    for (std::size_t a = 0; a < paths.size(); ++a) {
      for (std::size_t b = 0; b < paths.size(); ++b) {
        if (a != b && meet(paths[a], paths[b])) of_[a].push_back(b);
      }
    }
  }

  bool can_do_with(int colors) {
    color_.assign(of_.size(), -1);
    return color_the_rest(colors, 0);
  }

 private:
  static bool meet(const std::map<NodeId, Position>& a, const std::map<NodeId, Position>& b) {
    return std::any_of(a.begin(), a.end(), [&](const auto& visit) {
      const auto other = b.find(visit.first);
      return other != b.end() && changed_sides(visit.second, other->second).both();
    });
  }

  [[nodiscard]] std::set<int> taken(std::size_t stream) const {
    std::set<int> colors;
    for (const std::size_t other : of_[stream]) {
      if (color_[other] >= 0) colors.insert(color_[other]);
    }
    return colors;
  }

  bool color_the_rest(int colors, int used) {
    std::size_t next = of_.size();
    std::pair<std::size_t, std::size_t> most;
    for (std::size_t s = 0; s < of_.size(); ++s) {
      if (color_[s] >= 0) continue;
      const std::pair<std::size_t, std::size_t> restricted{taken(s).size(), of_[s].size()};
      if (next == of_.size() || restricted > most) {
        most = restricted;
        next = s;
      }
    }
    if (next == of_.size()) return true;
    const std::set<int> not_these = taken(next);
    for (int color = 0; color < std::min(colors, used + 1); ++color) {  // fresh colors are all alike
      if (not_these.contains(color)) continue;
      color_[next] = color;
      if (color_the_rest(colors, std::max(used, color + 1))) return true;
      color_[next] = -1;
    }
    return false;
  }

  std::vector<std::vector<std::size_t>> of_;
  std::vector<int> color_;
};

TEST(FewestColors, OfChainsAlongRowsThenColumnsAreFour) {
  const Grid grid{5, 4};
  Conflicts conflicts(test::allreduce_x_then_y(grid, 8, test::chain_tree), *as<Mesh>(test::wafer(5, 4)));
  EXPECT_FALSE(conflicts.can_do_with(3));
  EXPECT_TRUE(conflicts.can_do_with(4));
}

/// What passes a router along its row, and what passes it along its column, change both sides.
TEST(FewestColors, OfTreesAlongRowsThenColumnsAreSix) {
  const Grid grid{5, 5};
  Conflicts conflicts(test::allreduce_x_then_y(grid, 8, test::binary_tree), *as<Mesh>(test::wafer(5, 5)));
  EXPECT_FALSE(conflicts.can_do_with(5));
  EXPECT_TRUE(conflicts.can_do_with(6));
}

}  // namespace
}  // namespace muster::wafer

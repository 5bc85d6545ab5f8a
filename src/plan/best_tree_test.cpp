// The best tree against every other tree of a short row: made, lowered and simulated.
#include "collective/grid/best_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "backend/capabilities.h"
#include "base/index.h"
#include "collective/algorithms.h"
#include "machine/mesh.h"
#include "plan/plan_test_support.h"
#include "schedule/builder.h"

namespace muster {
namespace {

/// Parents by index, in pre-order: the parent of x is x - 1, or one of the ancestors of x - 1.
void add_trees(std::int32_t size, std::vector<std::int32_t>& parents, std::vector<ReductionTree>& all) {
  const auto next = static_cast<std::int32_t>(parents.size());
  if (next == size) {
    all.emplace_back(parents);
    return;
  }
  for (std::int32_t parent = next - 1; parent >= 0; parent = parents[at(parent)]) {
    parents.push_back(parent);
    add_trees(size, parents, all);
    parents.pop_back();
  }
}

std::vector<ReductionTree> all_trees(std::int32_t size) {
  std::vector<std::int32_t> parents{-1};
  std::vector<ReductionTree> all;
  add_trees(size, parents, all);
  return all;
}

/// Every pair of trees of the two sides, with every order in which the root can take its children.
std::vector<LineTrees> all_line_trees(const Line& line) {
  const auto children = [](const ReductionTree& tree) {
    std::ptrdiff_t count = 0;
    for (std::int32_t x = 1; x < tree.size(); ++x) count += tree.parent(x) == 0 ? 1 : 0;
    return count;
  };
  std::vector<LineTrees> all;
  const auto [shorter, longer] = line.sides();
  for (const ReductionTree& first : all_trees(shorter.length)) {
    for (const ReductionTree& second : all_trees(longer.length)) {
      std::vector<std::uint8_t> order(at(children(first)), 0);
      order.insert(order.end(), at(children(second)), 1);
      do {
        all.push_back({.sides = {first, second}, .order = order});
      } while (std::next_permutation(order.begin(), order.end()));
    }
  }
  return all;
}

std::int64_t simulated(const Request& request, const Line& line, const LineTrees& trees) {
  ScheduleBuilder b({.nodes = line.length, .count = request.count});
  write_line_reduce(b, line, trees, b.span({0, request.count}), Buffer::input);
  b.contract({.collective = Collective::reduce,
              .ranks = all_ranks(request.machine),
              .root = line.root,
              .count = request.count});
  const Schedule schedule = std::move(b).finish();
  const auto program = lowering_for(request.machine).lower(schedule, request.machine, {});
  return simulator_for(request.machine, {}).simulate(*program.value(), {}).cycles.value().value();
}

struct Costs {
  std::int32_t buffer;
  std::int64_t start;
  std::int64_t gap;
  std::int64_t interval = 1;
};
constexpr Costs kMachines[] = {{1, 0, 0}, {1, 4, 0}, {1, 0, 5},    {1, 3, 20},    {1, 16, 16},
                               {2, 0, 0}, {2, 4, 3}, {2, 0, 0, 2}, {2, 0, 0, 13}, {2, 20, 3, 5}};

Request row(std::int32_t length, std::int64_t count, std::int32_t root, const Costs& costs) {
  Job job = wafer_job(Collective::reduce, length, 1, count);
  Mesh& mesh = *as<Mesh>(job.machine);
  mesh.router_buffer = costs.buffer;
  mesh.operation_start = Cycles(costs.start);
  mesh.receive_gap = Cycles(costs.gap);
  mesh.receive_interval = Cycles(costs.interval);
  job.root = root;
  return request_of(job);
}

std::int64_t fastest_of_all(const Request& request, const Line& line) {
  std::int64_t best = std::numeric_limits<std::int64_t>::max();
  for (const LineTrees& trees : all_line_trees(line)) best = std::min(best, simulated(request, line, trees));
  return best;
}

TEST(BestTree, IsTheFastestOfAllTreesOfARowAndTakesWhatItSays) {
  for (const Costs& costs : kMachines) {
    for (const auto& [length, count] : {std::pair{3, 16}, {4, 3}, {5, 1}, {5, 7}, {6, 2}, {6, 5}, {6, 24}}) {
      const Request request = row(length, count, 0, costs);
      const Line line = line_of(request).value();
      const LinePlan plan = fastest_plan(line, line_timing(request));
      EXPECT_EQ(plan.stored, fastest_of_all(request, line))
          << length << " " << count << ", buffer " << costs.buffer << " " << costs.start << " " << costs.gap;
      EXPECT_EQ(plan.stored, simulated(request, line, plan.trees));
    }
  }
}

TEST(BestTree, WithARootInsideIsAtMostAFewCyclesFromTheFastest) {
  for (const Costs& costs : kMachines) {
    for (const auto& [length, root, count] : {std::tuple{3, 1, 16}, {5, 1, 2}, {5, 2, 1}, {5, 2, 7}, {6, 2, 3}}) {
      const Request request = row(length, count, root, costs);
      const Line line = line_of(request).value();
      EXPECT_LE(simulated(request, line, reduce_best_tree().trees(request, {})), fastest_of_all(request, line) + 4)
          << length << " " << root << " " << count << ", buffer " << costs.buffer << " " << costs.start << " "
          << costs.gap;
    }
  }
}

}  // namespace
}  // namespace muster

// Best tree: the fastest tree for this machine, row and vector length, to the cycle.
//
// Steps: a PE takes its children nearest first; the tree comes from the recursion of best_tree.h. Busiest link and port:
// between those of chain and star, whatever is fastest: chains of short stars for long vectors, ever flatter trees for
// short ones. Source: our own. The cost is the recursion's value: no estimate, but what the pipeline takes with the root at
// an end, also with start-up, gap and single buffers (tests simulate every tree of short rows). With a root inside, a program
// takes up to four cycles more or less, mostly none: its sides may come on two colors, and then need no turn, but wavelets
// of the side that waits get on the ramp between those of the other. So its steps are compared with
// those of plain patterns, and of equals the root takes one side after the other.
#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

#include "base/index.h"
#include "collective/algorithms.h"
#include "collective/grid/best_tree.h"

namespace muster {

namespace {

/// A root inside needs a table of its two sides' lengths; no wafer is nearly as long.
constexpr std::int32_t kLongest = 4096;

std::int64_t turns_of(const LineTrees& trees) {
  std::int64_t turns = 0;
  for (std::size_t i = 1; i < trees.order.size(); ++i) turns += trees.order[i] != trees.order[i - 1] ? 1 : 0;
  return turns;
}

/// The recursion does not see that messages of both sides meet before the root's ramp, where one that is taken later holds
/// up one that is taken earlier. So where the steps take as long, the root takes one side after the other, the shorter
/// one first, and few messages; a plain pattern may then be as good.
LineTrees with_fewest_turns(const Request& request, const LineTrees& found) {
  std::vector<LineTrees> all{found, found, found};
  std::sort(all[0].order.begin(), all[0].order.end());
  std::sort(all[1].order.begin(), all[1].order.end(), std::greater<>());
  for (const LineReduce& pattern : {reduce_chain(), reduce_two_phase(), reduce_auto_gen()}) {
    Parameters parameters;
    for (const ParameterSpec& spec : pattern.parameters) parameters[spec.name] = spec.by_default(request);
    all.push_back(pattern.trees(request, parameters));
  }
  using Key = std::tuple<Cycles, std::int64_t, std::uint8_t, std::size_t>;
  std::vector<Key> keys;
  for (const LineTrees& trees : all) {
    keys.emplace_back(walked_line_cycles(request, trees), turns_of(trees), trees.order.front(), trees.order.size());
  }
  return all[at(std::min_element(keys.begin(), keys.end()) - keys.begin())];
}

LineTrees trees(const Request& request, const Parameters&) {
  const Line line = line_of(request).value();
  LineTrees found = fastest_plan(line, line_timing(request)).trees;
  return line.root_inside() ? with_fewest_turns(request, found) : found;
}

Cycles cost(const Request& request, const Parameters&) {
  const Line line = line_of(request).value();
  const LineTiming timing = line_timing(request);
  if (!line.root_inside()) return Cycles(SidePlan(line.length, timing).stored(line.length));
  return Cycles(fastest_plan(line, timing).stored);
}

std::vector<Cycles> cost_by_root(const Request& request) {
  const Line line = line_of(request).value();
  if (line.length == 1) return {cost(request, {})};
  std::vector<Cycles> all;
  for (const std::int64_t stored : fastest_by_root(line.length, line_timing(request))) all.emplace_back(stored);
  return all;
}

}  // namespace

LineReduce reduce_best_tree() {
  return {.name = "best-tree",
          .summary =
              "the fastest tree of messages for this machine and vector; exact to the cycle if the root is at an end",
          .source = "Muster's own: the recursion in docs/wafer.md",
          .parameters = {},
          .cost_tolerance = {.fraction = 0, .cycles = Cycles(4)},
          .trees = trees,
          .cost = cost,
          .longest = kLongest,
          .knows_machine = true,
          .cost_by_root = cost_by_root};
}

}  // namespace muster

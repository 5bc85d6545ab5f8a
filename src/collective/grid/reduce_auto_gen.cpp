// Auto-Gen: of all trees without overlapping edges, the one that the paper's model predicts to be fastest.
//
// Steps: a PE takes its children nearest first; the tree comes from auto_gen.h. Busiest link and port: between those of
// chain and star. Source: Near-Optimal Wafer-Scale Reduce (HPDC'24), §5.5. The cost is Equation (1) on that tree. The
// model does not tell trees of equal depth and energy apart, though they take up to a third longer than each other: ours
// is the fastest of them. For a scalar the model sees queues one after another where the pipeline has none: it predicts up
// to 45% too much.
#include "collective/algorithms.h"
#include "collective/grid/auto_gen.h"
#include "machine/mesh.h"

namespace muster {

namespace {

/// The choice among trees of equal energy keeps a table of sizes and depths; no wafer is nearly as long.
constexpr std::int32_t kLongest = 4096;

TreeFor trees_for(const Request& request) {
  return [timing = line_timing(request), mesh = *as<Mesh>(request.machine)](std::int32_t size) {
    return auto_gen_tree(size, timing, mesh);
  };
}

LineTrees trees(const Request& request, const Parameters&) {
  return shorter_side_first(line_of(request).value(), trees_for(request));
}

Cycles cost(const Request& request, const Parameters&) {
  const Line line = line_of(request).value();
  if (!line.root_inside()) return auto_gen_cycles(line.length, request.count, *as<Mesh>(request.machine));
  return reduce_cycles(request, trees_for(request));
}

}  // namespace

LineReduce reduce_auto_gen() {
  return {.name = "auto-gen",
          .summary = "the tree that the paper's model predicts to be fastest for this row and vector",
          .source = "Near-Optimal Wafer-Scale Reduce (HPDC'24), §5.5",
          .parameters = {},
          .cost_tolerance = {.fraction = 0.45},
          .trees = trees,
          .cost = cost,
          .longest = kLongest};
}

}  // namespace muster

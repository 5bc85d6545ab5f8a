// Equation (1), the terms of reduction trees, and lines with the root inside.
#include "collective/grid/model.h"

#include <algorithm>
#include <vector>

#include "base/index.h"
#include "base/saturating.h"
#include "machine/mesh.h"

namespace muster {

namespace {

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return b == 0 ? 0 : a / b + (a % b == 0 ? 0 : 1); }

}  // namespace

Cycles depth_cycles(const Mesh& mesh) { return mesh.ramp_latency * 2 + Cycles(1); }

std::int64_t farthest_hops(const Mesh& mesh, NodeId root) {
  const std::int32_t x = root % mesh.width;
  const std::int32_t y = root / mesh.width;
  return std::max(x, mesh.width - 1 - x) + std::max(y, mesh.height - 1 - y);
}

Cycles copy_cycles(std::int64_t count) { return Cycles(count); }

Cycles model_cycles(const ModelTerms& terms, const Mesh& mesh) {
  const std::int64_t latency = saturating_product(mesh.hop_latency.value(), terms.distance);
  const std::int64_t network = saturating_sum(ceil_div(terms.energy, terms.links), latency);
  const std::int64_t depth = saturating_product(depth_cycles(mesh).value(), terms.depth);
  return Cycles(saturating_sum(std::max(terms.contention, network), depth));
}

ModelTerms tree_terms(const ReductionTree& tree, std::int64_t count) {
  ModelTerms terms{.distance = tree.size() - 1, .links = tree.size() - 1};
  std::vector<std::int32_t> level(at(tree.size()), 0);
  std::vector<std::int32_t> children(at(tree.size()), 0);
  std::int64_t hops = 0;
  for (std::int32_t x = 1; x < tree.size(); ++x) {
    const std::size_t parent = at(tree.parent(x));
    level[at(x)] = level[parent] + 1;
    hops += x - tree.parent(x);
    ++children[parent];
  }
  terms.depth = *std::max_element(level.begin(), level.end());
  terms.energy = saturating_product(hops, count);
  terms.contention = saturating_product(*std::max_element(children.begin(), children.end()), count);
  return terms;
}

Cycles side_cycles(const ReductionTree& tree, std::int64_t count, const Mesh& mesh) {
  return model_cycles(tree_terms(tree, count), mesh);
}

Cycles reduce_cycles(const Request& request, const TreeFor& tree_for, const SideCycles& of_side) {
  const Line line = line_of(request).value();
  if (line.length == 1) return copy_cycles(request.count);
  const Mesh& mesh = *as<Mesh>(request.machine);
  const auto [shorter, longer] = line.sides();
  const ReductionTree last = tree_for(longer.length);
  const Cycles last_alone = of_side(last, request.count, mesh);
  if (!line.root_inside()) return last_alone;

  const std::int64_t first_ends = of_side(tree_for(shorter.length), request.count, mesh).value();
  const std::int64_t streams = saturating_product(last.child_count(0), request.count);
  return std::max(last_alone, Cycles(saturating_sum(first_ends, streams)));
}

}  // namespace muster

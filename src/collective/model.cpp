// Equation (1) and the terms of reduction trees.
#include "collective/model.h"

#include <algorithm>
#include <vector>

namespace muster {

namespace {

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return b == 0 ? 0 : (a + b - 1) / b; }

/// Terms of one side in units of the vector's length. The root's children are also counted apart: both sides share its
/// port.
struct SideTerms {
  std::int64_t depth = 0;
  std::int64_t hops = 0;
  std::int64_t most_children = 0;
  std::int64_t root_children = 0;
};

SideTerms side_terms(const ReductionTree& tree) {
  SideTerms terms;
  std::vector<std::int32_t> level(static_cast<std::size_t>(tree.places()), 0);
  std::vector<std::int32_t> children(static_cast<std::size_t>(tree.places()), 0);
  for (std::int32_t x = 1; x < tree.places(); ++x) {
    const auto parent = static_cast<std::size_t>(tree.parent(x));
    level[static_cast<std::size_t>(x)] = level[parent] + 1;
    terms.depth = std::max<std::int64_t>(terms.depth, level[parent] + 1);
    terms.hops += x - tree.parent(x);
    ++children[parent];
  }
  terms.root_children = children[0];
  terms.most_children = *std::max_element(children.begin(), children.end());
  return terms;
}

}  // namespace

Cycles depth_cycles(const Mesh& mesh) { return mesh.ramp_latency * 2 + Cycles(1); }

std::int64_t farthest_hops(const Mesh& mesh, NodeId root) {
  const std::int32_t x = root % mesh.width;
  const std::int32_t y = root / mesh.width;
  return std::max(x, mesh.width - 1 - x) + std::max(y, mesh.height - 1 - y);
}

Cycles copy_cycles(std::int64_t count) { return Cycles(count); }

Cycles model_cycles(const ModelTerms& terms, const Mesh& mesh) {
  const Cycles network = Cycles(ceil_div(terms.energy, terms.links)) + mesh.hop_latency * terms.distance;
  return std::max(Cycles(terms.contention), network) + depth_cycles(mesh) * terms.depth;
}

ModelTerms reduce_terms(const Line& line, std::int64_t count, const TreeFor& tree_for) {
  ModelTerms terms;
  std::int64_t root_children = 0;
  for (const Side& side : line.sides()) {
    const SideTerms one = side_terms(tree_for(side.length));
    root_children += one.root_children;
    terms.depth = std::max(terms.depth, one.depth);
    terms.distance = std::max<std::int64_t>(terms.distance, side.length - 1);
    terms.energy += one.hops * count;
    terms.contention = std::max(terms.contention, one.most_children * count);
    terms.links += side.length - 1;
  }
  terms.contention = std::max(terms.contention, root_children * count);
  return terms;
}

}  // namespace muster

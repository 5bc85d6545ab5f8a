#include "collective/switches/node_routes.h"

#include <algorithm>

#include "base/index.h"
#include "machine/hyperx.h"

namespace muster {
namespace {

HyperX one_node(HyperX hyperx) {
  hyperx.shape.clear();
  hyperx.failed_nodes.clear();
  hyperx.failed_links.clear();
  return hyperx;
}

}  // namespace

RoutesInNode::RoutesInNode(const HyperX& hyperx)
    : one_node_(one_node(hyperx)), neighbours_(at(switches_per_node(hyperx))), kept_(neighbours_.size()) {}

NodeRoutes RoutesInNode::sketch(std::int32_t to) const {
  const NodeId first = rank_count(one_node_);
  NodeRoutes routes;
  routes.next.assign(kept_.size(), -1);
  routes.latency.assign(kept_.size(), Ticks(-1));
  routes.latency[at(to)] = Ticks(0);
  std::vector<std::int32_t> path;
  for (std::int32_t start = 0; start < switches(); ++start) {
    for (std::int32_t x = start; routes.latency[at(x)] < Ticks(0); x = routes.next[at(x)]) {
      routes.next[at(x)] = next_switch(one_node_, first + x, first + to) - first;
      path.push_back(x);
    }
    for (; !path.empty(); path.pop_back()) {
      const std::int32_t x = path.back();
      const std::int32_t next = routes.next[at(x)];
      routes.latency[at(x)] = routes.latency[at(next)] + link_latency(one_node_, first + x, first + next);
    }
  }
  routes.depth = *std::max_element(routes.latency.begin(), routes.latency.end());
  return routes;
}

const NodeRoutes& RoutesInNode::to(std::int32_t to) {
  if (!kept_[at(to)].empty()) return kept_[at(to)].front();
  const NodeId first = rank_count(one_node_);
  NodeRoutes routes = sketch(to);
  for (std::int32_t x = 0; x < switches(); ++x) {
    std::vector<std::int32_t>& others = neighbours_[at(x)];
    if (others.empty()) {
      for (const NodeId other : neighbours(one_node_, first + x)) others.push_back(other - first);
    }
    routes.first_child.push_back(static_cast<std::int32_t>(routes.children.size()));
    std::copy_if(others.begin(), others.end(), std::back_inserter(routes.children),
                 [&](std::int32_t other) { return routes.next[at(other)] == x; });
  }
  routes.first_child.push_back(static_cast<std::int32_t>(routes.children.size()));
  kept_[at(to)].push_back(std::move(routes));
  return kept_[at(to)].front();
}

}  // namespace muster

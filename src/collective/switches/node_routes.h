// The default routes inside a HyperX node: all its switches to one of them. Nodes are alike, so one node stands for all;
// switches are numbered from 0 in the node.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/hyperx.h"

namespace muster {

struct NodeRoutes {
  std::vector<std::int32_t> next;         ///< next switch on the path; -1 at the switch itself
  std::vector<Ticks> latency;             ///< of the whole path
  std::vector<std::int32_t> first_child;  ///< [first_child[x], first_child[x + 1]) of `children` have x as their next
  std::vector<std::int32_t> children;     ///< in the order of ports
  Ticks depth;                            ///< the largest latency
};

/// Makes routes, and keeps them.
class RoutesInNode {
 public:
  explicit RoutesInNode(const HyperX& hyperx);
  [[nodiscard]] std::int32_t switches() const { return static_cast<std::int32_t>(kept_.size()); }
  /// Only `next`, `latency` and `depth`; not kept.
  [[nodiscard]] NodeRoutes sketch(std::int32_t to) const;
  const NodeRoutes& to(std::int32_t to);

 private:
  HyperX one_node_;
  std::vector<std::vector<std::int32_t>> neighbours_;
  std::vector<std::vector<NodeRoutes>> kept_;  ///< by switch; none or one
};

}  // namespace muster

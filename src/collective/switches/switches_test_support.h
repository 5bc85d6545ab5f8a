// For tests only: small HyperX machines at random, some of them damaged.
#pragma once

#include <rapidcheck/gtest.h>

#include <vector>

#include "machine/hyperx.h"
#include "machine/test_hyperx.h"

namespace muster {

/// Up to three dimensions of 2 to 4 nodes.
inline Machine any_small_hyperx() {
  std::vector<std::int32_t> shape(*rc::gen::inRange<std::size_t>(0, 4));
  for (std::int32_t& nodes : shape) nodes = *rc::gen::inRange(2, 5);
  return test_hyperx(shape, *rc::gen::inRange(1, 6), *rc::gen::inRange(1, 5), *rc::gen::inRange(1, 4));
}

/// Lets some nodes and links fail; at least one node is left.
inline void damage(Machine& machine) {
  auto& hyperx = *as<HyperX>(machine);
  const std::int32_t nodes = hyperx_nodes(hyperx);
  for (std::int32_t node = 1; node < nodes; ++node) {
    if (*rc::gen::inRange(0, 8) == 0) hyperx.failed_nodes.push_back(node);
  }
  for (std::int32_t a = 0; a < nodes; ++a) {
    for (std::int32_t b = a + 1; b < nodes; ++b) {
      if (node_link_dimension(hyperx, a, b) && *rc::gen::inRange(0, 4) == 0) hyperx.failed_links.emplace_back(a, b);
    }
  }
}

/// Some of the nodes that have not failed, at least one.
inline std::vector<std::int32_t> any_participants(const HyperX& hyperx) {
  std::vector<std::int32_t> whole;
  for (std::int32_t node = 0; node < hyperx_nodes(hyperx); ++node) {
    if (!has_failed(hyperx, node)) whole.push_back(node);
  }
  std::vector<std::int32_t> some;
  for (const std::int32_t node : whole) {
    if (*rc::gen::arbitrary<bool>()) some.push_back(node);
  }
  return some.empty() ? whole : some;
}

}  // namespace muster

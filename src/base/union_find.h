// Disjoint sets of the numbers [0, size) that are joined over time (union-find, with path halving).
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "base/index.h"

namespace muster {

class UnionFind {
 public:
  explicit UnionFind(std::size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0); }

  /// The smallest number in the set of `x`.
  std::int32_t find(std::int32_t x) {
    while (parent_[at(x)] != x) x = parent_[at(x)] = parent_[at(parent_[at(x)])];
    return x;
  }
  void join(std::int32_t a, std::int32_t b) {
    a = find(a);
    b = find(b);
    parent_[at(std::max(a, b))] = std::min(a, b);
  }

 private:
  std::vector<std::int32_t> parent_;  ///< never larger than its child
};

}  // namespace muster

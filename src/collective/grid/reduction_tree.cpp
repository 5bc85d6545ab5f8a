// Trees on a line: sizes of subtrees, and the check that indices are in pre-order. Linear in the size.
#include "collective/grid/reduction_tree.h"

#include <utility>

#include "base/error.h"

namespace muster {

ReductionTree::ReductionTree(std::vector<std::int32_t> parents)
    : parents_(std::move(parents)), sizes_(parents_.size(), 1) {
  MUSTER_ASSERT(!parents_.empty(), "a reduction tree needs a root");
  for (std::int32_t x = size() - 1; x > 0; --x) {
    MUSTER_ASSERT(parent(x) >= 0 && parent(x) < x, "PE {} has the parent {}", x, parent(x));
    sizes_[static_cast<std::size_t>(parent(x))] += sizes_[static_cast<std::size_t>(x)];
  }
  // In pre-order the subtree of x lies within that of its parent. Together with the sizes, which add up, this is
  // enough: the subtrees of two children of one PE cannot overlap.
  for (std::int32_t x = 1; x < size(); ++x) {
    MUSTER_ASSERT(end(x) <= end(parent(x)), "PE {} does not follow its parent {} in pre-order", x, parent(x));
  }
}

ReductionTree ReductionTree::from(std::int32_t size, const std::function<std::int32_t(std::int32_t)>& parent) {
  std::vector<std::int32_t> parents(static_cast<std::size_t>(size), -1);
  for (std::int32_t x = 1; x < size; ++x) parents[static_cast<std::size_t>(x)] = parent(x);
  return ReductionTree(std::move(parents));
}

std::int32_t ReductionTree::child_count(std::int32_t x) const {
  std::int32_t count = 0;
  for (auto child = children(x).begin(); child != children(x).end(); ++child) ++count;
  return count;
}

std::int32_t ReductionTree::last_child(std::int32_t x) const {
  std::int32_t last = -1;
  for (const std::int32_t child : children(x)) last = child;
  return last;
}

}  // namespace muster

// Reduction trees on a line: the parent of each processor, and the order in which a processor receives from its children.
//
// Indices are in pre-order: index 0 is the root, the subtree of x is the contiguous range [x, x + size(x)), and the
// children of x follow each other in that range, nearest first. So edges never overlap in the forbidden way (paper §5.5): no
// message from inside a subtree passes the subtree's own root.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace muster {

class ReductionTree {
 public:
  /// `parents[x]` for every index x > 0; parents[0] is not read. It is a bug if the numbering is not pre-order.
  explicit ReductionTree(std::vector<std::int32_t> parents);
  /// The tree in which x sends to parent(x).
  static ReductionTree from(std::int32_t size, const std::function<std::int32_t(std::int32_t)>& parent);

  [[nodiscard]] std::int32_t size() const { return static_cast<std::int32_t>(parents_.size()); }
  [[nodiscard]] std::int32_t parent(std::int32_t x) const { return parents_[static_cast<std::size_t>(x)]; }
  /// One past the last index of the subtree of x.
  [[nodiscard]] std::int32_t end(std::int32_t x) const { return x + sizes_[static_cast<std::size_t>(x)]; }
  [[nodiscard]] bool is_leaf(std::int32_t x) const { return end(x) == x + 1; }
  [[nodiscard]] bool is_last_child(std::int32_t x) const { return end(x) == end(parent(x)); }

  /// The children of x, in the order in which it takes them.
  class Children {
   public:
    class Iterator {
     public:
      Iterator(const ReductionTree& tree, std::int32_t at) : tree_(&tree), at_(at) {}
      std::int32_t operator*() const { return at_; }
      Iterator& operator++() { return at_ = tree_->end(at_), *this; }
      bool operator==(const Iterator& other) const { return at_ == other.at_; }

     private:
      const ReductionTree* tree_;
      std::int32_t at_;
    };
    Children(const ReductionTree& tree, std::int32_t x) : tree_(&tree), x_(x) {}
    [[nodiscard]] Iterator begin() const { return {*tree_, x_ + 1}; }
    [[nodiscard]] Iterator end() const { return {*tree_, tree_->end(x_)}; }

   private:
    const ReductionTree* tree_;
    std::int32_t x_;
  };
  [[nodiscard]] Children children(std::int32_t x) const { return {*this, x}; }
  [[nodiscard]] std::int32_t child_count(std::int32_t x) const;
  /// The one that x takes last; -1 if x is a leaf.
  [[nodiscard]] std::int32_t last_child(std::int32_t x) const;

 private:
  std::vector<std::int32_t> parents_;
  std::vector<std::int32_t> sizes_;
};

/// The tree for a side of `size` PEs, the root included.
using TreeFor = std::function<ReductionTree(std::int32_t size)>;

}  // namespace muster

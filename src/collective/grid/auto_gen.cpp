// The closed form, and the choice among trees of equal energy.
#include "collective/grid/auto_gen.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/index.h"
#include "base/saturating.h"
#include "machine/mesh.h"

namespace muster {

namespace {

/// binom(depth + slope, slope) - 1, the number of unit steps of at most that slope, or `enough` if there are more.
std::int64_t steps_up_to(std::int64_t depth, std::int64_t slope, std::int64_t enough) {
  std::int64_t binomial = 1;
  for (std::int64_t k = 1; k <= std::min(depth, slope); ++k) {
    binomial = binomial * (std::max(depth, slope) + k) / k;
    if (binomial > enough) return enough;
  }
  return binomial - 1;
}

Cycles cycles_at_depth(std::int32_t size, std::int32_t depth, std::int64_t count, const Mesh& mesh) {
  const LeastEnergy least = least_energy(size, depth);
  return model_cycles({.depth = depth,
                       .distance = size - 1,
                       .energy = saturating_product(least.hops, count),
                       .contention = saturating_product(least.contention, count),
                       .links = size - 1},
                      mesh);
}

/// The children of a root with p PEs that are last in some tree of least energy: a run of indices.
struct LastChildren {
  std::int32_t first = 1;
  std::int32_t last = 1;
};

/// For one depth, all sizes in ascending order. The P - 1 unit steps of a tree are one step of slope 1, for its last
/// message; steps of the part before it, of the same depth, whose slopes grow by one, because each PE there makes that
/// message a hop longer; and steps of the last child's part, of a depth less. The cheapest steps are taken; only those
/// of the highest slope leave a choice.
class Splits {
 public:
  Splits(std::int32_t depth, std::int32_t most) : depth_(depth), enough_(most) { next_slope(); }

  LastChildren of(std::int32_t size) {
    const std::int64_t steps = size - 2;
    while (before_.upto + behind_.upto < steps) next_slope();
    const std::int64_t least = std::max(before_.below, steps - behind_.upto);
    const std::int64_t most = std::min(before_.upto, steps - behind_.below);
    return {.first = static_cast<std::int32_t>(1 + least), .last = static_cast<std::int32_t>(1 + most)};
  }

 private:
  struct Steps {
    std::int64_t below = 0;  ///< the present slope
    std::int64_t upto = 0;
  };
  void next_slope() {
    ++slope_;
    before_ = {.below = before_.upto, .upto = steps_up_to(depth_, slope_ - 1, enough_)};
    behind_ = {.below = behind_.upto, .upto = steps_up_to(depth_ - 1, slope_, enough_)};
  }

  std::int32_t depth_;
  std::int64_t enough_;
  std::int64_t slope_ = 0;
  Steps before_;
  Steps behind_;
};

/// The fastest trees of least energy for all sizes and depths that the tree in question can be made of. A layer holds, for
/// one depth and one number of children that a root may still have, the start and the last child of every size.
class TimedTrees {
 public:
  TimedTrees(std::int32_t size, std::int32_t depth, const LineTiming& timing, std::int32_t most_children)
      : size_(size), depth_(depth), cap_(most_children), timing_(timing), most_(at(depth) + 1, 1) {
    most_[at(depth)] = size;
    for (std::int32_t d = depth; d > 0; --d) {
      const std::int32_t most = most_[at(d)];
      most_[at(d) - 1] = most == 1 ? 1 : most - Splits(d, most).of(most).first;
    }
    layers_.resize(at(depth) * at(layers_per_depth()));
    for (std::int32_t d = 1; d <= depth; ++d) fill(d);
  }

  [[nodiscard]] std::optional<TimedTree> best() const {
    if (size_ > 1 && layer(depth_, layers_per_depth()).start[at(size_)] == kMostCounted) return std::nullopt;
    return TimedTree{.tree = tree(), .start = size_ == 1 ? 0 : layer(depth_, layers_per_depth()).start[at(size_)]};
  }

 private:
  struct Layer {
    std::vector<std::int64_t> start;
    std::vector<std::int32_t> last_child;
  };

  [[nodiscard]] std::int32_t layers_per_depth() const { return std::max(cap_, 1); }
  /// The layer for roots that may still have `children` children; without a cap there is one for any number.
  [[nodiscard]] const Layer& layer(std::int32_t depth, std::int32_t children) const {
    return layers_[at(depth - 1) * at(layers_per_depth()) + at(children - 1)];
  }
  [[nodiscard]] std::int32_t less(std::int32_t children) const { return cap_ == 0 ? children : children - 1; }

  [[nodiscard]] std::int64_t ready(std::int32_t depth, std::int32_t children, std::int32_t size) const {
    if (size == 1) return timing_.start;
    if (children == 0) return kMostCounted;
    return timing_.begins_after(timing_.stored(layer(depth, children).start[at(size)]));
  }
  [[nodiscard]] std::int64_t sent(std::int32_t depth, std::int32_t size) const {
    return size == 1 ? timing_.start : timing_.sent(layer(depth, layers_per_depth()).start[at(size)]);
  }

  void fill(std::int32_t depth) {
    const std::int32_t most = most_[at(depth)];
    for (std::int32_t children = 1; children <= layers_per_depth(); ++children) {
      Layer& here = layers_[at(depth - 1) * at(layers_per_depth()) + at(children - 1)];
      here.start.assign(at(most) + 1, kMostCounted);
      here.last_child.assign(at(most) + 1, 1);
      Splits splits(depth, most);
      for (std::int32_t p = 2; p <= most; ++p) choose(depth, children, p, splits.of(p), here);
    }
  }

  /// Times grow with the size of the first part, so the search ends where its time alone is too long.
  void choose(std::int32_t depth, std::int32_t children, std::int32_t p, LastChildren among, Layer& here) const {
    for (std::int32_t i = among.first; i <= among.last; ++i) {
      const std::int64_t first = ready(depth, less(children), i);
      if (first >= here.start[at(p)]) return;
      const std::int64_t start = std::max(first, timing_.arrives(sent(depth - 1, p - i), i));
      if (start < here.start[at(p)]) {
        here.start[at(p)] = start;
        here.last_child[at(p)] = i;
      }
    }
  }

  [[nodiscard]] ReductionTree tree() const {
    struct Subtree {
      std::int32_t root, size, depth;
    };
    std::vector<std::int32_t> parents(at(size_), 0);
    std::vector<Subtree> subtrees{{0, size_, depth_}};
    while (!subtrees.empty()) {
      auto [root, size, depth] = subtrees.back();
      subtrees.pop_back();
      for (std::int32_t children = layers_per_depth(); size > 1; children = less(children)) {
        const std::int32_t child = layer(depth, children).last_child[at(size)];
        parents[at(root + child)] = root;
        subtrees.push_back({root + child, size - child, depth - 1});
        size = child;
      }
    }
    return ReductionTree(std::move(parents));
  }

  std::int32_t size_;
  std::int32_t depth_;
  std::int32_t cap_;
  LineTiming timing_;
  std::vector<std::int32_t> most_;  ///< sizes at each depth that can occur
  std::vector<Layer> layers_;
};

}  // namespace

LeastEnergy least_energy(std::int32_t size, std::int32_t depth) {
  LeastEnergy least;
  std::int64_t left = size - 1;
  std::int64_t steps = 1;  // of the slope before, binom(depth + slope - 1, slope)
  for (std::int64_t slope = 1; left > 0; ++slope) {
    steps = std::min<std::int64_t>(steps * (depth + slope - 1) / slope, std::int64_t{1} << 31);
    const std::int64_t taken = std::min(steps, left);
    least.hops += slope * taken;
    least.contention = slope;
    left -= taken;
  }
  return least;
}

std::optional<TimedTree> fastest_of_least_energy(std::int32_t size, std::int32_t depth, const LineTiming& timing,
                                                 std::int32_t most_children) {
  return TimedTrees(size, depth, timing, most_children).best();
}

Cycles auto_gen_cycles(std::int32_t size, std::int64_t count, const Mesh& mesh) {
  Cycles best(kMostCounted);
  for (std::int32_t depth = 1; depth < size; ++depth) {
    best = std::min(best, cycles_at_depth(size, depth, count, mesh));
  }
  return best;
}

ReductionTree auto_gen_tree(std::int32_t size, const LineTiming& timing, const Mesh& mesh) {
  const Cycles cycles = auto_gen_cycles(size, timing.words, mesh);
  std::optional<TimedTree> best;
  for (std::int32_t depth = 1; depth < size; ++depth) {
    if (cycles_at_depth(size, depth, timing.words, mesh) != cycles) continue;
    auto candidate = fastest_of_least_energy(size, depth, timing);
    if (side_cycles(candidate->tree, timing.words, mesh) > cycles) {
      // The port of some PE is too busy. The paper's own tree has no more children than this.
      const auto children = static_cast<std::int32_t>(least_energy(size, depth).contention);
      candidate = fastest_of_least_energy(size, depth, timing, children);
    }
    MUSTER_ASSERT(candidate.has_value(), "no tree of {} PEs and depth {}", size, depth);
    if (!best || candidate->start < best->start) best = std::move(candidate);
  }
  return best ? best->tree : ReductionTree(std::vector<std::int32_t>{-1});
}

}  // namespace muster

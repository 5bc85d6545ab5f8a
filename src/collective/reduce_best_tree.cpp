// Best tree: the fastest tree for this machine, row and vector length, to the cycle.
//
// Steps: a PE takes its children nearest first; the tree comes from the recursion of best_tree.h. Busiest link and port:
// between those of chain and star, whatever is fastest: chains of short stars for long vectors, ever flatter trees for
// short ones. Source: our own. The cost is the recursion's value: no estimate, but what the pipeline takes with the root at
// an end. With a root inside, a program takes up to four cycles more or less, mostly none: its sides may come on two colors,
// and then need no turn, but wavelets of the side that waits get on the ramp between those of the other.
#include <algorithm>
#include <utility>

#include "base/index.h"
#include "base/saturating.h"
#include "collective/algorithms.h"
#include "collective/best_tree.h"

namespace muster {

std::int64_t LineTiming::stored(std::int64_t begin) const { return saturating_sum(begin, words); }
std::int64_t LineTiming::sent(std::int64_t begin) const { return saturating_sum(begin, 1); }
std::int64_t LineTiming::ready(std::int64_t begin, bool turns) const {
  return saturating_sum(stored(begin), std::max(start + gap, turns ? turn : 0));
}
std::int64_t LineTiming::arrives(std::int64_t sends, std::int64_t hops) const {
  return saturating_sum(sends, saturating_sum(saturating_product(hop, hops), ramps));
}

/// A root that turns from one side to the other waits a cycle: the control wavelet that turns its router follows the data
/// of the side before it.
LineTiming line_timing(const Request& request) {
  const Mesh& mesh = *request.machine.mesh();
  return {.words = request.count,
          .hop = mesh.hop_latency.value(),
          .ramps = 2 * mesh.ramp_latency.value(),
          .start = mesh.operation_start.value(),
          .gap = mesh.receive_gap.value(),
          .turn = 1};
}

namespace {

struct Split {
  std::int64_t start = kMostCounted;
  std::int32_t last_child = 1;
};

/// The best last child among [1, places), where `ready` grows and `arrival` falls with the child: at the crossing or just
/// before it. The search begins at `from`, which is not beyond the crossing, and leaves the crossing there.
template <class Ready, class Arrival>
Split crossing(std::int32_t places, std::int32_t& from, const Ready& ready, const Arrival& arrival) {
  while (from < places - 1 && ready(from) < arrival(from)) ++from;
  Split best{.start = std::max(ready(from), arrival(from)), .last_child = from};
  if (from > 1) {
    const std::int64_t before = std::max(ready(from - 1), arrival(from - 1));
    if (before < best.start) best = {.start = before, .last_child = from - 1};
  }
  return best;
}

}  // namespace

SidePlan::SidePlan(std::int32_t places, const LineTiming& timing)
    : timing_(timing), start_(at(places) + 1, 0), split_(at(places) + 1, 0) {
  std::int32_t from = 1;
  for (std::int32_t p = 2; p <= places; ++p) {
    const Split best = crossing(
        p, from, [&](std::int32_t i) { return i == 1 ? timing_.start : timing_.ready(start_[at(i)]); },
        [&](std::int32_t i) { return timing_.arrives(sent(p - i), i); });
    start_[at(p)] = best.start;
    split_[at(p)] = best.last_child;
  }
}

std::int64_t SidePlan::stored(std::int32_t p) const { return p == 1 ? 0 : timing_.stored(start_[at(p)]); }
std::int64_t SidePlan::sent(std::int32_t p) const { return p == 1 ? timing_.start : timing_.sent(start_[at(p)]); }

ReductionTree SidePlan::tree(std::int32_t p) const {
  std::vector<std::int32_t> parents(at(p), 0);
  std::vector<Range> subtrees{{0, p}};
  while (!subtrees.empty()) {
    auto [root, size] = subtrees.back();
    subtrees.pop_back();
    while (size > 1) {
      const std::int32_t child = split_[at(size)];
      parents[at(root + child)] = static_cast<std::int32_t>(root);
      subtrees.push_back({root + child, size - child});
      size = child;
    }
  }
  return ReductionTree(std::move(parents));
}

namespace {

/// A root inside: the fastest way to the sum of the first a places of one side and the first b of the other, for all a
/// and b and for each side that the root's last child may be on.
class TwoSidedPlan {
 public:
  TwoSidedPlan(const SidePlan& sides, std::array<std::int32_t, 2> lengths, const LineTiming& timing)
      : sides_(&sides), timing_(timing), lengths_(lengths), cells_(at(lengths[0]) * at(lengths[1])) {
    std::vector<std::int32_t> first_from(at(lengths[1]) + 1, 1);
    for (std::int32_t a = 1; a <= lengths[0]; ++a) {
      std::int32_t second_from = 1;
      for (std::int32_t b = 1; b <= lengths[1]; ++b) {
        Cell& cell = cells_[index(a, b)];
        if (a > 1) {
          cell[0] = crossing(
              a, first_from[at(b)], [&](std::int32_t i) { return ready(i, b, 0); },
              [&](std::int32_t i) { return timing_.arrives(sides_->sent(a - i), i); });
        }
        if (b > 1) {
          cell[1] = crossing(
              b, second_from, [&](std::int32_t i) { return ready(a, i, 1); },
              [&](std::int32_t i) { return timing_.arrives(sides_->sent(b - i), i); });
        }
      }
    }
  }

  [[nodiscard]] std::int64_t stored() const {
    const Cell& all = cells_[index(lengths_[0], lengths_[1])];
    return timing_.stored(std::min(all[0].start, all[1].start));
  }

  [[nodiscard]] LineTrees trees() const {
    std::array<std::vector<std::int32_t>, 2> parents{std::vector<std::int32_t>(at(lengths_[0]), 0),
                                                     std::vector<std::int32_t>(at(lengths_[1]), 0)};
    std::array<std::int32_t, 2> left = lengths_;
    std::vector<std::uint8_t> order;
    const Cell& all = cells_[index(left[0], left[1])];
    std::uint8_t side = better_side(left, all[0].start, all[1].start);
    while (left[0] > 1 || left[1] > 1) {
      const std::int32_t child = cells_[index(left[0], left[1])].at(side).last_child;
      hang(parents.at(side), child, left.at(side));
      order.push_back(side);
      left.at(side) = child;
      const Cell& before = cells_[index(left[0], left[1])];
      side = better_side(left, ready(before, 0, side), ready(before, 1, side));
    }
    std::reverse(order.begin(), order.end());
    return {.sides = {ReductionTree(std::move(parents[0])), ReductionTree(std::move(parents[1]))},
            .order = std::move(order)};
  }

 private:
  using Cell = std::array<Split, 2>;  ///< by the side of the last child

  [[nodiscard]] std::size_t index(std::int32_t a, std::int32_t b) const {
    return at(a - 1) * at(lengths_[1]) + at(b - 1);
  }

  /// When the root, with a and b places added up, last from `before`, can begin with a child of `side`.
  [[nodiscard]] std::int64_t ready(const Cell& cell, std::uint8_t before, std::uint8_t side) const {
    return timing_.ready(cell.at(before).start, before != side);
  }
  [[nodiscard]] std::int64_t ready(std::int32_t a, std::int32_t b, std::uint8_t side) const {
    if (a == 1 && b == 1) return timing_.start;
    const Cell& cell = cells_[index(a, b)];
    return std::min(ready(cell, 0, side), ready(cell, 1, side));
  }
  /// The side of the last child: that of the shorter time, if there is a child.
  [[nodiscard]] static std::uint8_t better_side(std::array<std::int32_t, 2> places, std::int64_t first,
                                                std::int64_t second) {
    if (places[0] == 1 || places[1] == 1) return places[0] == 1 ? 1 : 0;
    return first <= second ? 0 : 1;
  }

  /// Hangs the fastest tree of the places [child, size) below the root.
  void hang(std::vector<std::int32_t>& parents, std::int32_t child, std::int32_t size) const {
    const ReductionTree tree = sides_->tree(size - child);
    for (std::int32_t x = 1; x < tree.places(); ++x) parents[at(child + x)] = child + tree.parent(x);
  }

  const SidePlan* sides_;
  LineTiming timing_;
  std::array<std::int32_t, 2> lengths_;
  std::vector<Cell> cells_;
};

/// A root inside needs a table of its two sides' lengths; no wafer is nearly as long.
constexpr std::int32_t kLongest = 4096;

LineTrees trees(const Request& request, const Parameters&) {
  return fastest_plan(line_of(request).value(), line_timing(request)).trees;
}

Cycles cost(const Request& request, const Parameters&) {
  const Line line = line_of(request).value();
  const LineTiming timing = line_timing(request);
  if (!line.root_inside()) return Cycles(SidePlan(line.length, timing).stored(line.length));
  return Cycles(fastest_plan(line, timing).stored);
}

}  // namespace

LinePlan fastest_plan(const Line& line, const LineTiming& timing) {
  const auto [shorter, longer] = line.sides();
  const SidePlan sides(longer.length, timing);
  if (!line.root_inside()) {
    return {.trees = shorter_side_first(line, [&](std::int32_t places) { return sides.tree(places); }),
            .stored = sides.stored(longer.length)};
  }
  const TwoSidedPlan plan(sides, {shorter.length, longer.length}, timing);
  return {.trees = plan.trees(), .stored = plan.stored()};
}

LineReduce reduce_best_tree() {
  return {.name = "best-tree",
          .summary = "the fastest tree of messages for this machine and vector, to the cycle",
          .source = "Muster's own: the recursion in docs/wafer.md",
          .parameters = {},
          .cost_tolerance = {.fraction = 0, .cycles = Cycles(4)},
          .trees = trees,
          .cost = cost,
          .longest = kLongest};
}

}  // namespace muster

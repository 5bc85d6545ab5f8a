#include "collective/grid/best_tree.h"

#include <algorithm>
#include <array>
#include <deque>
#include <mutex>
#include <utility>

#include "base/index.h"
#include "base/saturating.h"
#include "collective/grid/beyond_formulas.h"
#include "machine/mesh.h"

namespace muster {

std::int64_t LineTiming::sent(std::int64_t begin) const { return saturating_sum(begin, 1); }
std::int64_t LineTiming::arrives(std::int64_t sends, std::int64_t hops) const {
  return saturating_sum(sends, saturating_sum(saturating_product(hop, hops), ramps));
}
std::int64_t LineTiming::stored(std::int64_t arrival) const {
  return saturating_sum(arrival, saturating_sum(words, slow));
}
std::int64_t LineTiming::begins_after(std::int64_t before, bool turns) const {
  return saturating_sum(before, std::max(start + gap, turns ? turn : between));
}
std::int64_t LineTiming::stored_after(std::int64_t before, bool turns) const {
  const std::int64_t late = saturating_sum(begins_after(before, turns), saturating_sum(words, slow_if_late));
  return turns ? late : std::max(late, stored(saturating_sum(before, between)));
}

namespace {

/// What a single buffer adds. Words arrive only every so often. Where a message has to wait, the ramp's queue is full: its
/// words are taken one per cycle, and from one cycle after the first on the others follow over the ramp. Two sides come on
/// two colors that share the ramp without loss, so a turn costs nothing.
void add_single_buffer(LineTiming& timing, const Mesh& mesh) {
  const std::int64_t waiting = mesh.ramp_queue + mesh.ramp_latency.value();
  const std::int64_t others =
      saturating_sum(stream_spread(timing.words - waiting, mesh), 2 + mesh.ramp_latency.value());
  timing.turn = 0;
  timing.between = stream_spread(2, mesh) - 1;
  timing.slow = saturating_sum(stream_spread(timing.words, mesh), 1) - timing.words;
  timing.slow_if_late = timing.words <= waiting ? 0 : std::max<std::int64_t>(0, others - timing.words);
}

/// What a receive interval adds: words are taken that far apart, from whichever side, however many of them wait.
void add_receive_interval(LineTiming& timing, const Mesh& mesh) {
  const std::int64_t more = mesh.receive_interval.value() - 1;
  const std::int64_t slow = saturating_product(more, timing.words - 1);
  timing.turn = std::max(timing.turn, more);
  timing.between = std::max(timing.between, more);
  timing.slow = std::max(timing.slow, slow);
  timing.slow_if_late = std::max(timing.slow_if_late, slow);
}

}  // namespace

/// A root that turns from one side to the other waits a cycle: the control wavelet that turns its router follows the data
/// of the side before it.
LineTiming line_timing(const Request& request) {
  const Mesh& mesh = *as<Mesh>(request.machine);
  LineTiming timing{.words = request.count,
                    .hop = mesh.hop_latency.value(),
                    .ramps = 2 * mesh.ramp_latency.value(),
                    .start = mesh.operation_start.value(),
                    .gap = mesh.receive_gap.value(),
                    .turn = 1};
  if (mesh.router_buffer < 2) add_single_buffer(timing, mesh);
  if (mesh.receive_interval.value() > 1) add_receive_interval(timing, mesh);
  return timing;
}

namespace {

/// The best last child among [1, size), where `ready` grows and `arrival` falls with the child: at the crossing or just
/// before it. The search begins at `from`, which is not beyond the crossing, and leaves the crossing there.
template <class Ready, class Arrival>
Split crossing(std::int32_t size, std::int32_t& from, const Ready& ready, const Arrival& arrival) {
  while (from < size - 1 && ready(from) < arrival(from)) ++from;
  Split best{.time = std::max(ready(from), arrival(from)), .last_child = from};
  if (from > 1) {
    const std::int64_t before = std::max(ready(from - 1), arrival(from - 1));
    if (before < best.time) best = {.time = before, .last_child = from - 1};
  }
  return best;
}

}  // namespace

SidePlan::SidePlan(std::int32_t size, const LineTiming& timing)
    : timing_(timing), begin_(at(size) + 1), stored_(at(size) + 1) {
  std::int32_t begin_from = 1;
  std::int32_t stored_from = 1;
  for (std::int32_t p = 2; p <= size; ++p) {
    const auto arrival = [&](std::int32_t i) { return timing_.arrives(sent(p - i), i); };
    begin_[at(p)] = crossing(
        p, begin_from, [&](std::int32_t i) { return i == 1 ? 0 : timing_.begins_after(stored(i)); }, arrival);
    stored_[at(p)] = crossing(
        p, stored_from, [&](std::int32_t i) { return i == 1 ? 0 : timing_.stored_after(stored(i)); },
        [&](std::int32_t i) { return timing_.stored(arrival(i)); });
  }
}

std::int64_t SidePlan::stored(std::int32_t p) const { return p == 1 ? 0 : stored_[at(p)].time; }
std::int64_t SidePlan::sent(std::int32_t p) const { return p == 1 ? timing_.start : timing_.sent(begin_[at(p)].time); }
ReductionTree SidePlan::storing_tree(std::int32_t p) const { return tree(p, stored_[at(p)].last_child); }
ReductionTree SidePlan::sending_tree(std::int32_t p) const { return tree(p, begin_[at(p)].last_child); }

/// What the root has before its last child, it has to have in memory first; what a child has, it has to send first.
ReductionTree SidePlan::tree(std::int32_t p, std::int32_t last_child) const {
  struct Subtree {
    std::int32_t root, size, last_child;
  };
  std::vector<std::int32_t> parents(at(p), 0);
  std::vector<Subtree> subtrees{{0, p, last_child}};
  while (!subtrees.empty()) {
    auto [root, size, child] = subtrees.back();
    subtrees.pop_back();
    while (size > 1) {
      parents[at(root + child)] = root;
      subtrees.push_back({root + child, size - child, begin_[at(size - child)].last_child});
      size = child;
      child = stored_[at(size)].last_child;
    }
  }
  return ReductionTree(std::move(parents));
}

namespace {

/// A root inside: the fastest way to the sum of the first a PEs of one side and the first b of the other, for all a
/// and b with at most `size` in all (the root counts once) and for each side that the root's last child may be on.
class TwoSidedPlan {
 public:
  TwoSidedPlan(const SidePlan& sides, std::array<std::int32_t, 2> lengths, std::int32_t size, const LineTiming& timing)
      : sides_(&sides),
        arrives_(timing.stored(timing.arrives(0, 0))),
        hop_(timing.hop),
        another_{timing.stored_after(0, false), timing.stored_after(0, true)},
        lengths_(lengths),
        cells_(at(lengths[0]) * at(lengths[1])) {
    std::vector<std::int32_t> first_from(at(lengths[1]) + 1, 1);
    for (std::int32_t a = 1; a <= lengths[0]; ++a) {
      std::int32_t second_from = 1;
      for (std::int32_t b = 1; b <= std::min(lengths[1], size + 1 - a); ++b) {
        Cell& cell = cells_[index(a, b)];
        if (a > 1) {
          cell[0] = crossing(
              a, first_from[at(b)], [&](std::int32_t i) { return after(i, b, 0); },
              [&](std::int32_t i) { return arrived(a, i); });
        }
        if (b > 1) {
          cell[1] = crossing(
              b, second_from, [&](std::int32_t i) { return after(a, i, 1); },
              [&](std::int32_t i) { return arrived(b, i); });
        }
      }
    }
  }

  [[nodiscard]] std::int64_t stored(std::int32_t a, std::int32_t b) const {
    const Cell& all = cells_[index(a, b)];
    return std::min(all[0].time, all[1].time);
  }

  [[nodiscard]] LineTrees trees() const {
    std::array<std::vector<std::int32_t>, 2> parents{std::vector<std::int32_t>(at(lengths_[0]), 0),
                                                     std::vector<std::int32_t>(at(lengths_[1]), 0)};
    std::array<std::int32_t, 2> left = lengths_;
    std::vector<std::uint8_t> order;
    const Cell& all = cells_[index(left[0], left[1])];
    std::uint8_t side = better_side(left, all[0].time, all[1].time);
    while (left[0] > 1 || left[1] > 1) {
      const std::int32_t child = cells_[index(left[0], left[1])].at(side).last_child;
      hang(parents.at(side), child, left.at(side));
      order.push_back(side);
      left.at(side) = child;
      const Cell& before = cells_[index(left[0], left[1])];
      side = better_side(left, after(before, 0, side), after(before, 1, side));
    }
    std::reverse(order.begin(), order.end());
    return {.sides = {ReductionTree(std::move(parents[0])), ReductionTree(std::move(parents[1]))},
            .order = std::move(order)};
  }

 private:
  using Cell = std::array<Split, 2>;  ///< by the side of the last child: when the root has its sum

  [[nodiscard]] std::size_t index(std::int32_t a, std::int32_t b) const {
    return at(a - 1) * at(lengths_[1]) + at(b - 1);
  }

  /// When the root has a child of `side` that is there, with a and b PEs added up before it, last from `before`.
  [[nodiscard]] std::int64_t after(const Cell& cell, std::uint8_t before, std::uint8_t side) const {
    return saturating_sum(cell[before].time, another_[before == side ? 0 : 1]);
  }
  [[nodiscard]] std::int64_t after(std::int32_t a, std::int32_t b, std::uint8_t side) const {
    if (a == 1 && b == 1) return 0;
    const Cell& cell = cells_[index(a, b)];
    return std::min(after(cell, 0, side), after(cell, 1, side));
  }
  /// When it has the sum of the PEs [child, size) of a side, if nothing is in the way.
  [[nodiscard]] std::int64_t arrived(std::int32_t size, std::int32_t child) const {
    return saturating_sum(saturating_sum(sides_->sent(size - child), saturating_product(hop_, child)), arrives_);
  }
  /// The side of the last child: that of the shorter time, if there is a child.
  [[nodiscard]] static std::uint8_t better_side(std::array<std::int32_t, 2> sizes, std::int64_t first,
                                                std::int64_t second) {
    if (sizes[0] == 1 || sizes[1] == 1) return sizes[0] == 1 ? 1 : 0;
    return first <= second ? 0 : 1;
  }

  /// Hangs the fastest tree of the PEs [child, size) below the root.
  void hang(std::vector<std::int32_t>& parents, std::int32_t child, std::int32_t size) const {
    const ReductionTree tree = sides_->sending_tree(size - child);
    for (std::int32_t x = 1; x < tree.size(); ++x) parents[at(child + x)] = child + tree.parent(x);
  }

  const SidePlan* sides_;
  std::int64_t arrives_;  ///< cycles from a child's first word to the sum in memory, besides hops
  std::int64_t hop_;
  std::array<std::int64_t, 2> another_;  ///< cycles of another child that is there: of the same side, of the other one
  std::array<std::int32_t, 2> lengths_;
  std::vector<Cell> cells_;
};

}  // namespace

namespace {

/// What a plan with the root inside depends on.
struct TwoSides {
  std::array<std::int32_t, 2> lengths{};
  LineTiming timing;
  bool operator==(const TwoSides&) const = default;
};

LinePlan make_plan(const TwoSides& line) {
  const auto [shorter, longer] = line.lengths;
  const SidePlan sides(longer, line.timing);
  const TwoSidedPlan plan(sides, line.lengths, shorter + longer - 1, line.timing);
  return {.trees = plan.trees(), .stored = plan.stored(shorter, longer)};
}

/// The last plans, since predictions and schedules of a grid's rows and columns ask for the same ones again and again.
class KnownPlans {
 public:
  LinePlan of(const TwoSides& line) {
    {
      const std::lock_guard lock(mutex_);
      const auto known = std::ranges::find(plans_, line, &Known::first);
      if (known != plans_.end()) return known->second;
    }
    LinePlan plan = make_plan(line);
    const std::lock_guard lock(mutex_);
    if (plans_.size() == kMost) plans_.pop_front();
    plans_.emplace_back(line, plan);
    return plan;
  }

 private:
  using Known = std::pair<TwoSides, LinePlan>;
  static constexpr std::size_t kMost = 64;
  std::mutex mutex_;
  std::deque<Known> plans_;
};

}  // namespace

LinePlan fastest_plan(const Line& line, const LineTiming& timing) {
  const auto [shorter, longer] = line.sides();
  if (!line.root_inside()) {
    const SidePlan sides(longer.length, timing);
    return {.trees = shorter_side_first(line, [&](std::int32_t size) { return sides.storing_tree(size); }),
            .stored = sides.stored(longer.length)};
  }
  static KnownPlans known;
  return known.of({.lengths = {shorter.length, longer.length}, .timing = timing});
}

std::vector<std::int64_t> fastest_by_root(std::int32_t length, const LineTiming& timing) {
  const SidePlan sides(length, timing);
  std::vector<std::int64_t> stored(at(length), sides.stored(length));
  const std::int32_t half = (length + 1) / 2;
  const TwoSidedPlan plan(sides, {half, length}, length, timing);
  for (std::int32_t root = 1; root < half; ++root) {
    stored[at(root)] = stored[at(length - 1 - root)] = plan.stored(root + 1, length - root);
  }
  return stored;
}

}  // namespace muster

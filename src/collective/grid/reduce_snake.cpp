// Snake: a chain along a serpentine path through all rows.
//
// Steps: those of chain, from the far end of the path to the root; every message goes to a neighbour. A root in a corner is
// an end of the path, since the path begins there; any other has two arms, and takes the shorter one first. Busiest link and
// port: B wavelets, 2 B at a root with two arms: no reduce of a grid has less at its root, so this is best for vectors much
// longer than there are PEs. Depth P - 1. Source: Near-Optimal Wafer-Scale Reduce (HPDC'24), §7.3: the time of a chain of all
// PEs, B + (2 T_R + 2)(P - 1).
#include <algorithm>

#include "base/saturating.h"
#include "collective/algorithms.h"
#include "collective/grid/beyond_formulas.h"
#include "machine/mesh.h"

namespace muster {

namespace {

/// The path through a mesh. Columns and rows are counted from the corner that is nearest to a root in a corner.
class Snake {
 public:
  Snake(const Mesh& mesh, NodeId root)
      : width_(mesh.width),
        height_(mesh.height),
        from_right_(root % mesh.width == mesh.width - 1),
        from_below_(root / mesh.width == mesh.height - 1) {}

  [[nodiscard]] std::int32_t length() const { return width_ * height_; }
  [[nodiscard]] NodeId node(std::int32_t position) const {
    const std::int32_t row = position / width_;
    const std::int32_t column = along_row(row, position % width_);
    return mirrored(row, height_, from_below_) * width_ + mirrored(column, width_, from_right_);
  }
  [[nodiscard]] std::int32_t position(NodeId node) const {
    const std::int32_t row = mirrored(node / width_, height_, from_below_);
    return row * width_ + along_row(row, mirrored(node % width_, width_, from_right_));
  }

 private:
  [[nodiscard]] static std::int32_t mirrored(std::int32_t i, std::int32_t count, bool mirror) {
    return mirror ? count - 1 - i : i;
  }
  [[nodiscard]] std::int32_t along_row(std::int32_t row, std::int32_t i) const {
    return mirrored(i, width_, row % 2 != 0);
  }

  std::int32_t width_;
  std::int32_t height_;
  bool from_right_;
  bool from_below_;
};

/// The PEs from the root, index 0, outwards to one end of the path.
struct Arm {
  std::int32_t root = 0;       ///< position on the path
  std::int32_t direction = 1;  ///< +1 or -1
  std::int32_t length = 1;     ///< the root included
};

std::array<Arm, 2> arms_of(const Snake& snake, NodeId root) {
  const std::int32_t at_root = snake.position(root);
  Arm first{.root = at_root, .direction = -1, .length = at_root + 1};
  Arm second{.root = at_root, .direction = +1, .length = snake.length() - at_root};
  if (second.length < first.length) std::swap(first, second);
  return {first, second};
}

/// Everything but the root's step. Returns the stream into the root.
StreamId write_arm(ScheduleBuilder& b, const Snake& snake, const Arm& arm, SpanId all) {
  const auto node = [&](std::int32_t index) { return snake.node(arm.root + arm.direction * index); };
  StreamId from_behind = kOwn;
  for (std::int32_t index = arm.length - 1; index > 0; --index) {
    const StreamId ahead = b.stream(node(index), node(index - 1), all);
    auto step = b.step(node(index), all).own(Buffer::input);
    if (from_behind != kOwn) step.take(from_behind);
    step.push(ahead);
    from_behind = ahead;
  }
  return from_behind;
}

void write(const Request& request, const Parameters&, ScheduleBuilder& b) {
  const Snake snake(*as<Mesh>(request.machine), request.root);
  const SpanId all = b.span({0, request.count});
  Buffer own = Buffer::input;
  for (const Arm& arm : arms_of(snake, request.root)) {
    if (arm.length == 1) continue;
    const StreamId last = write_arm(b, snake, arm, all);
    b.step(request.root, all).own(own).take(last).store(Buffer::output);
    own = Buffer::output;
  }
}

/// Lemma 5.2, behind the start-up and with the streams of this machine (beyond_formulas.h); no time for a root alone.
Cycles chain_cycles(const Arm& arm, std::int64_t count, const Mesh& mesh) {
  const std::int64_t links = arm.length - 1;
  if (links == 0) return Cycles(0);
  const Cycles lemma = model_cycles({.depth = links,
                                     .distance = links,
                                     .energy = saturating_product(count, links),
                                     .contention = count,
                                     .links = links},
                                    mesh);
  return lemma + mesh.operation_start + Cycles(taken_spread(count, mesh) - (count - 1));
}

/// As reduce_cycles() counts a root inside its line: the longer arm follows the shorter one through the root's port.
Cycles cost(const Request& request, const Parameters&) {
  const Mesh& mesh = *as<Mesh>(request.machine);
  const auto [shorter, longer] = arms_of(Snake(mesh, request.root), request.root);
  const Cycles alone = chain_cycles(longer, request.count, mesh);
  if (shorter.length == 1) return alone;
  return std::max(alone, Cycles(saturating_sum(chain_cycles(shorter, request.count, mesh).value(), request.count)));
}

}  // namespace

Reduce reduce_snake() {
  return {.name = "snake",
          .summary = "a chain along a serpentine path through all rows",
          .source = "Near-Optimal Wafer-Scale Reduce (HPDC'24), §7.3",
          .parameters = {},
          .unsupported = unless_grid,
          .write = write,
          .cost = cost,
          .cost_tolerance = {.cycles = Cycles(1)}};
}

}  // namespace muster

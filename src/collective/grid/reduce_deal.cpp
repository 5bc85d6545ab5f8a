// Deal: every row reduces the whole vector to one PE, its head, which deals the sum to k columns as it comes; each column
// then reduces its part of the vector, and the root collects the parts.
//
// In X-Y the root's column reduces the whole vector. Here it is the time of a column with a k-th of the vector, and while
// one column still works, rows are busy with the words of the next. A row's head takes its children nearest first. All but
// the last are taken whole; the last one's subtree has a path of last children, down to a leaf, that sends the vector in k
// parts, one after the other. The head forwards part j to the PE j + 1 columns from the root's, which stores it and takes
// part in its column's tree. These PEs lie in front of the last child's subtree, so they are rid of their row by then. Heads
// are in the root's column, but in the root's row the head is behind the targets, which relay the parts: so the root takes
// nothing but the finished parts, and these do not share links with what the head takes last.
//
// Busiest port: a head's, B for each of its children; the root's takes B, a column's a part for each child and one more.
// Rows: the trees of best_tree.h whose last child is not in front of the targets. Columns: best-tree. Ours.
#include <algorithm>
#include <utility>

#include "base/index.h"
#include "base/saturating.h"
#include "collective/algorithms.h"
#include "collective/grid/best_tree.h"
#include "collective/grid/parted_side.h"
#include "collective/grid/side_writer.h"
#include "machine/mesh.h"

namespace muster {

namespace {

constexpr std::int32_t kFirstTarget = 1;  ///< columns from the root's, which has the heads
constexpr std::int32_t kBehindTargets =
    2;                                  ///< columns that are needed at least: the head of the root's row, and another
constexpr std::int64_t kDealPause = 2;  ///< between two parts that a head deals: switches on the way move on

/// The columns counted from the root's, in the direction with more of them.
struct DealGrid {
  const Mesh* mesh = nullptr;
  std::int32_t root_x = 0;
  std::int32_t root_y = 0;
  std::int32_t stride = 1;  ///< from a column to the next one further on
  std::int32_t far = 1;     ///< columns from the root's to the edge further on, the root's included
  [[nodiscard]] std::int32_t near() const { return mesh->width + 1 - far; }
  /// Of a column counted from the root's.
  [[nodiscard]] NodeId column_x(std::int32_t column) const { return root_x + stride * column; }
};

DealGrid grid_of(const Request& request) {
  const Mesh& mesh = *as<Mesh>(request.machine);
  DealGrid grid{.mesh = &mesh, .root_x = request.root % mesh.width, .root_y = request.root / mesh.width};
  grid.far = mesh.width - grid.root_x;
  if (grid.root_x + 1 > grid.far) grid = {&mesh, grid.root_x, grid.root_y, -1, grid.root_x + 1};
  return grid;
}

std::int64_t most_parts(const Request& request) {
  const DealGrid grid = grid_of(request);
  const std::int64_t columns = grid.far - kFirstTarget - kBehindTargets;
  return std::max<std::int64_t>(1, std::min(columns, request.count));
}

/// A row's head: its column, the lengths of both sides, each with the head, what may be its last child, and which index of the near side
/// is left out.
struct DealRow {
  std::int32_t head = 0;
  std::int32_t near = 1;
  std::int32_t far = 1;
  std::int32_t least_last = 1;
  std::int32_t left_out = -1;
};

/// The root keeps its vector until it collects the parts, so its row goes on without it.
DealRow deal_row(const DealGrid& grid, bool root_row, std::int64_t parts) {
  const std::int32_t behind = kFirstTarget + static_cast<std::int32_t>(parts);
  if (!root_row) return {.near = grid.near(), .far = grid.far, .least_last = behind};
  return {.head = behind, .near = behind + grid.near() - 1, .far = grid.far - behind, .left_out = behind};
}

class RowPlan {
 public:
  RowPlan(const DealRow& row, const LineTiming& timing)
      : row_(row), timing_(timing), sides_(std::max(row.near, row.far), timing) {
    for (std::int32_t child = row.least_last; child < row.far; ++child) {
      const std::int64_t arrival = timing.arrives(sides_.sent(row.far - child), child);
      const std::int64_t begin = std::max(timing.begins_after(ready(child)), arrival);
      if (begin >= begin_) continue;
      begin_ = begin;
      last_ = child;
    }
  }

  /// When the head begins to take its last child.
  [[nodiscard]] std::int64_t begin() const { return begin_; }
  [[nodiscard]] const DealRow& row() const { return row_; }
  [[nodiscard]] ReductionTree near_tree() const { return sides_.storing_tree(row_.near); }
  [[nodiscard]] ReductionTree far_tree() const {
    const ReductionTree front = sides_.storing_tree(last_), behind = sides_.sending_tree(row_.far - last_);
    std::vector<std::int32_t> parents(at(row_.far), 0);
    for (std::int32_t x = 1; x < last_; ++x) parents[at(x)] = front.parent(x);
    for (std::int32_t x = 1; x < behind.size(); ++x) parents[at(last_ + x)] = last_ + behind.parent(x);
    return ReductionTree(std::move(parents));
  }

 private:
  /// When the head has the near side, and then the far side in front of this child.
  [[nodiscard]] std::int64_t ready(std::int32_t child) const {
    if (row_.near == 1) return sides_.stored(child);
    const ReductionTree front = sides_.storing_tree(child);
    std::int64_t time = sides_.stored(row_.near);
    bool turns = true;
    for (const std::int32_t x : front.children(0)) {
      const std::int64_t arrival = timing_.arrives(sides_.sent(front.end(x) - x), x);
      time = std::max(timing_.stored_after(time, turns), timing_.stored(arrival));
      turns = false;
    }
    return time;
  }

  DealRow row_;
  LineTiming timing_;
  SidePlan sides_;
  std::int64_t begin_ = kMostCounted;
  std::int32_t last_ = 1;
};

Request column_of_part(const Request& request, std::int64_t words) {
  Request column = column_request(request);
  column.count = words;
  return column;
}

class DealWriter {
 public:
  DealWriter(const Request& request, std::int64_t parts, GridPhases& phases)
      : request_(request), grid_(grid_of(request)), parts_(static_cast<std::int32_t>(parts)), phases_(phases) {}

  void write() {
    const LineTiming timing = line_timing(row_request(request_));
    for (const bool root_row : {false, true}) {
      const std::int32_t part = phases_.part(row(RowPlan(deal_row(grid_, root_row, parts_), timing), root_row));
      GridPhases::Boxes boxes{.corners = {}, .width = grid_.mesh->width};
      for (std::int32_t y = 0; y < grid_.mesh->height; ++y) {
        if ((y == grid_.root_y) == root_row) boxes.corners.push_back(y * grid_.mesh->width);
      }
      phases_.run(part, boxes, 0);
    }
    for (std::int32_t part = 0; part < parts_; ++part) write_column(part);
  }

 private:
  [[nodiscard]] static std::int32_t target(std::int32_t part) { return kFirstTarget + part; }
  [[nodiscard]] Range range(std::int32_t part) const { return block(request_.count, parts_, part); }

  /// Targets owe their parts of the row's sum, the others nothing.
  [[nodiscard]] Contract row_contract(bool root_row) const {
    Contract contract{.collective = Collective::reduce_scatter, .ranks = {}, .count = request_.count};
    for (NodeId x = 0; x < grid_.mesh->width; ++x) {
      if (root_row && x == grid_.root_x) continue;
      const std::int32_t part = (x - grid_.root_x) * grid_.stride - kFirstTarget;
      contract.ranks.push_back(x);
      contract.blocks.push_back(part >= 0 && part < parts_ ? range(part) : Range{0, 0});
    }
    return contract;
  }

  [[nodiscard]] Schedule row(const RowPlan& plan, bool root_row) const {
    ScheduleBuilder b({.nodes = grid_.mesh->width, .count = request_.count});
    const SpanId all = b.span({0, request_.count});
    std::vector<SpanId> spans;
    for (std::int32_t part = 0; part < parts_; ++part) spans.push_back(b.span(range(part)));
    const NodeId head = grid_.column_x(plan.row().head);
    const ReductionTree near = plan.near_tree(), far = plan.far_tree();
    const Side near_side{.root = head, .stride = -grid_.stride, .length = near.size(), .left_out = plan.row().left_out};
    SideWriter nearer(b, near_side, near, all);
    const Side further_side{.root = head, .stride = grid_.stride, .length = far.size()};
    PartedSide further(b, further_side, far, all, spans);
    nearer.write_senders(Buffer::input);
    further.write_senders();
    Buffer own = Buffer::input;
    for (; !nearer.root_is_done(); own = Buffer::output) nearer.write_root(own);
    own = further.write_root_but_last(own);
    for (std::int32_t part = 0; part < parts_; ++part) {
      const SpanId words = spans[at(part)];
      // In the root's row the head deals to its neighbour, and targets pass on what is not theirs.
      std::int32_t column = root_row ? target(parts_ - 1) : target(part);
      StreamId dealt = b.stream(head, grid_.column_x(column), words);
      b.step(head, words).own(own).take(further.last(part)).push(dealt);
      for (; column > target(part); --column) {
        const StreamId taken =
            std::exchange(dealt, b.stream(grid_.column_x(column), grid_.column_x(column - 1), words));
        b.step(grid_.column_x(column), words).take(taken).push(dealt);
      }
      b.step(grid_.column_x(column), words).take(dealt).store(Buffer::output);
    }
    b.contract(row_contract(root_row));
    return std::move(b).finish();
  }

  /// A part's column and what lies between it and the root's. The column's last sum goes on to the root, which adds its own vector.
  void write_column(std::int32_t part) {
    const std::int32_t first = std::min(grid_.root_x, grid_.column_x(target(part)));
    const NodeId width = target(part) + 1, height = grid_.mesh->height;
    const NodeId x = grid_.column_x(target(part)) - first, root = grid_.root_y * width + grid_.root_x - first;
    const Line line{.length = height, .root = grid_.root_y, .first = x, .stride = width};
    const NodeId meets = line.node(line.root);
    const std::int64_t count = range(part).count;
    Contract contract{.collective = Collective::reduce, .ranks = {root}, .count = count, .others_in_place = true};
    for (std::int32_t y = 0; y < height; ++y) contract.ranks.push_back(line.node(y));

    ScheduleBuilder b({.nodes = width * height, .count = count});
    const SpanId all = b.span({0, count});
    const LineTrees trees = reduce_best_tree().trees(column_of_part(request_, count), {});
    const auto sides = line.sides();
    std::array<SideWriter, 2> writers{SideWriter(b, sides[0], trees.sides[0], all),
                                      SideWriter(b, sides[1], trees.sides[1], all)};
    for (SideWriter& writer : writers) writer.write_senders(Buffer::output);
    const StreamId collected = b.stream(meets, root, all);
    for (std::size_t i = 0; i + 1 < trees.order.size(); ++i) writers.at(trees.order[i]).write_root(Buffer::output);
    const std::uint8_t side = trees.order.back();
    const std::int32_t last = trees.sides.at(side).last_child(0);
    b.step(meets, all).own(Buffer::output).take(writers.at(side).up(last)).push(collected);
    b.step(root, all).own(Buffer::input).take(collected).store(Buffer::output);
    b.contract(std::move(contract));
    phases_.run(phases_.part(std::move(b).finish()), {.corners = {first}, .width = width, .height = height},
                range(part).first);
  }

  const Request& request_;
  DealGrid grid_;
  std::int32_t parts_;
  GridPhases& phases_;
};

/// Each part is taken by the heads, dealt, stored, goes through its column, and on to the root.
Cycles cost(const Request& request, std::int64_t parts) {
  const DealGrid grid = grid_of(request);
  const LineTiming timing = line_timing(row_request(request));
  std::array<std::int64_t, 2> sends{};
  for (const bool root_row : {false, true}) {
    sends.at(root_row ? 1 : 0) = timing.sent(RowPlan(deal_row(grid, root_row, parts), timing).begin());
  }
  std::int64_t done = 0, columns_for = 0, column = 0;
  for (std::int64_t part = 0; part < parts; ++part) {
    const std::int64_t words = block(request.count, parts, part).count;
    if (words != columns_for) column = reduce_best_tree().cost(column_of_part(request, words), {}).value();
    columns_for = words;
    const std::int64_t target = kFirstTarget + part;
    const std::int64_t relayed = saturating_sum(sends[1], saturating_product(parts - part, timing.arrives(1, 1)) - 1);
    const std::int64_t arrival = std::max(timing.arrives(sends[0], target), relayed);
    const std::int64_t forwards = timing.sent(saturating_sum(arrival, column));
    done = saturating_sum(std::max(done, timing.arrives(forwards, target)), words);
    sends[0] = saturating_sum(sends[0], words + kDealPause);
    sends[1] = saturating_sum(sends[1], words);
  }
  return Cycles(done);
}

/// More parts shorten the columns and lengthen the way to the last of them.
std::int64_t best_parts(const Request& request) {
  const std::int64_t most = most_parts(request);
  std::int64_t best = 1;
  Cycles least = cost(request, best);
  for (const std::int64_t parts : {2, 3, 4, 6, 8, 12, 16, 24, 32}) {
    if (parts > most) break;
    const Cycles cycles = cost(request, parts);
    if (cycles >= least) continue;
    best = parts;
    least = cycles;
  }
  return best;
}

/// Wherever the root is, one side of it has half of the columns.
std::optional<std::string> unsupported(const Request& request) {
  if (auto reason = unless_grid(request)) return reason;
  constexpr std::int32_t kLeast = 2 * (kFirstTarget + kBehindTargets + 1);
  const std::int32_t width = as<Mesh>(request.machine)->width;
  if (width >= kLeast) return std::nullopt;
  return fmt::format("needs {} columns, got {}", kLeast, width);
}

}  // namespace

Reduce reduce_deal() {
  return {
      .name = "deal-best-tree",
      .summary = "rows reduce the vector to one column, which deals parts of it to several that reduce them",
      .source = "ours (docs/wafer.md)",
      .parameters = {{.name = "parts",
                      .summary = "parts of the vector, each reduced along a column of its own; default: as predicted "
                                 "to be best, at most 32",
                      .by_default = best_parts,
                      .least = [](const Request&) { return std::int64_t{1}; },
                      .most = most_parts}},
      .unsupported = unsupported,
      .write = {},
      .write_phases = [](const Request& request, const Parameters& parameters,
                         GridPhases& phases) { DealWriter(request, parameters.at("parts"), phases).write(); },
      .cost = [](const Request& request,
                 const Parameters& parameters) { return cost(request, parameters.at("parts")); },
      .cost_tolerance = {.fraction = 0.03, .cycles = Cycles(8)}};
}

}  // namespace muster

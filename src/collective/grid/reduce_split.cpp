// Split: the vector is cut into k parts, and part j is reduced over a column of its own, so that no port takes the
// vector twice.
//
// In X-Y every PE of the root's column takes its row's sum and its column's sum: 2 B words through one port. Here part j
// of k has a target in the j-th column from the root's. Rows reduce part j towards that column from both sides, the
// column reduces it to the root's row in a chain, and the root collects the parts. The busiest port, of a target, takes
// B (1 + 2 / k) words, the root's B (1 + 1 / k); every link carries at most B.
//
// What makes it fast is the order in which a target serves its row, its column and what passes it: split_timetable.cpp.
// Ours; the cost is that of the steps, walked (timed_walk.h).
#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "base/index.h"
#include "collective/algorithms.h"
#include "collective/grid/axes.h"
#include "collective/grid/block_line.h"
#include "collective/grid/link_load.h"
#include "collective/grid/side_writer.h"
#include "collective/grid/split_order.h"
#include "collective/grid/split_timetable.h"
#include "collective/grid/timed_walk.h"
#include "machine/mesh.h"
#include "machine/routing.h"
#include "schedule/joined_lanes.h"

namespace muster {

namespace {

constexpr std::int32_t kWalkedRows = 3;     ///< on each side of the root's
constexpr std::int32_t kWalkedColumns = 1;  ///< of a chain before it comes to the targets

SplitGrid grid_of(const Request& request, std::int64_t parts) {
  const Mesh& mesh = *as<Mesh>(request.machine);
  SplitGrid grid{.width = mesh.width,
                 .height = mesh.height,
                 .root_x = request.root % mesh.width,
                 .root_y = request.root / mesh.width,
                 .parts = static_cast<std::int32_t>(parts)};
  if (grid.root_x + 1 > mesh.width - grid.root_x) grid.direction = -1;
  grid.parts = std::min(grid.parts, grid.far_length(0));  // an allreduce may have its sums meet elsewhere
  return grid;
}

/// The pattern's tree for a side of that length and `words` words, in a row or a column of the request's mesh.
ReductionTree side_tree(const LineReduce& pattern, Request line, const Parameters& parameters, std::int32_t length,
                        std::int64_t words) {
  if (length == 1) return ReductionTree({-1});
  const Mesh& mesh = *as<Mesh>(line.machine);
  line.machine = mesh.height == 1 ? with_grid(line.machine, length, 1) : with_grid(line.machine, 1, length);
  line.count = words;
  line.root = 0;
  return pattern.trees(line, parameters).sides[1];
}

enum class SplitColumns : std::uint8_t { chains, trees };

struct SplitPattern {
  LineReduce rows;
  SplitColumns columns = SplitColumns::chains;
};

/// The trees of the shorter and the longer side of a column.
std::vector<ReductionTree> column_trees(SplitColumns columns, const Request& request, const SplitGrid& grid,
                                        std::int64_t words) {
  std::vector<ReductionTree> trees;
  for (const Side& side : Line{.length = grid.height, .root = grid.root_y}.sides()) {
    trees.push_back(columns == SplitColumns::trees
                        ? side_tree(reduce_best_tree(), column_request(request), {}, side.length, words)
                        : ReductionTree::from(side.length, [](std::int32_t x) { return x - 1; }));
  }
  return trees;
}

ReductionTree row_tree(const SplitPattern& pattern, const Request& request, const Parameters& parameters,
                       std::int32_t length, std::int64_t words) {
  return side_tree(pattern.rows, row_request(request), axis_parameters(parameters, Axis::x), length, words);
}

std::int64_t longest_part(const Request& request, const SplitGrid& grid) {
  return block(request.count, grid.parts, 0).count;
}

SplitTimetable timetable_of(const SplitPattern& pattern, const Request& request, const Parameters& parameters) {
  const SplitGrid grid = grid_of(request, parameters.at("parts"));
  const std::int64_t words = longest_part(request, grid);
  const ReductionTree far = row_tree(pattern, request, parameters, grid.far_length(0), words);
  const std::vector<ReductionTree> columns = column_trees(pattern.columns, request, grid, words);
  const SplitTrees trees{
      .far = &far, .columns = {&columns.front(), &columns.back()}, .waves = pattern.columns == SplitColumns::chains};
  return split_timetable(grid, trees, words, *as<Mesh>(request.machine));
}

/// The PEs of a box that a part works on, from the one that ends up with the sum.
Contract reduce_contract(const Side& side, std::int64_t count) {
  Contract contract{.collective = Collective::reduce, .ranks = {}, .count = count};
  for (std::int32_t i = 0; i < side.length; ++i) contract.ranks.push_back(side.node(i));
  return contract;
}

/// Writes the phases of a timetable into a grid that has its rows and parts.
class SplitWriter {
 public:
  SplitWriter(const SplitPattern& pattern, const Request& request, const Parameters& parameters, const SplitGrid& grid,
              GridPhases& phases)
      : pattern_(pattern),
        request_(request),
        parameters_(parameters),
        grid_(grid),
        phases_(phases),
        column_trees_(column_trees(pattern.columns, request, grid, longest_part(request, grid))) {}

  void write(const SplitTimetable& table) {
    for (const SplitPhase& phase : split_phases(grid_, table)) {
      switch (phase.kind) {
        case SplitJob::Kind::far:
        case SplitJob::Kind::near:
          write_flow(phase);
          break;
        case SplitJob::Kind::column:
          write_column(phase);
          break;
      }
    }
  }

 private:
  [[nodiscard]] Range range(std::int32_t part) const { return block(request_.count, grid_.parts, part); }
  [[nodiscard]] std::int64_t longest() const { return longest_part(request_, grid_); }

  /// A part for boxes of so many PEs.
  template <class Write>
  std::int32_t add_part(NodeId nodes, Contract contract, Write write) {
    return phases_.part(part_of(nodes, std::move(contract), write));
  }

  /// Boxes of a far flow are whole rows; those of a near flow end at the target.
  void write_flow(const SplitPhase& phase) {
    const bool is_far = phase.kind == SplitJob::Kind::far;
    const bool in_root_row = phase.rows.front() == grid_.root_y;
    const std::int32_t target = grid_.target(phase.part);
    const std::int32_t length =
        is_far ? grid_.far_length(phase.part) : grid_.near_length(phase.part, phase.rows.front());
    const NodeId stride = is_far ? grid_.direction : -grid_.direction;
    const NodeId width = is_far ? grid_.width : grid_.width + 1 - grid_.far_length(phase.part);
    const std::int32_t first = is_far || stride < 0 ? 0 : target;
    const Side side{.root = target - first,
                    .stride = stride,
                    .length = length,
                    .left_out = !is_far && in_root_row && phase.part > 0 ? phase.part : -1};
    const FlowKey key{is_far, phase.part, length, phase.adds};
    auto known = flows_.find(key);
    if (known == flows_.end()) {
      Contract contract = reduce_contract(side, range(phase.part).count);
      contract.root_in_place = phase.adds;
      const ReductionTree tree = row_tree(pattern_, request_, parameters_, length, longest());
      const std::int32_t part = add_part(width, std::move(contract), [&](ScheduleBuilder& b, SpanId all) {
        SideWriter writer(b, side, tree, all);
        writer.write_senders(Buffer::input);
        for (Buffer own = phase.adds ? Buffer::output : Buffer::input; !writer.root_is_done(); own = Buffer::output) {
          writer.write_root(own);
        }
      });
      known = flows_.emplace(key, part).first;
    }
    GridPhases::Boxes boxes{.corners = {}, .width = width};
    for (const std::int32_t y : phase.rows) boxes.corners.push_back(grid_.node(first, y));
    phases_.run(known->second, boxes, range(phase.part).first);
  }

  /// A side of the root's row, that row included. The longer side comes last: its sum goes on to the root.
  void write_column(const SplitPhase& phase) {
    const bool to_root = phase.side == 1 && phase.part > 0;
    const std::int32_t target = grid_.target(phase.part);
    const std::int32_t first = to_root ? std::min(target, grid_.root_x) : target;
    const NodeId width = to_root ? phase.part + 1 : 1, top = phase.rows.front();
    const auto height = static_cast<NodeId>(phase.rows.size());
    const NodeId meets = (grid_.root_y - top) * width + target - first;
    const Side side{.root = meets, .stride = top < grid_.root_y ? -width : width, .length = height};
    const NodeId root = meets + grid_.root_x - target;
    const ColumnKey key{phase.side, to_root ? phase.part : 0, range(phase.part).count};
    auto known = columns_.find(key);
    if (known == columns_.end()) {
      const std::int32_t part =
          to_root ? column_to_root(phase, side, root, width * height) : column(phase, side, height);
      known = columns_.emplace(key, part).first;
    }
    const GridPhases::Boxes boxes{.corners = {grid_.node(first, top)}, .width = width, .height = height};
    phases_.run(known->second, boxes, range(phase.part).first);
  }

  std::int32_t column(const SplitPhase& phase, const Side& side, NodeId nodes) {
    Contract contract = reduce_contract(side, range(phase.part).count);
    contract.from = Buffer::output;
    return add_part(nodes, std::move(contract), [&](ScheduleBuilder& b, SpanId all) {
      SideWriter writer(b, side, column_trees_[at(phase.side)], all);
      writer.write_senders(Buffer::output);
      while (!writer.root_is_done()) writer.write_root(Buffer::output);
    });
  }

  /// The root adds its own vector, which it has sent nowhere.
  std::int32_t column_to_root(const SplitPhase& phase, const Side& side, NodeId root, NodeId nodes) {
    const ReductionTree& tree = column_trees_[at(phase.side)];
    Contract contract = reduce_contract(side, range(phase.part).count);
    contract.ranks.insert(contract.ranks.begin(), root);
    contract.others_in_place = true;
    return add_part(nodes, std::move(contract), [&](ScheduleBuilder& b, SpanId all) {
      SideWriter writer(b, side, tree, all);
      writer.write_senders(Buffer::output);
      const StreamId part = b.stream(side.root, root, all);
      const std::int32_t last = tree.last_child(0);
      while (writer.next_child() < last) writer.write_root(Buffer::output);
      b.step(side.root, all).own(Buffer::output).take(writer.up(last)).push(part);
      b.step(root, all).own(Buffer::input).take(part).store(Buffer::output);
    });
  }

  using FlowKey = std::tuple<bool, std::int32_t, std::int32_t, bool>;      ///< far, part, length, adds
  using ColumnKey = std::tuple<std::int32_t, std::int32_t, std::int64_t>;  ///< side, part if it matters, words

  const SplitPattern& pattern_;
  const Request& request_;
  const Parameters& parameters_;
  SplitGrid grid_;
  GridPhases& phases_;
  std::vector<ReductionTree> column_trees_;  ///< of the shorter and the longer side
  std::map<FlowKey, std::int32_t> flows_;    ///< parts of schedule
  std::map<ColumnKey, std::int32_t> columns_;
};

/// Columns from the root's to the edge on its wider side: no more parts can have one.
std::int64_t most_parts(const Request& request) {
  const SplitGrid grid = grid_of(request, 1);
  if (grid.width == 2) return 1;  // in the root's row, nothing would come to the second target
  return std::max<std::int64_t>(1, std::min<std::int64_t>(grid.far_length(0), request.count));
}

void write(const SplitPattern& pattern, const Request& request, const Parameters& parameters, GridPhases& phases) {
  SplitWriter(pattern, request, parameters, grid_of(request, parameters.at("parts")), phases)
      .write(timetable_of(pattern, request, parameters));
}

/// A grid that takes as long as another one, with fewer columns.
struct NarrowGrid {
  SplitGrid grid;
  std::int32_t far_left_out = 0;   ///< columns beyond the grid's edge on the far side
  std::int32_t near_left_out = 0;  ///< the same on the near side
};

/// Before a chain comes to the targets, its PEs do nothing but relay one part after another: of the last ones, those at the edges of
/// the narrow grid begin later by a relay for each one that is left out.
NarrowGrid without_relays(const SplitGrid& grid) {
  const std::int32_t behind_targets = grid.far_length(grid.parts - 1) - 1, near = grid.width - grid.far_length(0);
  NarrowGrid narrow{.grid = grid,
                    .far_left_out = std::max(0, behind_targets - kWalkedColumns),
                    .near_left_out = std::max(0, near - kWalkedColumns)};
  narrow.grid.width -= narrow.far_left_out + narrow.near_left_out;
  narrow.grid.root_x -= grid.direction > 0 ? narrow.near_left_out : narrow.far_left_out;
  return narrow;
}

/// From which cycle on each PE of the narrow grid acts.
std::vector<std::int64_t> starts_of(const NarrowGrid& narrow, std::int64_t relay) {
  const SplitGrid& grid = narrow.grid;
  std::vector<std::int64_t> starts(at(grid.width) * at(grid.height), 0);
  const std::int32_t far_edge = grid.direction > 0 ? grid.width - 1 : 0;
  for (std::int32_t y = 0; y < grid.height; ++y) {
    starts[at(grid.node(grid.width - 1 - far_edge, y))] = narrow.near_left_out * relay;
    starts[at(grid.node(far_edge, y))] = narrow.far_left_out * relay;
  }
  return starts;
}

/// The steps of a grid, walked: of rows that are chains without most PEs that only relay.
Cycles walked_grid(const SplitPattern& pattern, const Request& request, const Parameters& parameters) {
  NarrowGrid narrow{.grid = grid_of(request, parameters.at("parts"))};
  if (pattern.rows.is_chain) narrow = without_relays(narrow.grid);
  Request walked = request;
  walked.machine = with_grid(request.machine, narrow.grid.width, narrow.grid.height);
  walked.root = narrow.grid.node(narrow.grid.root_x, narrow.grid.root_y);
  const Mesh& mesh = *as<Mesh>(walked.machine);
  GridPhases phases(mesh, walked.count);
  SplitWriter(pattern, walked, parameters, narrow.grid, phases).write(timetable_of(pattern, request, parameters));
  const Schedule schedule = expand_in_lanes(std::move(phases).finish({.collective = Collective::reduce,
                                                                      .ranks = all_ranks(walked.machine),
                                                                      .root = walked.root,
                                                                      .count = walked.count}));
  // Parts share the links of their rows, which the walk does not see.
  const Cycles links(busiest_link_words(schedule, mesh) + 2 * mesh.ramp_latency.value() + mesh.hop_latency.value());
  return std::max(walked_cycles(schedule, mesh, starts_of(narrow, relay_cycles(mesh))).value(), links);
}

/// The rows next to the root's, walked. Rows farther away do the same, and are reached by a wave: each makes it a relay longer.
Cycles walked_rows(const SplitPattern& pattern, const Request& request, const Parameters& parameters) {
  const Mesh& mesh = *as<Mesh>(request.machine);
  const std::int32_t root_y = request.root / mesh.width;
  const std::int32_t above = std::min(root_y, kWalkedRows);
  const std::int32_t below = std::min(mesh.height - 1 - root_y, kWalkedRows);
  Request few = request;
  few.machine = with_grid(request.machine, mesh.width, above + 1 + below);
  few.root = above * mesh.width + request.root % mesh.width;
  const std::int64_t left_out = std::max(root_y, mesh.height - 1 - root_y) - std::max(above, below);
  return walked_grid(pattern, few, parameters) + Cycles(relay_cycles(mesh) * left_out);
}

using Cost = std::function<Cycles(const Request&, const Parameters&)>;

constexpr NodeId kMostRanksTried = 64 * 64;  ///< on larger grids a prediction takes too long to make several

/// As many parts as the pattern has colors for, or fewer, as is predicted to be best: short vectors and small grids do not fill
/// as many. Where links decide, more parts wait less; of other equals the fewest are best. Patterns that do not take more than two
/// parts need a color for each.
std::int64_t best_parts(const LineReduce& pattern, const Cost& cost, const Request& request) {
  const std::int64_t most = std::min(pattern.split_parts, most_parts(request));
  if (pattern.split_parts <= 2 || rank_count(request.machine) > kMostRanksTried) return most;
  Parameters parameters;
  for (const ParameterSpec& spec : parameters_of_axis(pattern, Axis::x))
    parameters[spec.name] = spec.by_default(request);
  const auto predicted = [&](std::int64_t parts) {
    parameters["parts"] = parts;
    return cost(request, parameters);
  };
  std::int64_t best = most;
  Cycles least = predicted(most);
  for (const std::int64_t parts : {12, 8, 6, 4, 3, 2}) {
    if (parts >= most) continue;
    const Cycles time = predicted(parts);
    if (time > least + Cycles(least.value() / 4)) break;  // with fewer parts it falls and then rises, nearly
    if (time > least || (time == least && best == most)) continue;
    best = parts;
    least = time;
  }
  return best;
}

std::vector<ParameterSpec> parameters_of(const LineReduce& pattern, const Cost& cost) {
  std::vector<ParameterSpec> specs = parameters_of_axis(pattern, Axis::x);
  specs.push_back(
      {.name = "parts",
       .summary = fmt::format(
           "parts of the vector, each reduced along its own column; default: {} if there are that many columns{}",
           pattern.split_parts, pattern.split_parts > 2 ? ", or fewer if that is predicted to be faster" : ""),
       .by_default = [pattern, cost](const Request& request) { return best_parts(pattern, cost, request); },
       .least = [](const Request&) { return std::int64_t{1}; },
       .most = most_parts});
  return specs;
}

/// Of rows that are chains. All words of the far side go through the last target, whose first one comes over all relays beyond it. What
/// the farthest row has then goes along a column. More parts than the default ones leave fewer relays.
Cycles least_cost(const SplitPattern& pattern, const Request& request) {
  const Mesh& mesh = *as<Mesh>(request.machine);
  const SplitGrid grid = grid_of(request, std::min(pattern.rows.split_parts, most_parts(request)));
  const std::int32_t relays = grid.far_length(grid.parts - 1) - 1;
  const std::int32_t rows = std::max(grid.root_y, grid.height - 1 - grid.root_y);
  const std::int64_t last_word = relays * relay_cycles(mesh) + (relays > 0 ? request.count : 0);
  const bool relayed = pattern.columns == SplitColumns::chains;
  return Cycles(last_word + (relayed ? (rows - 1) * relay_cycles(mesh) : rows * mesh.hop_latency.value()));
}

Reduce split(const SplitPattern& pattern, const Cost& cost) {
  const LineReduce& rows = pattern.rows;
  const auto least = [pattern](const Request& request) { return least_cost(pattern, request); };
  return {.name = "split-" + rows.name,
          .summary = "the vector is split, each part is reduced along its own column; rows by " + rows.name,
          .source = "ours (docs/wafer.md)",
          .parameters = parameters_of(rows, cost),
          .unsupported = [rows](const Request& request) { return unless_axes(request, rows); },
          .write = {},
          .write_phases = [pattern](const Request& request, const Parameters& parameters,
                                    GridPhases& phases) { write(pattern, request, parameters, phases); },
          .cost = cost,
          .cost_tolerance = {.fraction = 0.3},
          .least_cost = rows.is_chain ? least : std::function<Cycles(const Request&)>()};
}

}  // namespace

Reduce reduce_split(const LineReduce& rows) {
  const SplitPattern pattern{.rows = rows, .columns = SplitColumns::chains};
  return split(pattern, [pattern](const Request& request, const Parameters& parameters) {
    return walked_rows(pattern, request, parameters);
  });
}

Reduce reduce_split_trees() {
  const SplitPattern pattern{.rows = reduce_chain(), .columns = SplitColumns::trees};
  Reduce reduce = split(pattern, [pattern](const Request& request, const Parameters& parameters) {
    return walked_grid(pattern, request, parameters);
  });
  reduce.name = "split-chain-trees";
  reduce.summary =
      "the vector is split, each part is reduced along its own column; rows by chain, columns by best-tree";
  return reduce;
}

}  // namespace muster

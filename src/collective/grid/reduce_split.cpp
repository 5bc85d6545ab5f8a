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
#include <cstdlib>
#include <utility>

#include "base/index.h"
#include "collective/algorithms.h"
#include "collective/grid/axes.h"
#include "collective/grid/link_load.h"
#include "collective/grid/side_writer.h"
#include "collective/grid/split_timetable.h"
#include "collective/grid/timed_walk.h"
#include "machine/mesh.h"
#include "machine/routing.h"

namespace muster {

namespace {

constexpr std::int32_t kWalkedRows = 3;  ///< on each side of the root's

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

class SplitWriter {
 public:
  SplitWriter(const LineReduce& pattern, SplitColumns columns, const Request& request, const Parameters& parameters,
              ScheduleBuilder& builder)
      : pattern_(pattern),
        kind_(columns),
        request_(request),
        parameters_(parameters),
        grid_(grid_of(request, parameters.at("parts"))),
        builder_(builder),
        words_(block(request.count, grid_.parts, 0).count) {
    for (std::int32_t part = 0; part < grid_.parts; ++part) {
      spans_.push_back(builder.span(block(request.count, grid_.parts, part)));
      far_.push_back(row_tree(grid_.far_length(part)));
      near_.push_back(row_tree(grid_.near_length(part, grid_.root_y == 0 ? 1 : 0)));
      near_of_root_row_.push_back(row_tree(grid_.near_length(part, grid_.root_y)));
    }
    for (const Side& side : Line{.length = grid_.height, .root = grid_.root_y}.sides()) {
      trees_.push_back(columns == SplitColumns::trees
                           ? side_tree(reduce_best_tree(), column_request(request), {}, side.length, words_)
                           : ReductionTree::from(side.length, [](std::int32_t x) { return x - 1; }));
    }
  }

  [[nodiscard]] SplitTimetable timetable() const {
    const SplitTrees trees{
        .far = &far_.front(), .columns = {&trees_.front(), &trees_.back()}, .waves = kind_ == SplitColumns::chains};
    return split_timetable(grid_, trees, words_, *as<Mesh>(request_.machine));
  }

  void write(const SplitTimetable& table) {
    for (std::int32_t part = 0; part < grid_.parts; ++part) write_column_streams(part);
    for (std::int32_t y = 0; y < grid_.height; ++y) {
      sum_.assign(at(grid_.parts), Buffer::input);
      for (const SplitJob& job : table.rows[at(y)]) write_job(job, y);
    }
  }

 private:
  [[nodiscard]] ReductionTree row_tree(std::int32_t length) const {
    return side_tree(pattern_, row_request(request_), axis_parameters(parameters_, Axis::x), length, words_);
  }
  [[nodiscard]] NodeId target(std::int32_t part, std::int32_t y) const { return grid_.node(grid_.target(part), y); }
  [[nodiscard]] NodeId root() const { return target(0, grid_.root_y); }
  /// Where the target of the present row has the sum of its part so far.
  Buffer& sum(std::int32_t part) { return sum_[at(part)]; }

  void write_column_streams(std::int32_t part) {
    const Line column = column_of(*as<Mesh>(request_.machine), grid_.target(part), grid_.root_y);
    auto& sides = columns_.emplace_back();
    for (std::size_t side = 0; side < trees_.size(); ++side) {
      sides.emplace_back(builder_, column.sides().at(side), trees_[side], spans_[at(part)]);
    }
    collect_.push_back(part == 0 ? -1 : builder_.stream(target(part, grid_.root_y), root(), spans_[at(part)]));
  }

  void write_job(const SplitJob& job, std::int32_t y) {
    switch (job.kind) {
      case SplitJob::Kind::far:
        return write_flow(job.part, y, grid_.direction, far_[at(job.part)]);
      case SplitJob::Kind::near:
        return write_flow(job.part, y, -grid_.direction,
                          y == grid_.root_y ? near_of_root_row_[at(job.part)] : near_[at(job.part)]);
      case SplitJob::Kind::column:
        return write_column_step(job, y);
      case SplitJob::Kind::collect:
        return write_collect(job.part);
    }
  }

  void write_flow(std::int32_t part, std::int32_t y, NodeId stride, const ReductionTree& tree) {
    const Side side{.root = target(part, y), .stride = stride, .length = tree.size()};
    SideWriter writer(builder_, side, tree, spans_[at(part)]);
    writer.write_senders(Buffer::input);
    for (; !writer.root_is_done(); sum(part) = Buffer::output) writer.write_root(sum(part));
  }

  /// Leaves of a column send their row's sum, the others add and forward. In the root's row, the last step of another
  /// column than the root's sends the part to the root.
  void write_column_step(const SplitJob& job, std::int32_t y) {
    SideWriter& column = columns_[at(job.part)][at(job.side)];
    const std::int32_t index = std::abs(y - grid_.root_y);
    const ReductionTree& tree = trees_[at(job.side)];
    if (job.child < 0) {
      column.write_leaf(index, sum(job.part));
    } else if (index > 0) {
      column.write_take(index, job.child, sum(job.part));
    } else if (job.side == 0 || job.part == 0 || !tree.is_last_child(job.child)) {
      column.write_root(sum(job.part));
    } else {
      auto last = builder_.step(target(job.part, y), spans_[at(job.part)]);
      last.own(sum(job.part)).take(column.up(job.child)).push(collect_[at(job.part)]);
    }
    sum(job.part) = Buffer::output;
  }

  void write_collect(std::int32_t part) {
    auto step = builder_.step(root(), spans_[at(part)]);
    if (grid_.root_waits(grid_.root_y)) step.own(Buffer::input);
    step.take(collect_[at(part)]).store(Buffer::output);
  }

  const LineReduce& pattern_;
  SplitColumns kind_;
  const Request& request_;
  const Parameters& parameters_;
  SplitGrid grid_;
  ScheduleBuilder& builder_;
  std::int64_t words_;
  std::vector<SpanId> spans_;                     ///< of each part
  std::vector<ReductionTree> far_;                ///< of each part
  std::vector<ReductionTree> near_;               ///< of each part
  std::vector<ReductionTree> near_of_root_row_;   ///< of each part
  std::vector<ReductionTree> trees_;              ///< of the shorter and the longer side of a column
  std::vector<std::vector<SideWriter>> columns_;  ///< of each part and side
  std::vector<StreamId> collect_;                 ///< of each part
  std::vector<Buffer> sum_;
};

/// Columns from the root's to the edge on its wider side: no more parts can have one.
std::int64_t most_parts(const Request& request) {
  return std::max<std::int64_t>(1, std::min<std::int64_t>(grid_of(request, 1).far_length(0), request.count));
}

using Write = std::function<void(const Request&, const Parameters&, ScheduleBuilder&)>;
using Cost = std::function<Cycles(const Request&, const Parameters&)>;

/// The steps of the rows next to the root's, walked. Rows farther away do the same, and are reached by a wave: each makes
/// it a relay longer.
Cycles walked_rows(const Write& write, const Request& request, const Parameters& parameters) {
  const Mesh& mesh = *as<Mesh>(request.machine);
  const std::int32_t root_y = request.root / mesh.width;
  const std::int32_t above = std::min(root_y, kWalkedRows);
  const std::int32_t below = std::min(mesh.height - 1 - root_y, kWalkedRows);
  Request few = request;
  few.machine = with_grid(request.machine, mesh.width, above + 1 + below);
  few.root = above * mesh.width + request.root % mesh.width;
  ScheduleBuilder b({.nodes = rank_count(few.machine), .count = few.count});
  write(few, parameters, b);
  b.contract({.collective = Collective::reduce, .ranks = all_ranks(few.machine), .root = few.root, .count = few.count});
  const std::int64_t left_out = std::max(root_y, mesh.height - 1 - root_y) - std::max(above, below);
  const Schedule rows = std::move(b).finish();
  const Mesh& few_rows = *as<Mesh>(few.machine);
  // Parts share the links of their rows, which the walk does not see.
  const Cycles links(busiest_link_words(rows, few_rows) + 2 * mesh.ramp_latency.value() + mesh.hop_latency.value());
  const Cycles walked = std::max(walked_cycles(rows, few_rows).value(), links);
  return walked + (depth_cycles(mesh) + mesh.hop_latency) * left_out;
}

/// All steps, walked; columns that are trees do not repeat from row to row.
Cycles walked_grid(const Write& write, const Request& request, const Parameters& parameters) {
  ScheduleBuilder b({.nodes = rank_count(request.machine), .count = request.count});
  write(request, parameters, b);
  b.contract({.collective = Collective::reduce,
              .ranks = all_ranks(request.machine),
              .root = request.root,
              .count = request.count});
  const Schedule schedule = std::move(b).finish();
  const Mesh& mesh = *as<Mesh>(request.machine);
  const Cycles links(busiest_link_words(schedule, mesh) + 2 * mesh.ramp_latency.value() + mesh.hop_latency.value());
  return std::max(walked_cycles(schedule, mesh).value(), links);
}

constexpr NodeId kMostRanksTried = 64 * 64;  ///< on larger grids a prediction takes too long to make several

/// As many parts as the pattern has colors for, or fewer, as is predicted to be best: short vectors and small grids do not fill
/// as many. Patterns that do not take more than two parts need a color for each.
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
  for (const std::int64_t parts : {2, 3, 4, 6, 8, 12}) {
    if (parts >= most) break;
    const Cycles time = predicted(parts);
    if (time >= least) continue;
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

Write writer_of(const LineReduce& pattern, SplitColumns columns) {
  return [pattern, columns](const Request& request, const Parameters& parameters, ScheduleBuilder& b) {
    SplitWriter writer(pattern, columns, request, parameters, b);
    writer.write(writer.timetable());
  };
}

Reduce split(const LineReduce& pattern, const Write& write, const Cost& cost) {
  return {.name = "split-" + pattern.name,
          .summary = "the vector is split, each part is reduced along its own column; rows by " + pattern.name,
          .source = "ours (docs/wafer.md)",
          .parameters = parameters_of(pattern, cost),
          .unsupported = [pattern](const Request& request) { return unless_axes(request, pattern); },
          .write = write,
          .cost = cost,
          .cost_tolerance = {.fraction = 0.3}};
}

}  // namespace

Reduce reduce_split(const LineReduce& pattern) {
  const Write write = writer_of(pattern, SplitColumns::chains);
  return split(pattern, write, [write](const Request& request, const Parameters& parameters) {
    return walked_rows(write, request, parameters);
  });
}

Reduce reduce_split_trees() {
  const LineReduce rows = reduce_chain();
  const Write write = writer_of(rows, SplitColumns::trees);
  const auto cost = [rows, write](const Request& request, const Parameters& parameters) {
    if (rank_count(request.machine) <= kMostRanksTried) return walked_grid(write, request, parameters);
    ScheduleBuilder none({.nodes = rank_count(request.machine), .count = request.count});
    return Cycles(SplitWriter(rows, SplitColumns::trees, request, parameters, none).timetable().end);
  };
  Reduce reduce = split(rows, write, cost);
  reduce.name = "split-chain-trees";
  reduce.summary =
      "the vector is split, each part is reduced along its own column; rows by chain, columns by best-tree";
  return reduce;
}

}  // namespace muster

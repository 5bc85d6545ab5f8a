// Line reduces: patterns by which a row or a column is reduced. A pattern says which tree it uses on each side of the
// root and in which order the root takes its children; everything else is derived from that, with no code per pattern: the
// reduce of a line (line_reduce.cpp) and of a grid (reduce_xy.cpp, reduce_split.cpp), and the allreduces
// (allreduce_flood.cpp, allreduce_x_then_y.cpp).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "collective/grid/line.h"
#include "collective/grid/model.h"
#include "collective/grid/reduce.h"
#include "collective/grid/reduction_tree.h"

namespace muster {

/// How a line is reduced: a tree for each side, in the order of Line::sides(), and for each child of the root, in the
/// order in which the root takes them, the side that it is on. Children of one side are taken nearest first.
struct LineTrees {
  std::array<ReductionTree, 2> sides;
  std::vector<std::uint8_t> order;
};

/// The same kind of tree on both sides; the root takes the shorter side first.
LineTrees shorter_side_first(const Line& line, const TreeFor& tree_for);

struct LineReduce {
  std::string name;
  std::string summary;
  std::string source;
  std::vector<ParameterSpec> parameters;
  CostTolerance cost_tolerance;
  /// The request is always one of a line, here and in `cost` and `parameters`.
  std::function<LineTrees(const Request&, const Parameters&)> trees;
  std::function<Cycles(const Request&, const Parameters&)> cost;
  std::int32_t longest = std::numeric_limits<std::int32_t>::max();  ///< PEs on a line that it supports
  /// Parts of a split reduce with such rows, by default. If messages pass through other PEs' routers, each part needs a color or two, so
  /// only a few parts fit.
  std::int64_t split_parts = 2;
  bool is_chain = false;       ///< every PE sends to its neighbour
  bool knows_machine = false;  ///< as in Algorithm; then `cost` covers every machine
  std::function<std::vector<Cycles>(const Request&)> cost_by_root = {};  ///< as in Algorithm
};

/// Reduces the words `all` along a line. Every processor's vector is in `from`, and the root ends up with the
/// combination in `output`. A processor adds what its children send, one child after the other; the sum with the last
/// one is forwarded as it arrives.
void write_line_reduce(ScheduleBuilder& builder, const Line& line, const LineTrees& trees, SpanId all, Buffer from);

/// The reduce of a row or a column, under the pattern's own name.
Reduce reduce_on_line(const LineReduce& pattern);

/// The time of a line reduce: by the pattern's formula, or by the steps on a machine that the formula does not cover.
Cycles line_reduce_cycles(const LineReduce& pattern, const Request& request, const Parameters& parameters);

/// The time of a reduce along these trees, by its steps (timed_walk.h).
Cycles walked_line_cycles(const Request& request, const LineTrees& trees);

/// The reason why a pattern cannot plan for lines of that length, if it cannot.
std::optional<std::string> unless_short(const LineReduce& pattern, std::int32_t length);

/// The schedule of a pattern that is given by its trees alone.
Schedule reduce_along_line(const Line& line, std::int64_t count, const TreeFor& tree_for);

}  // namespace muster

// X then Y: every row does an allreduce, then every column does, each by a pattern for lines and a flood.
//
// Steps: in all rows side by side, the pattern's reduce to one column and a flood from there; then the same in all
// columns, on the rows' sums. Busiest port: what the pattern's root takes, twice, and B more for each flood: 4 B at the
// least, so it is the slower one for all but short vectors; every PE works all the time. Source: Near-Optimal Wafer-Scale
// Reduce (HPDC'24), §7.4: the times add up.
#include <utility>

#include "base/saturating.h"
#include "collective/algorithms.h"
#include "collective/grid/allreduce_root.h"
#include "collective/grid/axes.h"
#include "collective/grid/flood.h"
#include "collective/grid/grid_phases.h"
#include "collective/grid/reduce.h"
#include "machine/mesh.h"
#include "machine/routing.h"

namespace muster {

namespace {

/// An allreduce of one line, from `from` to `output`.
Schedule line_part(const LineReduce& pattern, const Request& request, const Parameters& parameters, Buffer from) {
  const Line line = line_of(request).value();
  const Contract contract{.collective = Collective::allreduce,
                          .ranks = {},
                          .root = 0,
                          .count = request.count,
                          .from = from,
                          .to = Buffer::output};
  return part_of(line.length, contract, [&](ScheduleBuilder& b, SpanId all) {
    write_line_reduce(b, line, pattern.trees(request, parameters), all, from);
    std::vector<NodeId> others;
    for (std::int32_t position = 0; position < line.length; ++position) {
      if (position != line.root) others.push_back(line.node(position));
    }
    write_flood(b, line.node(line.root), others, all, {.from = Buffer::output});
  });
}

Schedule make(const LineReduce& pattern, const Request& asked, const Parameters& parameters) {
  const Request request = with_root_parameter(asked, parameters);
  GridPhases phases(*as<Mesh>(request.machine), request.count);
  phases.along_rows(line_part(pattern, row_request(request), axis_parameters(parameters, Axis::x), Buffer::input));
  phases.along_columns(
      line_part(pattern, column_request(request), axis_parameters(parameters, Axis::y), Buffer::output));
  return std::move(phases).finish(
      {.collective = Collective::allreduce, .ranks = all_ranks(request.machine), .root = 0, .count = request.count});
}

Cycles line_cycles(const LineReduce& pattern, const Request& line, const Parameters& parameters) {
  const Cycles flood = flood_cycles(*as<Mesh>(line.machine), line.root, line.count);
  return Cycles(saturating_sum(line_reduce_cycles(pattern, line, parameters).value(), flood.value()));
}

Cycles cost(const LineReduce& pattern, const Request& asked, const Parameters& parameters) {
  const Request request = with_root_parameter(asked, parameters);
  const Cycles rows = line_cycles(pattern, row_request(request), axis_parameters(parameters, Axis::x));
  const Cycles columns = line_cycles(pattern, column_request(request), axis_parameters(parameters, Axis::y));
  const Cycles gap = gap_between_axes(*as<Mesh>(request.machine));
  return Cycles(saturating_sum(saturating_sum(rows.value(), columns.value()), gap.value()));
}

}  // namespace

Algorithm allreduce_x_then_y(const LineReduce& pattern) {
  std::vector<ParameterSpec> specs = parameters_of_axes(pattern);
  specs.push_back(root_parameter());
  CostTolerance tolerance = pattern.cost_tolerance;
  tolerance.cycles = tolerance.cycles + Cycles(1);
  return {.collective = Collective::allreduce,
          .name = "x-then-y-" + pattern.name,
          .family = "mesh",
          .summary = fmt::format("all rows, then all columns, each by {} and a flood", pattern.name),
          .source = "Near-Optimal Wafer-Scale Reduce (HPDC'24), §7.4",
          .parameters = std::move(specs),
          .unsupported = [pattern](const Request& request) { return unless_axes(request, pattern); },
          .make = [pattern](const Request& request,
                            const Parameters& parameters) { return make(pattern, request, parameters); },
          .cost = [pattern](const Request& request,
                            const Parameters& parameters) { return cost(pattern, request, parameters); },
          .cost_tolerance = twice(tolerance),
          .knows_machine = pattern.knows_machine};
}

}  // namespace muster

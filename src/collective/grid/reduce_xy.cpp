// X-Y: every row reduces towards the root's column, then that column towards the root, both by one pattern for lines.
//
// Steps: those of the pattern, in all rows side by side; a PE of the root's column then starts from its row's sum. Busiest
// port: a PE of that column takes what the pattern's root takes in a row and in a column, 2 B at the least. Source:
// Near-Optimal Wafer-Scale Reduce (HPDC'24), §7.2: the two times add up, as they do in the pipeline, since all rows end in
// the same cycle.
#include "base/saturating.h"
#include "collective/algorithms.h"
#include "collective/grid/axes.h"
#include "machine/mesh.h"

namespace muster {

namespace {

/// The pattern along a line, from the buffer `from` to `output`.
Schedule line_part(const LineReduce& pattern, const Request& line, const Parameters& parameters, Buffer from) {
  const Line positions = line_of(line).value();
  const Contract contract{.collective = Collective::reduce,
                          .ranks = {},
                          .root = line.root,
                          .count = line.count,
                          .from = from,
                          .to = Buffer::output};
  return part_of(positions.length, contract, [&](ScheduleBuilder& b, SpanId all) {
    write_line_reduce(b, positions, pattern.trees(line, parameters), all, from);
  });
}

void write(const LineReduce& pattern, const Request& request, const Parameters& parameters, GridPhases& phases) {
  const Request row = row_request(request);
  const Request column = column_request(request);
  phases.along_rows(line_part(pattern, row, axis_parameters(parameters, Axis::x), Buffer::input));
  phases.along_column(row.root, line_part(pattern, column, axis_parameters(parameters, Axis::y), Buffer::output));
}

Cycles cost(const LineReduce& pattern, const Request& request, const Parameters& parameters) {
  const Cycles rows = line_reduce_cycles(pattern, row_request(request), axis_parameters(parameters, Axis::x));
  const Cycles column = line_reduce_cycles(pattern, column_request(request), axis_parameters(parameters, Axis::y));
  const Cycles gap = gap_between_axes(*as<Mesh>(request.machine));
  return Cycles(saturating_sum(saturating_sum(rows.value(), column.value()), gap.value()));
}

/// Rows and the column do not ask for each other's root.
std::function<std::vector<Cycles>(const Request&)> cost_by_root_of(const LineReduce& pattern) {
  if (!pattern.cost_by_root) return {};
  return [pattern](const Request& request) {
    const std::vector<Cycles> rows = pattern.cost_by_root(row_request(request));
    const std::vector<Cycles> columns = pattern.cost_by_root(column_request(request));
    const std::int64_t gap = gap_between_axes(*as<Mesh>(request.machine)).value();
    std::vector<Cycles> all;
    for (const Cycles column : columns) {
      for (const Cycles row : rows) {
        all.emplace_back(saturating_sum(saturating_sum(row.value(), column.value()), gap));
      }
    }
    return all;
  };
}

/// One cycle more where a message of the column follows the control wavelet behind one of the row, on the same color.
CostTolerance tolerance(const LineReduce& pattern) {
  CostTolerance both = twice(pattern.cost_tolerance);
  both.cycles = both.cycles + Cycles(1);
  return both;
}

}  // namespace

Reduce reduce_xy(const LineReduce& pattern) {
  return {.name = "xy-" + pattern.name,
          .summary = "rows, then the root's column, each by " + pattern.name,
          .source = "Near-Optimal Wafer-Scale Reduce (HPDC'24), §7.2",
          .parameters = parameters_of_axes(pattern),
          .unsupported = [pattern](const Request& request) { return unless_axes(request, pattern); },
          .write = {},
          .write_phases = [pattern](const Request& request, const Parameters& parameters,
                                    GridPhases& phases) { write(pattern, request, parameters, phases); },
          .cost = [pattern](const Request& request,
                            const Parameters& parameters) { return cost(pattern, request, parameters); },
          .cost_tolerance = tolerance(pattern),
          .knows_machine = pattern.knows_machine,
          .cost_by_root = cost_by_root_of(pattern)};
}

}  // namespace muster

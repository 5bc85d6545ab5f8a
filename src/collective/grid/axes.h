// Patterns for lines on both axes of a grid: their parameters, once for the rows and once for the columns.
#pragma once

#include "collective/grid/line_reduce.h"
#include "machine/mesh.h"

namespace muster {

enum class Axis : std::uint8_t { x, y };

/// Each parameter of the pattern, for rows ("x-group") or for columns ("y-group").
std::vector<ParameterSpec> parameters_of_axis(const LineReduce& pattern, Axis axis);

/// Each parameter of the pattern twice: "x-group" for rows and "y-group" for columns.
std::vector<ParameterSpec> parameters_of_axes(const LineReduce& pattern);

/// The pattern's own parameters for rows or columns.
Parameters axis_parameters(const Parameters& parameters, Axis axis);

/// The reason why the pattern cannot be used on both axes, if it cannot. On a single row or column it would be the pattern
/// itself.
std::optional<std::string> unless_axes(const Request& request, const LineReduce& pattern);

/// How long columns wait because their PEs have just received from their rows: the receive gap, less the latency of the first
/// words, which arrive meanwhile.
Cycles gap_between_axes(const Mesh& mesh);

/// The tolerance of two runs, one after the other.
CostTolerance twice(CostTolerance tolerance);

}  // namespace muster

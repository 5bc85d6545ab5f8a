// One pattern, two axes.
#include "collective/grid/axes.h"

#include <algorithm>
#include <utility>

#include "machine/mesh.h"

namespace muster {

namespace {

std::string_view prefix_of(Axis axis) { return axis == Axis::x ? "x-" : "y-"; }

ParameterSpec on_axis(const ParameterSpec& spec, Axis axis) {
  const auto of_line = [axis](const auto& value) {
    return [axis, value](const Request& request) {
      return value(axis == Axis::x ? row_request(request) : column_request(request));
    };
  };
  ParameterSpec::Values worth_trying;
  if (spec.worth_trying) worth_trying = of_line(spec.worth_trying);
  return {.name = std::string(prefix_of(axis)) + spec.name,
          .summary = fmt::format("in {}: {}", axis == Axis::x ? "rows" : "columns", spec.summary),
          .by_default = of_line(spec.by_default),
          .least = of_line(spec.least),
          .most = of_line(spec.most),
          .worth_trying = std::move(worth_trying)};
}

}  // namespace

std::vector<ParameterSpec> parameters_of_axis(const LineReduce& pattern, Axis axis) {
  std::vector<ParameterSpec> all;
  for (const ParameterSpec& spec : pattern.parameters) all.push_back(on_axis(spec, axis));
  return all;
}

std::vector<ParameterSpec> parameters_of_axes(const LineReduce& pattern) {
  std::vector<ParameterSpec> all;
  for (const ParameterSpec& spec : pattern.parameters) {
    all.push_back(on_axis(spec, Axis::x));
    all.push_back(on_axis(spec, Axis::y));
  }
  return all;
}

Parameters axis_parameters(const Parameters& parameters, Axis axis) {
  Parameters own;
  for (const auto& [name, value] : parameters) {
    if (name.starts_with(prefix_of(axis))) own[name.substr(prefix_of(axis).size())] = value;
  }
  return own;
}

std::optional<std::string> unless_axes(const Request& request, const LineReduce& pattern) {
  if (auto reason = unless_grid(request)) return reason;
  return unless_short(pattern, std::max(as<Mesh>(request.machine)->width, as<Mesh>(request.machine)->height));
}

Cycles gap_between_axes(const Mesh& mesh) {
  const Cycles latency = mesh.hop_latency + mesh.ramp_latency * 2;
  return mesh.receive_gap > latency ? mesh.receive_gap - latency : Cycles(0);
}

CostTolerance twice(CostTolerance tolerance) {
  return {.fraction = tolerance.fraction, .cycles = tolerance.cycles * 2};
}

}  // namespace muster

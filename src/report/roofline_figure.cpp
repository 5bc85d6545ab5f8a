#include "report/roofline_figure.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/counted.h"

namespace muster {
namespace {

constexpr double kAround = 4;  ///< the roof goes on so many times beyond what is marked

Curve roof_of(const RooflineAnswer& answer) {
  const double ridge = answer.operations / answer.bandwidth.value();
  double least = ridge;
  double most = ridge;
  for (const RooflineAnswer::Propagator& propagator : answer.propagators) {
    least = std::min(least, propagator.intensity());
    most = std::max(most, propagator.intensity());
  }
  const double first = least / kAround;
  const double peak = answer.operations * 1e-9;
  return {.name = "roof",
          .basis = Curve::Basis::bound,
          .points = {{first, first * answer.bandwidth.value() * 1e-9}, {ridge, peak}, {most * kAround, peak}}};
}

}  // namespace

Figure roofline_figure(const RooflineAnswer& answer) {
  Figure figure{
      .name = "roofline",
      .title = fmt::format("Roofline of the propagators, {}, {}", answer.precision, counted(answer.threads, "thread")),
      .note = fmt::format("measured: memory {:.1f} GB/s, arithmetic {:.4g} GFLOP/s", answer.bandwidth.value() * 1e-9,
                          answer.operations * 1e-9),
      .bound_title = "roof"};
  Panel panel{.title = "",
              .x = {.title = "operations per byte", .scale = PlotAxis::Scale::decimal},
              .y = {.title = "GFLOP/s", .scale = PlotAxis::Scale::decimal}};
  figure.names.emplace_back("roof");
  panel.curves.push_back(roof_of(answer));
  for (const RooflineAnswer::Propagator& propagator : answer.propagators) {
    figure.names.push_back(propagator.name);
    panel.curves.push_back(
        {.name = propagator.name,
         .basis = Curve::Basis::simulated,
         .points = {{propagator.intensity(), propagator.cells_per_second * propagator.operations * 1e-9}}});
  }
  figure.panels.push_back(std::move(panel));
  return figure;
}

}  // namespace muster

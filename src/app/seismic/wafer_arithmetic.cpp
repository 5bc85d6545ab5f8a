#include "app/seismic/wafer_arithmetic.h"

#include <numeric>

#include "app/seismic/equation/acoustic_iso_cd.h"
#include "base/error.h"

namespace muster::seismic {
namespace {

void check_sides(const GridOptions& grid) {
  for (const Axis axis : kAxes) {
    for (const bool is_high : {false, true}) {
      const Boundary side = is_high ? grid.sides[axis].high : grid.sides[axis].low;
      if (side == Boundary::zero || side == Boundary::damping) continue;
      reject("--arithmetic wafer: boundaries.{}_{} is {}, for which a wafer has no program; use damping or zero",
             is_high ? "high" : "low", "xyz"[index_of(axis)], kBoundaryNames[static_cast<std::size_t>(side)]);
    }
  }
}

}  // namespace

WaferCoefficients wafer_coefficients(const GridOptions& options, std::optional<double> velocity) {
  const std::vector<double> weights = central_weights(options.order, options.weights);
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  WaferCoefficients coefficients{.has_velocity = velocity.has_value(), .middle = 0, .away = {}};
  double of_axes = 0;
  for (const Axis axis : kAxes) {
    const double spacing = options.spacing[axis];
    const double steps = velocity.value_or(0) * options.time_step / spacing;
    for (const double weight : weights) {
      coefficients.away[axis].push_back(
          static_cast<float>(velocity ? weight * steps * steps : weight / (spacing * spacing)));
    }
    of_axes += velocity ? steps * steps * sum : sum / (spacing * spacing);
  }
  coefficients.middle = static_cast<float>(velocity ? 2 - 2 * of_axes : -2 * of_axes);
  return coefficients;
}

std::optional<double> one_velocity(const Model& model, const Extent& extent) {
  const double velocity = model.at({0, 0, 0}).vp;
  for (std::int64_t x = 0; x < extent.x; ++x) {
    for (std::int64_t y = 0; y < extent.y; ++y) {
      for (std::int64_t z = 0; z < extent.z; ++z) {
        if (model.at({x, y, z}).vp != velocity) return std::nullopt;
      }
    }
  }
  return velocity;
}

void check_arithmetic(const Shot& shot, const Target& target) {
  if (shot.grid.arithmetic != Arithmetic::wafer) return;
  if (shot.propagator != AcousticIsoCd::kName) {
    reject("--arithmetic wafer: a wafer has no program for {}; use propagator = \"{}\", or --arithmetic fused",
           shot.propagator, AcousticIsoCd::kName);
  }
  if (shot.is_double) reject("--arithmetic wafer computes in f32 only; use precision = \"f32\", or --arithmetic fused");
  if (shot.mode == Mode::adjoint) {
    reject("--arithmetic wafer has no adjoint runs; use mode = \"forward\", or --arithmetic fused");
  }
  if (target.kind == Target::Kind::mpi || target.kind == Target::Kind::cuda || target.processes != nullptr) {
    reject("--arithmetic wafer is computed by one process on a CPU; use --target cpu, or --arithmetic fused");
  }
  check_sides(shot.grid);
}

}  // namespace muster::seismic

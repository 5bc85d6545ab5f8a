// Small simulations for tests.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "app/seismic/propagators.h"
#include "app/seismic/random_model.h"
#include "app/seismic/simulation.h"
#include "app/seismic/stability.h"
#include "base/random.h"

namespace muster::seismic {

/// Sanitizers look at addresses and arithmetic, which small cases show: physics is left to other builds.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kIsSanitized = true;
#else
inline constexpr bool kIsSanitized = false;
#endif

inline constexpr Sides kPeriodic{.low = Boundary::periodic, .high = Boundary::periodic};

struct TestCase {
  std::string_view propagator = "acoustic_iso_cd";
  GridOptions grid;
  Medium medium{.vp = 3000, .vs = 1700, .rho = 2};
  double cfl = 0.8;
};

/// A grid of 20 m, with layers for this medium and waves of 10 Hz.
inline TestCase test_case(std::string_view propagator, const Extent& extent, const Sides& sides, int order = 8) {
  TestCase test{.propagator = propagator};
  test.grid.extent = extent;
  test.grid.spacing = {20, 20, 20};
  test.grid.order = order;
  test.grid.sides = {sides, sides, sides};
  test.grid.layers.velocity = test.medium.vp;
  test.grid.layers.frequency = 10;
  return test;
}

template <class Real>
Simulation<Real> simulation_of(TestCase test, const Target& target, const Model* model = nullptr) {
  const Description equation = describe_propagator(test.propagator);
  test.grid.time_step = test.cfl * stable_limit(equation, test.grid) / test.medium.vp;
  const std::unique_ptr<Model> constant = constant_model(test.medium);
  return make_simulation<Real>(test.propagator, test.grid, model == nullptr ? *constant : *model, target);
}

/// Sets all fields of a kind to random values between -1/2 and 1/2.
template <class Real>
void fill_with_noise(Simulation<Real>& simulation, std::uint64_t seed, std::optional<Kind> only = {}) {
  State<Real>& state = simulation.state();
  const Extent& extent = state.layout.extent();
  Random random(seed);
  for (std::size_t f = 0; f < state.fields.size(); ++f) {
    if (only && simulation.equation().fields[f].kind != *only) continue;
    for (std::int64_t x = 0; x < extent.x; ++x) {
      for (std::int64_t y = 0; y < extent.y; ++y) {
        for (std::int64_t z = 0; z < extent.z; ++z) {
          state.fields[f].at(x, y, z) = static_cast<Real>(random.unit() - 0.5);
        }
      }
    }
  }
}

/// A field at a point.
template <class Real>
double value_at(Simulation<Real>& simulation, int field, const std::vector<NodeWeight>& weights) {
  double sum = 0;
  const Volume<Real>& volume = simulation.state().fields[static_cast<std::size_t>(field)];
  for (const NodeWeight& node : weights) {
    sum += node.weight * static_cast<double>(volume.at(node.cell.x, node.cell.y, node.cell.z));
  }
  return sum;
}

inline constexpr Target kReference{.kind = Target::Kind::reference, .threads = 1};

inline Target cpu(int threads) { return {.kind = Target::Kind::cpu, .threads = threads}; }

}  // namespace muster::seismic

// Small simulations for tests.
#pragma once

#include <memory>
#include <string_view>

#include "app/seismic/differences.h"
#include "app/seismic/propagators.h"
#include "app/seismic/simulation.h"

namespace muster::seismic {

inline constexpr Sides kPeriodic{.low = Boundary::periodic, .high = Boundary::periodic};

/// The largest stable time step times velocity.
inline double limit_of(const Description& equation, int order, const PerAxis<double>& spacing) {
  return equation.has_second() ? central_limit(central_weights(order), spacing)
                               : staggered_limit(staggered_weights(order), spacing);
}

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
  test.grid.time_step = test.cfl * limit_of(equation, test.grid.order, test.grid.spacing) / test.medium.vp;
  const std::unique_ptr<Model> constant = constant_model(test.medium);
  return make_simulation<Real>(test.propagator, test.grid, model == nullptr ? *constant : *model, target);
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

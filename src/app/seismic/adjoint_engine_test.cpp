// <A x, y> = <x, A^T y> for random states x and y: one step of a simulation and of its adjoint, layers' memory included.
#include "app/seismic/adjoint_engine.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/seismic/seismic_test_support.h"

namespace muster::seismic {
namespace {

/// Calls visit(a, b) for all values of two states of the same kind that a step depends on: cells, and memory in layers.
template <class Visit>
void for_each_value(const Description& equation, State<double>& a, State<double>& b, const Visit& visit) {
  const Extent& extent = a.layout.extent();
  const View<double> of_a = a.view();
  const View<double> of_b = b.view();
  const auto in_layer = [&](Axis axis, const Extent& cell) { return of_a.is_in_layer(axis, cell[axis]); };
  for (std::int64_t x = 0; x < extent.x; ++x) {
    for (std::int64_t y = 0; y < extent.y; ++y) {
      for (std::int64_t z = 0; z < extent.z; ++z) {
        const Extent cell{x, y, z};
        const std::int64_t offset = of_a.offset(x, y, z);
        for (std::size_t f = 0; f < equation.fields.size(); ++f) {
          visit(of_a.fields[f][offset], of_b.fields[f][offset]);
          if (equation.fields[f].time_order == 2) visit(of_a.before[f][offset], of_b.before[f][offset]);
        }
        for (std::size_t i = 0; i < equation.items.size(); ++i) {
          Axis axis = equation.items[i].axis;
          const bool in_any = in_layer(Axis::x, cell) || in_layer(Axis::y, cell) || in_layer(Axis::z, cell);
          const bool has_memory = of_a.is_multiaxial ? in_any : in_layer(axis, cell);
          if (!has_memory || equation.items[i].difference == Difference::mean) continue;
          if (of_a.is_multiaxial) axis = of_a.slab_axis(x, y);
          const std::int64_t at = of_a.memory_offset(axis, x, y, z);
          visit(of_a.psi[i][at], of_b.psi[i][at]);
          if (of_a.zeta[i] != nullptr) visit(of_a.zeta[i][at], of_b.zeta[i][at]);
        }
      }
    }
  }
}

void fill(const Description& equation, State<double>& state, std::uint64_t seed) {
  Random random(seed);
  for_each_value(equation, state, state, [&](double& value, double&) { value = random.unit() - 0.5; });
}

std::vector<double> values_of(const Description& equation, State<double>& state) {
  std::vector<double> values;
  for_each_value(equation, state, state, [&](double value, double) { values.push_back(value); });
  return values;
}

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

Boundary any_boundary(Random& random, const Description& equation) {
  constexpr std::array kAll{Boundary::cpml, Boundary::damping, Boundary::zero, Boundary::rigid, Boundary::free_surface};
  const std::size_t count = kAll.size() - (equation.has_products ? 2U : equation.is_anisotropic ? 1U : 0U);
  return kAll[random.below(count)];
}

TEST(Adjoint, IsTheTransposeOfAStep) {
  const std::vector<std::string> names = propagator_names();
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Random random(seed);
    const std::string& name = names[seed % names.size()];
    const Description equation = describe_propagator(name);
    const int order = 2 * static_cast<int>(1 + random.below(5));
    const auto extent = [&] { return static_cast<std::int64_t>(2 * (3 + order / 2) + random.below(4)); };
    TestCase test = test_case(name, {extent(), extent(), extent()}, {}, order);
    test.grid.layers.cells = static_cast<std::int64_t>(1 + random.below(3));
    if (equation.is_anisotropic && random.below(2) == 0) test.grid.layers.ratio = 0.3;
    for (const Axis axis : kAxes) {
      const bool is_periodic = random.below(4) == 0;
      test.grid.sides[axis] =
          is_periodic ? kPeriodic
                      : Sides{.low = any_boundary(random, equation), .high = any_boundary(random, equation)};
    }
    const RandomModel model(seed);
    Simulation<double> forward = simulation_of<double>(test, kReference, &model);
    test.grid.time_step = test.cfl * stable_limit(equation, test.grid) / test.medium.vp;
    const std::unique_ptr<Engine<double>> adjoint = make_adjoint_engine<double>(name, test.grid, model);
    fill(equation, forward.state(), 1000 + seed);
    fill(equation, adjoint->state(), 2000 + seed);
    const std::vector<double> x = values_of(equation, forward.state());
    const std::vector<double> y = values_of(equation, adjoint->state());
    forward.step();
    for (std::size_t phase = equation.phases.size(); phase-- > 0;) adjoint->run(phase);
    const double left = product(values_of(equation, forward.state()), y);
    const double right = product(x, values_of(equation, adjoint->state()));
    const std::vector<double> ax = values_of(equation, forward.state());
    const double scale = std::sqrt(product(ax, ax) * product(y, y));
    EXPECT_LT(std::abs(left - right), 1e-12 * scale) << name << ", seed " << seed << ", order " << order;
  }
}

}  // namespace
}  // namespace muster::seismic

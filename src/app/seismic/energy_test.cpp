// Leapfrog keeps a discrete energy: exactly, but for rounding, in any medium, wherever nothing absorbs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "app/seismic/halos.h"
#include "app/seismic/seismic_test_support.h"

namespace muster::seismic {
namespace {

constexpr Extent kExtent{11, 12, 10};

using Values = std::vector<double>;

Values copy(const Volume<double>& volume) { return {volume.values().begin(), volume.values().end()}; }

/// The parameter that holds the time step over the density at a field's location.
const Volume<double>& buoyancy_of(Simulation<double>& simulation, const Field& field) {
  const std::vector<Parameter>& parameters = simulation.equation().parameters;
  std::size_t found = parameters.size();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (!parameters[i].name.starts_with("buoyancy")) continue;
    if (found == parameters.size() || parameters[i].location == field.location) found = i;
  }
  return simulation.state().parameters[found];
}

bool is_mirror(const Sides& sides) { return sides.low == Boundary::free_surface || sides.low == Boundary::rigid; }

/// How much of a value's surroundings is inside: a half in the plane of a mirror.
double share_inside(const TestCase& test, const Field& field, const Extent& cell) {
  double share = 1;
  for (const Axis axis : kAxes) {
    if (field.location.is_half(axis) || !is_mirror(test.grid.sides[axis])) continue;
    if (cell[axis] == 0 || cell[axis] == kExtent[axis] - 1) share /= 2;
  }
  return share;
}

/// Half-way behind the last node there is nothing: behind the mirror, or the first node again.
bool is_outside(const TestCase& test, const Field& field, const Extent& cell) {
  for (const Axis axis : kAxes) {
    if (is_mirror(test.grid.sides[axis]) && field.location.is_half(axis) && cell[axis] == kExtent[axis] - 1)
      return true;
  }
  return false;
}

/// Of a first-order system that began without stress: rho v(-) v(+) - rho u (v(+) - v(-)) / dt, with u the sum of v dt.
/// The second part is stress times strain, by the equation of motion.
struct FirstOrderEnergy {
  const TestCase& test;
  std::vector<Values> moved;

  double after_step(Simulation<double>& simulation) {
    const std::vector<Field>& fields = simulation.equation().fields;
    std::vector<Values> before;
    for (const Volume<double>& field : simulation.state().fields) before.push_back(copy(field));
    if (moved.empty()) moved.assign(before.size(), Values(before.front().size(), 0));
    simulation.step();
    double energy = 0;
    for (std::size_t f = 0; f < fields.size(); ++f) {
      if (fields[f].kind != Kind::velocity) continue;
      const Volume<double>& field = simulation.state().fields[f];
      const Volume<double>& buoyancy = buoyancy_of(simulation, fields[f]);
      for (std::int64_t x = 0; x < kExtent.x; ++x) {
        for (std::int64_t y = 0; y < kExtent.y; ++y) {
          for (std::int64_t z = 0; z < kExtent.z; ++z) {
            const auto i = static_cast<std::size_t>(field.layout().offset(x, y, z));
            if (is_outside(test, fields[f], {x, y, z})) continue;
            const double weight = share_inside(test, fields[f], {x, y, z}) / buoyancy.at(x, y, z);
            const double now = field.at(x, y, z);
            energy += weight * (before[f][i] * now - moved[f][i] * (now - before[f][i]));
            moved[f][i] += now;
          }
        }
      }
    }
    return energy;
  }
};

void settle(Simulation<double>& simulation, const TestCase& test) {
  std::vector<int> all(simulation.equation().fields.size());
  std::iota(all.begin(), all.end(), 0);
  settle_mirrors(simulation.state(), simulation.equation(), all, test.grid.sides);
}

/// The largest relative change of energy over 200 steps from random velocities.
double change_of_energy(std::string_view propagator, const Sides& sides, const Sides& sides_z) {
  TestCase test = test_case(propagator, kExtent, sides);
  test.grid.sides.z = sides_z;
  test.cfl = 0.45;  // the medium's velocity is that of the fastest node alone; between nodes waves are faster
  const RandomModel model(5);
  Simulation<double> simulation = simulation_of<double>(test, kReference, &model);
  fill_with_noise(simulation, 7, Kind::velocity);
  settle(simulation, test);
  // Nothing lies beyond the last node.
  for (std::size_t f = 0; f < simulation.state().fields.size(); ++f) {
    Volume<double>& field = simulation.state().fields[f];
    for (std::int64_t x = 0; x < kExtent.x; ++x) {
      for (std::int64_t y = 0; y < kExtent.y; ++y) {
        for (std::int64_t z = 0; z < kExtent.z; ++z) {
          if (is_outside(test, simulation.equation().fields[f], {x, y, z})) field.at(x, y, z) = 0;
        }
      }
    }
  }
  FirstOrderEnergy energy{.test = test, .moved = {}};
  double first = 0;
  double change = 0;
  for (int step = 0; step < (kIsSanitized ? 20 : 200); ++step) {
    const double now = energy.after_step(simulation);
    if (step == 0) first = now;
    change = std::max(change, std::abs(now / first - 1));
  }
  return change;
}

constexpr Sides kZero{.low = Boundary::zero, .high = Boundary::zero};
constexpr Sides kFree{.low = Boundary::free_surface, .high = Boundary::free_surface};
constexpr Sides kRigid{.low = Boundary::rigid, .high = Boundary::rigid};

TEST(Energy, StaysInAPeriodicBox) {
  for (const std::string& propagator : propagator_names()) {
    if (describe_propagator(propagator).has_second()) continue;
    EXPECT_LT(change_of_energy(propagator, kPeriodic, kPeriodic), 1e-12) << propagator;
  }
}

TEST(Energy, StaysBetweenSidesOfZeros) {
  for (const std::string& propagator : propagator_names()) {
    if (describe_propagator(propagator).has_second()) continue;
    EXPECT_LT(change_of_energy(propagator, kZero, kZero), 1e-12) << propagator;
  }
}

TEST(Energy, StaysBetweenMirrors) {
  for (const std::string& propagator : propagator_names()) {
    const Description equation = describe_propagator(propagator);
    if (equation.has_second() || equation.has_products) continue;
    EXPECT_LT(change_of_energy(propagator, kPeriodic, kRigid), 1e-12) << propagator;
    if (equation.is_anisotropic) continue;
    EXPECT_LT(change_of_energy(propagator, kPeriodic, kFree), 1e-12) << propagator;
  }
}

/// Of the equation of second order: (p(+) - p)^2 - p(+) (p(+) - 2 p + p(-)), over (vp dt)^2.
TEST(Energy, OfTheSecondOrderEquationStays) {
  for (const Sides& sides : {kPeriodic, kZero, kFree, kRigid}) {
    TestCase test = test_case("acoustic_iso_cd", kExtent, sides);
    const RandomModel model(5);
    Simulation<double> simulation = simulation_of<double>(test, kReference, &model);
    fill_with_noise(simulation, 3);
    settle(simulation, test);
    std::vector<Values> history{Values(copy(simulation.state().fields[0]).size(), 0),
                                copy(simulation.state().fields[0])};
    double first = 0;
    for (int step = 0; step < 200; ++step) {
      simulation.step();
      history.push_back(copy(simulation.state().fields[0]));
      const Field& field = simulation.equation().fields[0];
      double energy = 0;
      for (std::int64_t x = 0; x < kExtent.x; ++x) {
        for (std::int64_t y = 0; y < kExtent.y; ++y) {
          for (std::int64_t z = 0; z < kExtent.z; ++z) {
            const auto i = static_cast<std::size_t>(simulation.state().layout.offset(x, y, z));
            const double next = history[2][i];
            const double now = history[1][i];
            const double velocity = model.at({x, y, z}).vp;
            const double share = share_inside(test, field, {x, y, z}) / (velocity * velocity);
            energy += share * ((next - now) * (next - now) - next * (next - 2 * now + history[0][i]));
          }
        }
      }
      history.erase(history.begin());
      if (step == 1) first = energy;
      if (step > 1) {
        EXPECT_NEAR(energy / first, 1, 1e-11) << step << " " << static_cast<int>(sides.low);
      }
    }
  }
}

}  // namespace
}  // namespace muster::seismic

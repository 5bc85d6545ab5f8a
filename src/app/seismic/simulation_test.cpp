// The physics: waves travel as they should.
#include "app/seismic/simulation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "app/seismic/seismic_test_support.h"
#include "app/seismic/wavelet.h"
#include "base/random.h"

namespace muster::seismic {
namespace {

/// A plane pressure wave that stands along x, at a time: what a field is of the normal stress along x at its largest.
double standing_wave(const Field& field, const Medium& medium, double wavenumber, double omega, double time,
                     std::int64_t cell) {
  const double place = wavenumber * (static_cast<double>(cell) + (field.location.half_x ? 0.5 : 0));
  if (field.name == "vx") return -std::sin(place) * std::sin(omega * time) / (medium.rho * medium.vp);
  const double stress = std::cos(place) * std::cos(omega * time);
  if (field.name == "p" || field.name == "a" || field.name == "sxx") return stress;
  if (field.name == "syy" || field.name == "szz") return stress * (1 - 2 * std::pow(medium.vs / medium.vp, 2));
  return 0;
}

/// The relative error of a standing wave after a fixed time, on n cells per wavelength.
double standing_wave_error(std::string_view propagator, std::int64_t cells, int order, double cfl,
                           Weights weights = Weights::taylor) {
  TestCase test = test_case(propagator, {cells, 8, 8}, kPeriodic, order);
  test.grid.spacing = {1000.0 / static_cast<double>(cells), 1000, 1000};
  test.grid.weights = weights;
  test.cfl = cfl;
  Simulation<double> simulation = simulation_of<double>(test, cpu(1));
  const Description& equation = simulation.equation();
  const double wavenumber = 2 * std::numbers::pi / static_cast<double>(cells);
  const double step = cfl * stable_limit(equation, test.grid) / test.medium.vp;
  const double omega = 2 * std::numbers::pi * test.medium.vp / 1000;
  const auto wave = [&](const Field& field, double time, std::int64_t x) {
    return standing_wave(field, test.medium, wavenumber, omega, time, x);
  };
  const auto set = [&](Volume<double>& volume, const Field& field, double time) {
    for (std::int64_t x = 0; x < cells; ++x) {
      for (std::int64_t y = 0; y < 8; ++y) {
        for (std::int64_t z = 0; z < 8; ++z) volume.at(x, y, z) = wave(field, time, x);
      }
    }
  };
  std::size_t observed = 0;
  for (std::size_t f = 0; f < equation.fields.size(); ++f) {
    const Field& field = equation.fields[f];
    // Velocities half a step earlier.
    set(simulation.state().fields[f], field, field.kind == Kind::velocity ? -step / 2 : 0);
    if (field.time_order == 2) set(simulation.state().before[f], field, -step);
    const bool is_stress = field.name == "p" || field.name == "a" || field.name == "sxx";
    if (is_stress && !field.location.half_x) observed = f;  // whose crest is at cell 0
  }
  const auto steps = static_cast<std::int64_t>(std::llround(0.3 / step));
  while (simulation.steps() < steps) simulation.step();
  const double expected = wave(equation.fields[observed], step * static_cast<double>(steps), 0);
  return std::abs(simulation.state().fields[observed].at(0, 4, 4) - expected);
}

TEST(Dispersion, IsLessWithWeightsThatAreMadeForIt) {
  for (const std::string_view propagator : {"acoustic_iso_cd", "acoustic_iso"}) {
    // Four cells per wavelength, and a step so small that only space counts.
    const double taylor = standing_wave_error(propagator, 4, 8, 0.01);
    const double optimised = standing_wave_error(propagator, 4, 8, 0.01, Weights::dispersion);
    EXPECT_LT(optimised, taylor / 4) << propagator;
  }
}

TEST(Convergence, IsOfTheOrderOfTheDifferencesInSpace) {
  if (kIsSanitized) GTEST_SKIP();
  for (const std::string& propagator : propagator_names()) {
    for (const int order : {4, 8}) {
      // A step so small that only space counts.
      const double coarse = standing_wave_error(propagator, 8, order, 0.004);
      const double fine = standing_wave_error(propagator, 12, order, 0.004);
      EXPECT_NEAR(std::log(coarse / fine) / std::log(1.5), order, 0.6) << propagator << " " << order;
    }
  }
}

TEST(Convergence, IsOfSecondOrderInTime) {
  if (kIsSanitized) GTEST_SKIP();
  for (const std::string& propagator : propagator_names()) {
    const double coarse = standing_wave_error(propagator, 48, 8, 0.8);
    const double fine = standing_wave_error(propagator, 48, 8, 0.4);
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.2) << propagator;
  }
}

/// Relative L2 difference from s(t - r/c) / (4 pi r) of a source and a receiver off the grid.
double green_error(std::string_view propagator, double cfl) {
  constexpr std::int64_t kCells = 72;
  TestCase test = test_case(propagator, {kCells, kCells, kCells}, {});
  test.medium.rho = 1;
  test.cfl = cfl;
  test.grid.layers.cells = 14;
  Simulation<float> simulation = simulation_of<float>(test, cpu(2));
  const double step = cfl * stable_limit(simulation.equation(), test.grid) / test.medium.vp;
  const Ricker wavelet{.frequency = 12, .delay = 0.12};
  const bool is_second = simulation.equation().has_second();
  Injection source{
      .field = 0, .weights = point_weights({25.3, 27.8, 30.4}, kNode, test.grid.extent, {}), .samples = {}};
  const double scale = test.medium.vp * test.medium.vp * step * (is_second ? step : 1) / 8000;
  for (NodeWeight& node : source.weights) node.weight *= scale;
  for (int n = 0; n < 2000; ++n) {
    source.samples.push_back(is_second ? wavelet.at(n * step) : wavelet.integral((n + 0.5) * step));
  }
  simulation.add(source);
  const std::vector<NodeWeight> receiver = point_weights({46.6, 40.1, 44.7}, kNode, test.grid.extent, {});
  const double distance = 20 * std::hypot(46.6 - 25.3, 40.1 - 27.8, 44.7 - 30.4);
  double error = 0;
  double norm = 0;
  for (double time = 0; time < 0.45; time += step) {
    const double expected = wavelet.at(time - distance / test.medium.vp) / (4 * std::numbers::pi * distance);
    error += std::pow(value_at(simulation, 0, receiver) - expected, 2);
    norm += expected * expected;
    simulation.step();
  }
  return std::sqrt(error / norm);
}

TEST(GreensFunction, ComesOutOffTheGrid) {
  if (kIsSanitized) GTEST_SKIP();
  EXPECT_LT(green_error("acoustic_iso_cd", 0.25), 0.01);
  EXPECT_LT(green_error("acoustic_iso", 0.25), 0.01);
}

}  // namespace
}  // namespace muster::seismic

// 10,000 steps inside absorbing layers: whatever the fields begin with, nothing grows.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "app/seismic/seismic_test_support.h"
#include "app/seismic/shot.h"

namespace muster::seismic {
namespace {

/// An anisotropic medium with a contrast, layers on all sides; the ratio of multiaxial layers is the shot's own.
Shot shot_of(const std::string& propagator) {
  return read_shot(fmt::format(R"(
propagator = "{}"
grid = "18x17x19"
spacing = "20 m"
order = 4
steps = 10000
cfl = 0.9
[[layer]]
vp = "2 km/s"
vs = "1.1 km/s"
density = "2 g/cm3"
epsilon = 0.2
delta = 0.1
theta = "40 deg"
phi = "30 deg"
[[layer]]
top = "160 m"
vp = "2.6 km/s"
vs = "1.4 km/s"
density = "2.3 g/cm3"
epsilon = 0.1
delta = 0.1
theta = "20 deg"
[boundaries]
cells = 5
[[source]]
position = ["140 m", "140 m", "140 m"]
frequency = "15 Hz"
)",
                               propagator),
                   "shot.toml");
}

/// The root of the mean square of all fields, velocities in the unit of stresses.
double norm_of(Simulation<float>& simulation) {
  constexpr double kImpedance = 2000.0 * 2000;
  const Extent& extent = simulation.state().layout.extent();
  double sum = 0;
  for (std::size_t f = 0; f < simulation.equation().fields.size(); ++f) {
    const double scale = simulation.equation().fields[f].kind == Kind::velocity ? kImpedance : 1;
    for (std::int64_t x = 0; x < extent.x; ++x) {
      for (std::int64_t y = 0; y < extent.y; ++y) {
        for (std::int64_t z = 0; z < extent.z; ++z) {
          sum += std::pow(scale * static_cast<double>(simulation.state().fields[f].at(x, y, z)), 2);
        }
      }
    }
  }
  return std::sqrt(sum);
}

/// Norms after 100, 1,000 and 10,000 steps, from noise in the stresses.
TEST(LongRuns, DoNotGrow) {
  if (kIsSanitized) GTEST_SKIP();
  for (const std::string& propagator : propagator_names()) {
    const Shot shot = shot_of(propagator);
    Simulation<float> simulation = make_simulation<float>(shot.propagator, shot.grid, *shot.model, cpu(1));
    fill_with_noise(simulation, 1, Kind::stress);
    const auto norm_after = [&](std::int64_t steps) {
      while (simulation.steps() < steps) simulation.step();
      return norm_of(simulation);
    };
    const double early = norm_after(100);
    const double middle = norm_after(1000);
    const double late = norm_after(10'000);
    fflush(stdout); printf("GROWTH %s %g %g %g ratio %g\n", propagator.c_str(), early, middle, late, shot.grid.layers.ratio);
    EXPECT_LE(middle, early) << propagator;
    EXPECT_LE(late, middle) << propagator;
  }
}

}  // namespace
}  // namespace muster::seismic

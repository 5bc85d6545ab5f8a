// 10,000 steps inside absorbing layers: what sources have left behind fades.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/seismic/injections.h"
#include "app/seismic/seismic_test_support.h"
#include "app/seismic/shot.h"

namespace muster::seismic {
namespace {

constexpr std::string_view kForce = R"([[source]]
kind = "force"
force = [1e6, -2e6, 3e6]
position = ["111 m", "104 m", "125 m"]
frequency = "15 Hz"
)";

/// An anisotropic medium with a contrast, layers on all sides; the ratio of multiaxial layers is the shot's own.
Shot shot_of(const std::string& propagator) {
  return read_shot(fmt::format(R"(
propagator = "{}"
grid = "12x11x14"
spacing = "20 m"
order = 2
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
top = "130 m"
vp = "2.6 km/s"
vs = "1.4 km/s"
density = "2.3 g/cm3"
epsilon = 0.1
delta = 0.1
theta = "20 deg"
[boundaries]
cells = 4
[[source]]
position = ["111 m", "104 m", "125 m"]
frequency = "15 Hz"
{})",
                               propagator, propagator == "acoustic_iso_cd" ? "" : kForce),
                   "shot.toml");
}

/// The root of the mean square of all fields, velocities in the unit of stresses.
template <class Real>
double norm_of(Simulation<Real>& simulation) {
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

/// The norm after these steps.
template <class Real>
std::vector<double> norms_after(const std::string& propagator, const std::vector<std::int64_t>& steps) {
  const Shot shot = shot_of(propagator);
  Simulation<Real> simulation = make_simulation<Real>(shot.propagator, shot.grid, *shot.model, cpu(1));
  for (const Source& source : shot.sources) {
    for (Injection& injection : injections_of(source, shot, simulation.equation(), 1)) {
      simulation.add(std::move(injection));
    }
  }
  std::vector<double> norms;
  for (const std::int64_t step : steps) {
    while (simulation.steps() < step) simulation.step();
    norms.push_back(norm_of(simulation));
  }
  return norms;
}

TEST(LongRuns, DoNotGrow) {
  if (kIsSanitized) GTEST_SKIP();
  for (const std::string& propagator : propagator_names()) {
    const std::vector<double> norms = norms_after<double>(propagator, {100, 1000, 10'000});
    EXPECT_LT(norms[1], norms[0]) << propagator;
    EXPECT_LT(norms[2], norms[1]) << propagator;
  }
}

/// In f32, rounding adds a little in every step to what does not move the medium, and so fades nowhere.
TEST(LongRuns, HoldNoMoreThanRoundingInF32) {
  if (kIsSanitized) GTEST_SKIP();
  for (const std::string& propagator : propagator_names()) {
    const std::vector<double> exact = norms_after<double>(propagator, {100, 5'000});
    EXPECT_NEAR(norms_after<float>(propagator, {5'000})[0], exact[1], 1e-4 * exact[0]) << propagator;
  }
}

}  // namespace
}  // namespace muster::seismic

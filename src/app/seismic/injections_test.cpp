// Sources against the exact solutions in a full space.
#include "app/seismic/injections.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <numbers>

#include "app/seismic/seismic_test_support.h"
#include "app/seismic/survey_test_support.h"

namespace muster::seismic {
namespace {

using Vector = std::array<double, 3>;

struct Solid {
  double vp = 3000;
  double vs = 1700;
  double rho = 2000;
};

/// Stokes' solution (Aki and Richards, eq. 4.23): what a force along axis j with the time function x does along axis i.
double stokes(const Solid& solid, const Vector& offset, std::size_t i, std::size_t j, double time,
              const std::function<double(double)>& x) {
  const double r = std::hypot(offset[0], offset[1], offset[2]);
  const double along = offset[i] * offset[j] / (r * r);
  const double same = i == j ? 1 : 0;
  const double first = r / solid.vp;
  const double last = r / solid.vs;
  constexpr int kPieces = 60;  // Simpson's rule
  double integral = 0;
  for (int k = 0; k <= kPieces; ++k) {
    const double delay = first + (last - first) * k / kPieces;
    const double weight = k == 0 || k == kPieces ? 1 : k % 2 == 1 ? 4 : 2;
    integral += weight * delay * x(time - delay);
  }
  integral *= (last - first) / kPieces / 3;
  const double near = (3 * along - same) / (r * r * r) * integral;
  const double of_p = along / (solid.vp * solid.vp * r) * x(time - first);
  const double of_s = (along - same) / (solid.vs * solid.vs * r) * x(time - last);
  return (near + of_p - of_s) / (4 * std::numbers::pi * solid.rho);
}

/// A moment tensor is forces at points next to each other: the derivative with respect to the source's position.
double of_moment(const Solid& solid, const Vector& offset, std::size_t i, const std::array<double, 6>& moment,
                 double time, const std::function<double(double)>& x) {
  constexpr std::size_t kNumbers[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
  constexpr double kApart = 0.05;
  double sum = 0;
  for (std::size_t j = 0; j < 3; ++j) {
    for (std::size_t k = 0; k < 3; ++k) {
      const double strength = moment[kNumbers[j][k]];
      if (strength == 0) continue;
      Vector behind = offset;  // the source moves forward, so the offset shrinks
      Vector before = offset;
      behind[k] -= kApart;
      before[k] += kApart;
      sum += strength * (stokes(solid, behind, i, j, time, x) - stokes(solid, before, i, j, time, x)) / (2 * kApart);
    }
  }
  return sum;
}

constexpr Vector kSource{346, 352, 338};
// In metres from the source: 0.6 and 2 wavelengths of shear waves away.
constexpr std::array<Vector, 2> kOffsets{Vector{53, -44, 72}, Vector{206, 148, 184}};

Shot shot_with(const std::string& source) {
  std::string positions;
  for (const Vector& offset : kOffsets) {
    positions +=
        fmt::format("\"{} m, {} m, {} m\",", kSource[0] + offset[0], kSource[1] + offset[1], kSource[2] + offset[2]);
  }
  return read_shot(fmt::format(R"(
propagator = "elastic_iso"
grid = "44x44x44"
spacing = "20 m"
steps = 540
cfl = 0.25
[[layer]]
vp = "3000 m/s"
vs = "1700 m/s"
density = "2000 kg/m3"
[boundaries]
cells = 10
[[source]]
position = ["346 m", "352 m", "338 m"]
frequency = "10.6 Hz"  # 8 cells per wavelength of shear waves
{}
[[receivers]]
fields = ["vx", "vy", "vz"]
positions = [{}]
)",
                               source, positions),
                   "test.toml");
}

/// Velocities over time at a receiver: the relative L2 difference from the exact ones.
double error_at(std::size_t receiver, const Shot& shot, const std::vector<Gather>& gathers) {
  const Solid solid;
  const Source& source = shot.sources.front();
  const Vector force{source.force.x, source.force.y, source.force.z};
  const std::function<double(double)> rate = [&](double time) {  // of the wavelet: velocities are wanted
    constexpr double kApart = 1e-5;
    return (source.wavelet.at(time + kApart) - source.wavelet.at(time - kApart)) / (2 * kApart);
  };
  double error = 0;
  double norm = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::int64_t n = 0; n < gathers[i].samples; ++n) {
      const double time = gathers[i].start + gathers[i].interval * static_cast<double>(n);
      double expected = of_moment(solid, kOffsets[receiver], i, source.moment, time, rate);
      for (std::size_t j = 0; j < 3; ++j) {
        if (force[j] != 0) expected += force[j] * stokes(solid, kOffsets[receiver], i, j, time, rate);
      }
      error += std::pow(gathers[i].trace(receiver)[static_cast<std::size_t>(n)] - expected, 2);
      norm += expected * expected;
    }
  }
  return std::sqrt(error / norm);
}

void compare_with_stokes(const std::string& source) {
  const Shot shot = shot_with(source);
  const std::vector<Gather> gathers = gathers_of<float>(shot, {.kind = Target::Kind::cpu, .threads = 1});
  EXPECT_LT(error_at(0, shot, gathers), 0.01) << "near: " << source;
  EXPECT_LT(error_at(1, shot, gathers), 0.01) << "far: " << source;
}

TEST(StokesSolution, OfAForceComesOutNearAndFar) { compare_with_stokes("kind = \"force\"\nforce = [1e9, -2e9, 5e8]"); }

TEST(StokesSolution, OfADoubleCoupleComesOutNearAndFar) {
  if (kIsSanitized) GTEST_SKIP();
  compare_with_stokes("kind = \"moment\"\nmoment = [0, 0, 0, 0, 0, 1e12]");
}

TEST(StokesSolution, OfAnExplosionComesOutNearAndFar) { compare_with_stokes("kind = \"explosion\"\nmoment = 1e12"); }

/// p = scale(t - r/c) / (4 pi r) at a receiver off the grid, for each acoustic propagator and kind of source.
double pressure_error(const std::string& propagator, const std::string& source, double velocity) {
  const Shot shot = read_shot(fmt::format(R"(
propagator = "{}"
grid = "40x40x40"
spacing = ["20 m", "18 m", "16 m"]
steps = 230
cfl = 0.3
[[layer]]
vp = "3 km/s"
[boundaries]
cells = 10
[[source]]
position = ["366 m", "333 m", "310 m"]
frequency = "12 Hz"
{}
[[receivers]]
positions = ["531 m, 437 m, 427 m"]
)",
                                          propagator, source),
                              "test.toml");
  const Gather gather = gathers_of<double>(shot, {.kind = Target::Kind::cpu, .threads = 1}).front();
  const double r = std::hypot(531.0 - 366, 437.0 - 333, 427.0 - 310);
  const Wavelet& wavelet = shot.sources.front().wavelet;
  const bool is_moment = shot.sources.front().kind == Source::Kind::moment;
  const auto expected = [&](double time) {
    if (!is_moment) return shot.sources.front().pressure * wavelet.at(time);
    constexpr double kApart = 1e-4;  // -M'' / c^2
    const double bend = wavelet.at(time + kApart) - 2 * wavelet.at(time) + wavelet.at(time - kApart);
    return -shot.sources.front().moment[0] * bend / (kApart * kApart * velocity * velocity);
  };
  double error = 0;
  double norm = 0;
  for (std::size_t n = 0; n < gather.values.size(); ++n) {
    const double time = gather.interval * static_cast<double>(n);
    const double exact = expected(time - r / velocity) / (4 * std::numbers::pi * r);
    error += std::pow(gather.values[n] - exact, 2);
    norm += exact * exact;
  }
  return std::sqrt(error / norm);
}

TEST(PressureSources, GiveTheWaveletOverTheDistance) {
  if (kIsSanitized) GTEST_SKIP();
  for (const std::string propagator : {"acoustic_iso_cd", "acoustic_iso", "elastic_iso"}) {
    EXPECT_LT(pressure_error(propagator, "amplitude = 3", 3000), 0.01) << propagator;
  }
}

TEST(Explosions, GiveTheMomentsSecondDerivativeInFluids) {
  if (kIsSanitized) GTEST_SKIP();
  for (const std::string propagator : {"acoustic_iso_cd", "acoustic_iso", "elastic_iso"}) {
    EXPECT_LT(pressure_error(propagator, "kind = \"explosion\"\nmoment = 1e6", 3000), 0.01) << propagator;
  }
}

}  // namespace
}  // namespace muster::seismic

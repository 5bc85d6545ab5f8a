// Sources against the exact solutions in a full space.
#include "app/seismic/injections.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "app/seismic/full_space_test_support.h"
#include "app/seismic/seismic_test_support.h"
#include "app/seismic/survey_test_support.h"

namespace muster::seismic {
namespace {

constexpr Solid kSolid{.vp = 3000, .vs = 1700, .rho = 2000};
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

void compare_with_stokes(const std::string& source) {
  const Shot shot = shot_with(source);
  const std::vector<Gather> gathers = gathers_of<float>(shot, {.kind = Target::Kind::cpu, .threads = 1});
  EXPECT_LT(stokes_error(kSolid, kOffsets[0], shot, gathers, 0), 0.01) << "near: " << source;
  EXPECT_LT(stokes_error(kSolid, kOffsets[1], shot, gathers, 1), 0.01) << "far: " << source;
}

TEST(StokesSolution, OfAForceComesOutNearAndFar) { compare_with_stokes("kind = \"force\"\nforce = [1e9, -2e9, 5e8]"); }

TEST(StokesSolution, OfADoubleCoupleComesOutNearAndFar) {
  if (kIsSanitized) GTEST_SKIP();
  compare_with_stokes("kind = \"moment\"\nmoment = [0, 0, 0, 0, 0, 1e12]");
}

TEST(StokesSolution, OfAnExplosionComesOutNearAndFar) { compare_with_stokes("kind = \"explosion\"\nmoment = 1e12"); }

/// p = scale(t - r/c) / (4 pi r) at a receiver off the grid, for each acoustic propagator and kind of source.
double source_error(const std::string& propagator, const std::string& source, double velocity) {
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
  return pressure_error(gather,
                        [&](double time) { return expected(time - r / velocity) / (4 * std::numbers::pi * r); });
}

TEST(PressureSources, GiveTheWaveletOverTheDistance) {
  if (kIsSanitized) GTEST_SKIP();
  for (const std::string propagator : {"acoustic_iso_cd", "acoustic_iso", "elastic_iso"}) {
    EXPECT_LT(source_error(propagator, "amplitude = 3", 3000), 0.01) << propagator;
  }
}

TEST(Explosions, GiveTheMomentsSecondDerivativeInFluids) {
  if (kIsSanitized) GTEST_SKIP();
  for (const std::string propagator : {"acoustic_iso_cd", "acoustic_iso", "elastic_iso"}) {
    EXPECT_LT(source_error(propagator, "kind = \"explosion\"\nmoment = 1e6", 3000), 0.01) << propagator;
  }
}

/// With a mirror in the plane z = 0: the wave of the source and that of its image, at a receiver below.
double mirror_error(const std::string& propagator, const std::string& side, const std::string& source_depth,
                    const std::string& receiver_depth) {
  const Shot shot = read_shot(fmt::format(R"(
propagator = "{}"
grid = "44x44x36"
spacing = "10 m"
steps = 240
cfl = 0.3
[[layer]]
vp = "2 km/s"
[boundaries]
cells = 10
low_z = "{}"
[[source]]
position = ["203.7 m", "211.1 m", "{} m"]
frequency = "16 Hz"
[[receivers]]
positions = ["231.4 m, 222.2 m, {} m"]
)",
                                          propagator, side, source_depth, receiver_depth),
                              "test.toml");
  const Gather gather = gathers_of<double>(shot, {.kind = Target::Kind::cpu, .threads = 1}).front();
  const double source = std::stod(source_depth);
  const double receiver = std::stod(receiver_depth);
  const double sign = side == "rigid" ? 1 : -1;
  const auto wave = [&](double depth, double time) {
    const double r = std::hypot(231.4 - 203.7, 222.2 - 211.1, receiver - depth);
    return shot.sources.front().wavelet.at(time - r / 2000) / (4 * std::numbers::pi * r);
  };
  return pressure_error(gather, [&](double time) { return wave(source, time) + sign * wave(-source, time); });
}

TEST(PointsNextToMirrors, AreThereWithTheirImages) {
  if (kIsSanitized) GTEST_SKIP();
  for (const std::string propagator : {"acoustic_iso_cd", "acoustic_iso"}) {
    for (const std::string side : {"free-surface", "rigid"}) {
      EXPECT_LT(mirror_error(propagator, side, "3", "150"), 0.02) << propagator << " " << side << ", source";
      EXPECT_LT(mirror_error(propagator, side, "8", "150"), 0.02) << propagator << " " << side << ", source";
      EXPECT_LT(mirror_error(propagator, side, "120", "4"), 0.02) << propagator << " " << side << ", receiver";
    }
    EXPECT_LT(mirror_error(propagator, "rigid", "0", "150"), 0.02) << propagator << ", in the wall";
  }
}

}  // namespace
}  // namespace muster::seismic

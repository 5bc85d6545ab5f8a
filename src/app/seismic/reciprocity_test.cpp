// Source and receiver change places, and the trace stays. The discrete equations are symmetric, so this holds to rounding. CPMLs only
// scale what lies in them, so it holds with them, too, for points outside.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/seismic/seismic_test_support.h"
#include "app/seismic/survey_test_support.h"

namespace muster::seismic {
namespace {

/// Two points, and the depth of a contrast between them.
struct Geometry {
  std::string_view grid;
  std::array<std::string_view, 2> points;
  std::string_view depth;
};
constexpr Geometry kSmall{"21x20x22", {R"(["143 m", "181 m", "97 m"])", R"(["262 m", "209 m", "291 m"])"}, "200 m"};
/// Both points are a few cells away from the layers.
constexpr Geometry kWithLayers{
    "31x30x36", {R"(["253 m", "291 m", "207 m"])", R"(["372 m", "319 m", "401 m"])"}, "310 m"};

constexpr std::string_view kLossless =
    "low_x = \"periodic\"\nhigh_x = \"periodic\"\nlow_y = \"zero\"\nhigh_y = \"zero\"\nlow_z = \"zero\"\nhigh_z = "
    "\"zero\"\n";

struct Case {
  std::string propagator;
  std::string density;  ///< of the lower layer
  std::string sides;
  Geometry geometry = kSmall;
};

/// The trace at one of the points of a source at the other.
std::vector<double> trace_of(const Case& of, std::size_t from, const std::string& source, const std::string& field) {
  const Shot shot = read_shot(fmt::format(R"(
propagator = "{}"
precision = "f64"
grid = "{}"
spacing = ["20 m", "20 m", "18 m"]
order = 4
steps = 150
cfl = 0.7
[[layer]]
vp = "2 km/s"
vs = "1.1 km/s"
density = "2 g/cm3"
epsilon = 0.15
delta = 0.05
theta = "35 deg"
[[layer]]
top = "{}"
vp = "2.6 km/s"
vs = "1.4 km/s"
density = "{}"
[boundaries]
cells = 5
{}
[[source]]
position = {}
frequency = "15 Hz"
{}
[[receivers]]
first = {}
step_1 = ["0 m", "0 m", "0 m"]
step_2 = ["0 m", "0 m", "0 m"]
counts = [1, 1]
fields = ["{}"]
)",
                                          of.propagator, of.geometry.grid, of.geometry.depth, of.density, of.sides,
                                          of.geometry.points[from], source, of.geometry.points[1 - from], field),
                              "shot.toml");
  return gathers_of<double>(shot, cpu(1)).front().values;
}

/// The largest difference of two traces over the largest value.
double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(a[i] - b[i]));
    largest = std::max(largest, std::abs(a[i]));
  }
  EXPECT_GT(largest, 0);
  return most / largest;
}

double pressure_difference(const Case& of) { return difference(trace_of(of, 0, "", "p"), trace_of(of, 1, "", "p")); }

/// A force along x at one point and the velocity along z at the other, and the other way round.
double force_difference(const Case& of) {
  const auto force = [](std::string_view components) {
    return fmt::format("kind = \"force\"\nforce = {}\n", components);
  };
  return difference(trace_of(of, 0, force("[1e6, 0, 0]"), "vz"), trace_of(of, 1, force("[0, 0, 1e6]"), "vx"));
}

TEST(Reciprocity, OfPressureHoldsToRounding) {
  const std::string mirrors =
      "low_x = \"zero\"\nhigh_x = \"rigid\"\nlow_y = \"periodic\"\nhigh_y = \"periodic\"\n"
      "low_z = \"free-surface\"\nhigh_z = \"rigid\"\n";
  for (const std::string propagator : {"acoustic_iso_cd", "acoustic_iso"}) {
    for (const std::string& sides : {std::string(kLossless), mirrors}) {
      EXPECT_LT(pressure_difference({propagator, "2 g/cm3", sides}), 1e-12) << propagator << "\n" << sides;
    }
  }
}

TEST(Reciprocity, OfForcesHoldsToRounding) {
  for (const std::string& propagator : propagator_names()) {
    if (propagator == "acoustic_iso_cd") continue;  // has no velocities
    EXPECT_LT(force_difference({propagator, "2.5 g/cm3", std::string(kLossless)}), 1e-11) << propagator;
  }
  const std::string mirrors =
      "low_x = \"zero\"\nhigh_x = \"rigid\"\nlow_y = \"periodic\"\nhigh_y = \"periodic\"\n"
      "low_z = \"free-surface\"\nhigh_z = \"rigid\"\n";
  EXPECT_LT(force_difference({"elastic_iso", "2.5 g/cm3", mirrors}), 1e-11);
}

TEST(Reciprocity, HoldsToRoundingBetweenPointsOutsideAbsorbingLayers) {
  for (const std::string propagator : {"acoustic_iso_cd", "acoustic_iso"}) {
    EXPECT_LT(pressure_difference({propagator, "2 g/cm3", "", kWithLayers}), 1e-12) << propagator;
  }
  EXPECT_LT(force_difference({"elastic_iso", "2.5 g/cm3", "", kWithLayers}), 1e-12);
}

}  // namespace
}  // namespace muster::seismic

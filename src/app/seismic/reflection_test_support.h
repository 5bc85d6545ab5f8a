// What absorbing layers reflect: the difference from a grid so large that nothing comes back in time. For tests and benchmarks.
#pragma once

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "app/seismic/seismic_test_support.h"
#include "app/seismic/wavelet.h"

namespace muster::seismic {

inline constexpr std::int64_t kLayer = 27;

/// A box between layers: the source and the receivers lie along y, at the same distance from the layers of x. Waves that the layers
/// reflect come in at angles from 0 to 60 degrees.
inline constexpr std::int64_t kDistance = 10;
inline constexpr std::int64_t kLength = 36;

/// A trace for each receiver.
using ReceivedTraces = std::vector<std::vector<double>>;

/// `extra`: cells between the box and the layers.
inline ReceivedTraces record(const TestCase& test, std::int64_t extra, int steps) {
  TestCase larger = test;
  const std::int64_t around = 2 * (kLayer + extra);
  larger.grid.extent = {2 * kDistance + around + 1, kLength + 2 * kDistance + around + 1, 2 * kDistance + around + 1};
  larger.grid.layers.cells = kLayer;
  Simulation<float> simulation = simulation_of<float>(larger, cpu(2));
  const double step = test.cfl * stable_limit(simulation.equation(), test.grid) / test.medium.vp;
  const Ricker wavelet{.frequency = 12, .delay = 0.1};
  const auto at = static_cast<double>(kLayer + extra + kDistance);
  std::vector<double> samples;
  for (int n = 0; n < steps; ++n) samples.push_back(1e6 * wavelet.at(n * step));
  for (std::size_t f = 0; f < simulation.equation().fields.size(); ++f) {
    const Field& field = simulation.equation().fields[f];
    // An explosion; on Lebedev's grid, in all four of its grids.
    if (field.name != "p" && field.name != "a" && field.name != "sxx" && field.name != "syy" && field.name != "szz") {
      continue;
    }
    simulation.add({.field = static_cast<int>(f),
                    .weights = point_weights({at, at, at}, field.location, larger.grid.extent, {}),
                    .samples = samples});
  }
  const bool has_p = simulation.equation().field("p") >= 0;
  const int field = simulation.equation().field(has_p ? "p" : simulation.equation().field("a") >= 0 ? "a" : "sxx");
  ReceivedTraces traces(10);
  std::vector<std::vector<NodeWeight>> points;
  for (std::int64_t i = 0; i < 10; ++i) {
    points.push_back(point_weights({at, at + static_cast<double>(i * kLength / 9), at},
                                   simulation.equation().fields[static_cast<std::size_t>(field)].location,
                                   larger.grid.extent, {}));
  }
  for (int n = 0; n < steps; ++n) {
    simulation.step();
    for (std::size_t i = 0; i < points.size(); ++i) traces[i].push_back(value_at(simulation, field, points[i]));
  }
  return traces;
}

/// The largest ratio of the peak of the difference to the peak of the wave itself, in dB, over all receivers.
inline double reflection_of(const TestCase& test, std::int64_t extra, int steps) {
  const ReceivedTraces expected = record(test, extra, steps);
  const ReceivedTraces found = record(test, 0, steps);
  double worst = 0;
  for (std::size_t i = 1; i < expected.size(); ++i) {
    double peak = 0;
    double difference = 0;
    for (std::size_t n = 0; n < expected[i].size(); ++n) {
      peak = std::max(peak, std::abs(expected[i][n]));
      difference = std::max(difference, std::abs(expected[i][n] - found[i][n]));
    }
    worst = std::max(worst, difference / peak);
  }
  return 20 * std::log10(worst);
}

/// Of a CPML. `extra`: cells between the box and the layers of the larger grid.
inline double isotropic_reflection(std::string_view propagator, std::int64_t extra, int steps) {
  TestCase test = test_case(propagator, {}, {});
  test.grid.layers.frequency = 12;
  return reflection_of(test, extra, steps);
}

}  // namespace muster::seismic

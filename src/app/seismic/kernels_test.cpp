// All targets give the bits of the reference.
#include "app/seismic/kernels.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <string>

#include "app/seismic/seismic_test_support.h"
#include "base/random.h"

namespace muster::seismic {
namespace {

/// The first value of which the bits differ, as text; empty: none.
template <class Real>
std::string difference(const Simulation<Real>& expected, const Simulation<Real>& found) {
  using Bits = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;
  const Extent& extent = expected.state().layout.extent();
  for (std::size_t f = 0; f < expected.state().fields.size(); ++f) {
    for (std::int64_t x = 0; x < extent.x; ++x) {
      for (std::int64_t y = 0; y < extent.y; ++y) {
        for (std::int64_t z = 0; z < extent.z; ++z) {
          const Real a = expected.state().fields[f].at(x, y, z);
          const Real b = found.state().fields[f].at(x, y, z);
          if (std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b)) continue;
          return fmt::format("{} at {},{},{}: {} and {}", expected.equation().fields[f].name, x, y, z, a, b);
        }
      }
    }
  }
  return {};
}

Boundary any_boundary(Random& random) {
  constexpr std::array kAll{Boundary::cpml, Boundary::damping, Boundary::free_surface, Boundary::rigid, Boundary::zero};
  return kAll[random.below(kAll.size())];
}

Sides any_sides(Random& random) {
  return random.below(4) == 0 ? kPeriodic : Sides{.low = any_boundary(random), .high = any_boundary(random)};
}

TestCase any_case(const std::string& propagator, Random& random) {
  const int order = random.below(2) == 0 ? 8 : static_cast<int>(2 * (1 + random.below(8)));
  // Layers of second derivatives reach a radius further than their cells, from both sides.
  Extent extent;
  for (const Axis axis : kAxes) extent[axis] = static_cast<std::int64_t>(2 * (4 + order / 2) + random.below(24));
  TestCase test = test_case(propagator, extent, {}, order);
  test.grid.layers.cells = static_cast<std::int64_t>(1 + random.below(3));
  if (describe_propagator(propagator).is_anisotropic && random.below(2) == 0) test.grid.layers.ratio = 0.2;
  for (const Axis axis : kAxes) test.grid.sides[axis] = any_sides(random);
  return test;
}

/// Layers on all sides, as most runs have them, and so many cells that rows have whole vectors and blocks.
TestCase usual_case(const std::string& propagator) {
  constexpr Sides kLayers{Boundary::cpml, Boundary::cpml};
  TestCase test = test_case(propagator, {27, 30, 45}, kLayers, 8);
  test.grid.layers.cells = 5;
  if (describe_propagator(propagator).is_anisotropic) test.grid.layers.ratio = 0.2;
  return test;
}

template <class Real>
void compare_with_reference(const TestCase& test, std::uint64_t seed) {
  const RandomModel model(seed);
  Simulation<Real> expected = simulation_of<Real>(test, kReference, &model);
  Simulation<Real> found = simulation_of<Real>(test, cpu(static_cast<int>(1 + seed % 3)), &model);
  fill_with_noise(expected, seed);
  fill_with_noise(found, seed);
  for (int step = 0; step < 4; ++step) {
    expected.step();
    found.step();
  }
  EXPECT_EQ(difference(expected, found), "")
      << "seed " << seed << ", " << test.propagator << ", order " << test.grid.order;
}

TEST(CpuKernels, GiveTheBitsOfTheReference) {
  for (const std::string& propagator : propagator_names()) {
    for (std::uint64_t seed = 1; seed <= (kIsSanitized ? 1 : 3); ++seed) {
      Random random(seed);
      const TestCase test = any_case(propagator, random);
      compare_with_reference<float>(test, seed);
      compare_with_reference<double>(test, seed);
    }
  }
}

TEST(CpuKernels, GiveTheBitsOfTheReferenceWithLayersOnAllSides) {
  for (const std::string& propagator : propagator_names()) {
    compare_with_reference<float>(usual_case(propagator), 2);
    if (!kIsSanitized) compare_with_reference<double>(usual_case(propagator), 2);
  }
}

}  // namespace
}  // namespace muster::seismic

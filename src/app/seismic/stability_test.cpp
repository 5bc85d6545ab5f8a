// The longest stable time step where density jumps.
#include "app/seismic/stability.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "app/seismic/media.h"
#include "app/seismic/seismic_test_support.h"

namespace muster::seismic {
namespace {

constexpr Extent kExtent{12, 13, 14};

std::vector<std::string> first_order_propagators() {
  std::vector<std::string> names = propagator_names();
  std::erase_if(names, [](const std::string& name) { return describe_propagator(name).has_second(); });
  return names;
}

/// Densities of two powers of ten, in blocks of some cells, with velocities of their own.
class RandomContrast final : public Model {
 public:
  RandomContrast(std::uint64_t seed, double most_contrast, std::int64_t block)
      : seed_(seed), most_contrast_(most_contrast), block_(block) {}
  [[nodiscard]] Medium at(const Extent& node) const override {
    Medium medium = RandomModel(seed_).at({node.x / block_, node.y / block_, node.z / block_});
    medium.rho = std::pow(most_contrast_, medium.rho - 1);
    return medium;
  }

 private:
  std::uint64_t seed_;
  double most_contrast_;
  std::int64_t block_;
};

double fastest_of(const Model& model, std::string_view propagator) {
  double fastest = 0;
  for (std::int64_t x = 0; x < kExtent.x; ++x) {
    for (std::int64_t y = 0; y < kExtent.y; ++y) {
      for (std::int64_t z = 0; z < kExtent.z; ++z) {
        fastest = std::max(fastest, fastest_wave(model.at({x, y, z}), propagator));
      }
    }
  }
  return fastest;
}

/// By how much noise has grown after many steps of `share` of the longest stable one.
double growth(std::string_view propagator, const Model& model, const Sides& sides, double share, int order) {
  TestCase test = test_case(propagator, kExtent, sides, order);
  const double fastest = fastest_of(model, propagator);
  const Description equation = describe_propagator(propagator);
  test.medium.vp = fastest;
  test.cfl = share / contrast_factor(model, test.grid, equation, fastest);
  Simulation<double> simulation = simulation_of<double>(test, cpu(1), &model);
  fill_with_noise(simulation, 7, Kind::velocity);
  const auto largest = [&] {
    double most = 0;
    for (std::size_t f = 0; f < equation.fields.size(); ++f) {
      if (equation.fields[f].kind != Kind::velocity) continue;
      for (const double value : simulation.state().fields[f].values()) most = std::max(most, std::abs(value));
    }
    return most;
  };
  const double before = largest();
  for (int step = 0; step < (kIsSanitized ? 10 : 400); ++step) simulation.step();
  return largest() / before;
}

TEST(Stability, OfRandomDensitiesUpToTheLimit) {
  Random random(3);
  for (const std::string& propagator : first_order_propagators()) {
    for (int i = 0; i < (kIsSanitized ? 1 : 6); ++i) {
      const double contrast = std::pow(10, 3 * random.unit());
      const auto block = static_cast<std::int64_t>(1 + random.below(4));
      const auto order = static_cast<int>(2 + 2 * random.below(4));
      const RandomContrast model(random.bits(), contrast, block);
      // A light node among heavy ones swings far.
      EXPECT_LT(growth(propagator, model, kPeriodic, 0.999, order), 10 * std::sqrt(contrast))
          << propagator << ", 1:" << contrast << " in blocks of " << block << ", order " << order;
    }
  }
}

std::unique_ptr<Model> two_layers(double contrast) {
  Medium light{.vp = 2000, .vs = 1000, .rho = 1};
  Medium heavy = light;
  heavy.rho = contrast;
  return layered_model({{.top = 0, .medium = light}, {.top = 120, .medium = heavy}}, 20);
}

/// The sea above a tilted solid, and the reverse, with shear waves of the upper one from none on.
TEST(Stability, OfFluidsBesideTiltedSolids) {
  for (const std::string& propagator : first_order_propagators()) {
    for (const double vs : {0.0, 100.0, 600.0}) {
      for (const double tilt : {0.0, 0.7}) {
        const Medium water{.vp = 1500, .vs = vs, .rho = 1000, .theta = tilt};
        const Medium solid{
            .vp = 3000, .vs = 1500, .rho = 2200, .epsilon = 0.2, .delta = 0.1, .gamma = 0.1, .theta = 0.7, .phi = 0.4};
        const std::unique_ptr<Model> model =
            layered_model({{.top = 0, .medium = water}, {.top = 120, .medium = solid}}, 20);
        EXPECT_LT(growth(propagator, *model, kPeriodic, 0.999, 8), 10)
            << propagator << ", vs " << vs << ", tilt " << tilt;
      }
    }
  }
}

TEST(Stability, ALargeContrastNeedsAShorterStep) {
  if (kIsSanitized) GTEST_SKIP();
  const std::unique_ptr<Model> model = two_layers(10);
  const Description equation = describe_propagator("acoustic_tti");
  const TestCase test = test_case("acoustic_tti", kExtent, kPeriodic);
  const double factor = contrast_factor(*model, test.grid, equation, 2000);
  EXPECT_GT(growth("acoustic_tti", *model, kPeriodic, factor, 8), 1e6) << "as if density did not vary";
  EXPECT_LT(factor, 1.5);
}

TEST(Stability, IsThatOfTheFastestWaveWhereDensityIsTheSame) {
  for (const std::string& propagator : propagator_names()) {
    const TestCase test = test_case(propagator, kExtent, kPeriodic);
    const Description equation = describe_propagator(propagator);
    EXPECT_EQ(contrast_factor(*two_layers(1), test.grid, equation, 2000), 1) << propagator;
    EXPECT_EQ(contrast_factor(*constant_model({.vp = 1500}), test.grid, equation, 1500), 1) << propagator;
  }
}

TEST(Stability, OnlyTheAxesAlongWhichDensityVariesCount) {
  const Description equation = describe_propagator("acoustic_iso");
  TestCase test = test_case("acoustic_iso", kExtent, kPeriodic);
  const std::unique_ptr<Model> model = two_layers(100);
  const double equal = contrast_factor(*model, test.grid, equation, 2000);
  test.grid.spacing.z = 200;  // hardly matters for the limit, which the short spacings decide
  const double flat = contrast_factor(*model, test.grid, equation, 2000);
  EXPECT_GT(equal, 1.1);
  EXPECT_LT(flat, 1 + (equal - 1) / 10);
}

}  // namespace
}  // namespace muster::seismic

#include "app/seismic/field_values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "app/seismic/seismic_test_support.h"
#include "base/rejection_test_support.h"

namespace muster::seismic {
namespace {

Simulation<float> noise(std::uint64_t seed) {
  const Sides zero{.low = Boundary::zero, .high = Boundary::zero};
  Simulation<float> simulation = simulation_of<float>(test_case("acoustic_iso", {11, 12, 13}, zero), cpu(1));
  fill_with_noise(simulation, seed);
  return simulation;
}

TEST(FieldValues, SummaryIsThatOfAPlainLoop) {
  const Simulation<float> simulation = noise(1);
  const Volume<float>& field = simulation.state().fields[0];
  double least = 1;
  double most = -1;
  double squares = 0;
  for (std::int64_t x = 0; x < 11; ++x) {
    for (std::int64_t y = 0; y < 12; ++y) {
      for (std::int64_t z = 0; z < 13; ++z) {
        const double value = field.at(x, y, z);
        least = std::min(least, value);
        most = std::max(most, value);
        squares += value * value;
      }
    }
  }
  Processes alone;
  const FieldSummary summary = summary_of(field, alone);
  EXPECT_EQ(summary.least, least);
  EXPECT_EQ(summary.most, most);
  EXPECT_NEAR(summary.norm, std::sqrt(squares), 1e-10 * std::sqrt(squares));
}

TEST(FieldValues, ChecksumDependsOnEveryValueAndItsCell) {
  Processes alone;
  Simulation<float> simulation = noise(1);
  const std::string before = checksum_of(simulation, alone);
  Volume<float>& field = simulation.state().fields[2];
  std::swap(field.at(3, 4, 5), field.at(3, 4, 6));
  EXPECT_NE(checksum_of(simulation, alone), before);
  std::swap(field.at(3, 4, 5), field.at(3, 4, 6));
  EXPECT_EQ(checksum_of(simulation, alone), before);
  field.at(10, 11, 12) = std::nextafter(field.at(10, 11, 12), 1.0F);
  EXPECT_NE(checksum_of(simulation, alone), before);
}

TEST(FieldValues, NotFiniteOnesAreFound) {
  Processes alone;
  Simulation<float> simulation = noise(1);
  EXPECT_NO_THROW(check_finite(simulation, alone));
  simulation.state().fields[1].at(2, 3, 4) = std::numeric_limits<float>::infinity();
  EXPECT_EQ(rejection([&] { check_finite(simulation, alone); }), "step 0: vx is inf at cell 2,3,4");
}

}  // namespace
}  // namespace muster::seismic

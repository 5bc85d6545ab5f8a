#include "app/seismic/recorder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/seismic/survey_test_support.h"

namespace muster::seismic {
namespace {

Shot elastic_shot() {
  return read_shot(R"(
propagator = "elastic_iso"
precision = "f64"
grid = "20x20x20"
spacing = "20 m"
order = 4
steps = 70
cfl = 0.8
[[layer]]
vp = "3 km/s"
vs = "1.5 km/s"
[boundaries]
all = "periodic"
[[source]]
position = ["210 m", "190 m", "185 m"]
frequency = "20 Hz"
[[receivers]]
fields = ["p", "sxx", "syy", "szz", "vx"]
positions = ["170 m, 200 m, 220 m", "160 m, 180 m, 200 m"]
[[receivers]]
fields = ["vx"]
positions = ["170 m, 200 m, 220 m"]
every = 3
)",
                   "shot.toml");
}

TEST(Receivers, RecordTheMeanNormalStressAsPressure) {
  const std::vector<Gather> gathers = gathers_of<double>(elastic_shot(), {.kind = Target::Kind::cpu, .threads = 1});
  double largest = 0;
  for (std::size_t i = 0; i < gathers[0].values.size(); ++i) {
    const double mean = (gathers[1].values[i] + gathers[2].values[i] + gathers[3].values[i]) / 3;
    EXPECT_NEAR(gathers[0].values[i], mean, 1e-15);
    largest = std::max(largest, std::abs(mean));
  }
  EXPECT_GT(largest, 1e-6);
}

TEST(Receivers, RecordVelocitiesOfHalfAStepBefore) {
  const Shot shot = elastic_shot();
  const std::vector<Gather> gathers = gathers_of<double>(shot, {.kind = Target::Kind::cpu, .threads = 1});
  EXPECT_EQ(gathers[0].start, 0);
  EXPECT_EQ(gathers[4].start, -0.5 * shot.grid.time_step);
}

TEST(Receivers, ThatSkipStepsRecordTheOthersSamples) {
  const std::vector<Gather> gathers = gathers_of<double>(elastic_shot(), {.kind = Target::Kind::cpu, .threads = 1});
  const Gather& all = gathers[4];
  const Gather& some = gathers[5];
  ASSERT_EQ(all.samples, 71);
  ASSERT_EQ(some.samples, 24);
  EXPECT_DOUBLE_EQ(some.interval, 3 * all.interval);
  for (std::size_t i = 0; i < 24; ++i) EXPECT_EQ(some.trace(0)[i], all.trace(0)[3 * i]) << i;
}

}  // namespace
}  // namespace muster::seismic

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "app/seismic/shot.h"

namespace muster::seismic {
namespace {

constexpr std::string_view kGrid = R"(
propagator = "acoustic_iso"
grid = "40x50x60"
spacing = ["20 m", "10 m", "15 m"]
order = 2
steps = 10
cfl = 1
[boundaries]
all = "zero"
)";
constexpr std::string_view kLayer = "[[layer]]\nvp = \"2 km/s\"\n";
constexpr std::string_view kSource = "[[source]]\nposition = [\"0 m\", \"0 m\", \"0 m\"]\nfrequency = \"5 Hz\"\n";

Shot shot_of(std::string_view more) { return read_shot(fmt::format("{}{}{}", kGrid, kSource, more), "shot.toml"); }

TEST(Shots, HaveASpacingPerAxis) {
  const Shot shot = shot_of(kLayer);
  EXPECT_EQ(shot.grid.spacing, (PerAxis<double>{20, 10, 15}));
  // Leapfrog of order 2 on a staggered grid: c dt <= 1 / sqrt(sum 1/h^2).
  EXPECT_NEAR(shot.grid.time_step, 1 / std::sqrt(1 / 400.0 + 1 / 100.0 + 1 / 225.0) / 2000, 1e-12);
}

TEST(Shots, HaveReceiversInListsLinesAndGrids) {
  const Shot shot = shot_of(fmt::format("{}{}", kLayer, R"(
[[receivers]]
positions = ["1 m, 2 m, 3 m", "0.2 km,30 m,0 m"]
[[receivers]]
first = ["100 m", "0 m", "40 m"]
last = ["200 m", "50 m", "40 m"]
count = 3
fields = ["p", "vz"]
every = 4
[[receivers]]
name = "plane"
first = ["100 m", "100 m", "40 m"]
step_1 = ["10 m", "0 m", "0 m"]
step_2 = ["0 m", "-20 m", "0 m"]
counts = [2, 3]
)"));
  ASSERT_EQ(shot.receivers.size(), 3U);
  EXPECT_EQ(shot.receivers[0].positions, (std::vector<PerAxis<double>>{{1, 2, 3}, {200, 30, 0}}));
  EXPECT_EQ(shot.receivers[1].positions, (std::vector<PerAxis<double>>{{100, 0, 40}, {150, 25, 40}, {200, 50, 40}}));
  EXPECT_EQ(shot.receivers[1].name, "receivers2");
  ASSERT_EQ(shot.receivers[2].positions.size(), 6U);
  EXPECT_EQ(shot.receivers[2].positions[2], (PerAxis<double>{100, 60, 40}));
  EXPECT_EQ(shot.receivers[2].positions[3], (PerAxis<double>{110, 100, 40}));
}

TEST(Shots, HaveModelsThatAreLinearInDepth) {
  const Shot shot = shot_of(R"(
[model]
kind = "gradient"
top.vp = "1 km/s"
top.theta = "30 deg"
bottom.vp = "1590 m/s"
bottom.density = "60 kg/m3"
)");
  const Medium middle = shot.model->at({7, 8, 20});
  EXPECT_DOUBLE_EQ(middle.vp, 1200);
  EXPECT_DOUBLE_EQ(middle.rho, 21);
  EXPECT_DOUBLE_EQ(middle.theta, std::numbers::pi / 6 * 39 / 59);
  EXPECT_EQ(shot.velocities.fastest, 1590);
  EXPECT_EQ(shot.velocities.slowest, 1000);
}

TEST(Shots, TakeWaveletsFromTextAndRawFiles) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("muster-wavelet-test-{}", getpid());
  std::filesystem::create_directories(folder);
  {
    std::ofstream text(folder / "w.txt");
    std::ofstream raw(folder / "w.raw", std::ios::binary);
    for (int i = 0; i < 60; ++i) {
      const auto value = static_cast<float>(ricker_wavelet(5, 0.3).at(i * 0.01));
      text << fmt::format("{}\n", value);
      raw.write(reinterpret_cast<const char*>(&value), sizeof(value));
    }
  }
  for (const std::string name : {"w.txt", "w.raw"}) {
    const Shot shot = read_shot(fmt::format("{}{}[[source]]\nposition = [\"0 m\", \"0 m\", \"0 m\"]\nwavelet_file = "
                                            "\"{}\"\nwavelet_interval = \"10 ms\"\n",
                                            kGrid, kLayer, name),
                                (folder / "shot.toml").string());
    const Wavelet& wavelet = shot.sources.front().wavelet;
    EXPECT_NEAR(wavelet.at(0.3), 1, 1e-6) << name;
    EXPECT_NEAR(wavelet.at(0.324), ricker_wavelet(5, 0.3).at(0.324), 1e-4) << name;
    EXPECT_NEAR(wavelet.frequency, 5, 0.1) << name;
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace muster::seismic

#include "app/seismic/warnings.h"

#include <gtest/gtest.h>

namespace muster::seismic {
namespace {

using Texts = std::vector<std::string>;

/// Whether there is exactly one warning and it contains `text`.
testing::AssertionResult is_only_warning(const Shot& shot, const std::string& text) {
  const Texts warnings = warnings_of(shot);
  if (warnings.size() == 1 && warnings[0].find(text) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << testing::PrintToString(warnings) << " is not one warning with '" << text << "'";
}

/// A grid of 1 km with layers of 200 m, and a source in its middle.
Shot good_shot() {
  Shot shot;
  constexpr Sides kLayers{Boundary::cpml, Boundary::cpml};
  shot.grid.extent = {51, 51, 51};
  shot.grid.spacing = {20, 20, 20};
  shot.grid.sides = {kLayers, kLayers, kLayers};
  shot.grid.layers.cells = 10;
  shot.grid.time_step = 0.001;
  shot.steps = 500;
  shot.velocities = {.fastest = 2000, .slowest = 2000};
  shot.sources.push_back({.position = {500, 500, 500}, .wavelet = ricker_wavelet(10, 0.1)});
  return shot;
}

TEST(Warnings, GoodShotHasNone) { EXPECT_EQ(warnings_of(good_shot()), Texts{}); }

TEST(Warnings, FewCellsPerWavelength) {
  Shot shot = good_shot();
  shot.sources[0].wavelet = ricker_wavelet(30, 0.1);
  EXPECT_TRUE(is_only_warning(shot, "3.33 cells per wavelength at 30 Hz"));
}

TEST(Warnings, SourceInALayer) {
  Shot shot = good_shot();
  shot.sources[0].position.z = 199;
  EXPECT_TRUE(is_only_warning(shot, "source.1 lies in an absorbing layer"));
  shot.sources[0].position.z = 801;
  EXPECT_TRUE(is_only_warning(shot, "source.1 lies in an absorbing layer"));
  shot.grid.sides[Axis::z].high = Boundary::rigid;
  EXPECT_EQ(warnings_of(shot), Texts{});
}

TEST(Warnings, SourceBehindTheEnd) {
  Shot shot = good_shot();
  shot.sources[0].wavelet = ricker_wavelet(10, 0.6);
  EXPECT_EQ(warnings_of(shot),
            Texts{"the wavelet of source.1 peaks at 0.6 s, and the run ends at 0.5 s; use more steps"});
  shot.sources[0].wavelet = sampled_wavelet({0, 1, 0, -1, 0}, 0.01, 0.7);
  shot.sources[0].wavelet.frequency = 10;
  EXPECT_TRUE(is_only_warning(shot, "source.1 begins at 0.7 s"));
}

}  // namespace
}  // namespace muster::seismic

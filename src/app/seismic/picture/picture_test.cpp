#include "app/seismic/picture/picture.h"

#include <gtest/gtest.h>

#include "app/seismic/picture/canvas_test_support.h"

namespace muster::seismic {
namespace {

/// Low in its first half along `axis`, high in the other.
Cube halves(Axis axis) {
  Cube cube{.name = "vp", .extent = {8, 8, 8}, .spacing = {10, 10, 10}};
  for (std::int64_t x = 0; x < 8; ++x) {
    for (std::int64_t y = 0; y < 8; ++y) {
      for (std::int64_t z = 0; z < 8; ++z) cube.values.push_back(Extent{x, y, z}[axis] < 4 ? 1500.F : 3000.F);
    }
  }
  return cube;
}

struct Halves {
  Pixels::Found low;
  Pixels::Found high;
};

Halves found_in(const Cube& cube, const Slice& slice) {
  const Pixels pixels(draw(cube, {.clip = 100, .slices = {slice}}));
  return {pixels.find(colour_at(ColourScale::sequential, 0)), pixels.find(colour_at(ColourScale::sequential, 1))};
}

TEST(CubePicture, HasXToTheRight) {
  const auto [low, high] = found_in(halves(Axis::x), {Axis::y, 3});
  EXPECT_GT(low.count, 100'000);
  EXPECT_NEAR(static_cast<double>(low.count) / static_cast<double>(high.count), 1, 0.02);
  EXPECT_LT(low.x + 300, high.x);
  EXPECT_NEAR(low.y, high.y, 2);
}

TEST(CubePicture, HasDepthDownwards) {
  const auto [low, high] = found_in(halves(Axis::z), {Axis::x, 3});
  EXPECT_LT(low.y + 300, high.y);
}

TEST(CubePicture, HasMapsWithYUpwards) {
  const auto [low, high] = found_in(halves(Axis::y), {Axis::z, 3});
  EXPECT_GT(low.y, high.y + 300);
}

TEST(CubePicture, ShowsThreeSlicesUnlessAskedForOthers) {
  const Cube cube = halves(Axis::x);
  const Pixels one(draw(cube, {.slices = {{Axis::y, 3}}}));
  const Pixels three(draw(cube, {}));
  EXPECT_GT(three.width(), 2 * one.width());
}

TEST(CubePicture, IsDrawnWhateverItHolds) {
  Cube flat{.extent = {500, 1, 1}, .values = std::vector<float>(500, 0)};
  EXPECT_GT(Pixels(draw(flat, {})).width(), 100);
  flat.values[3] = 3e38F;
  flat.values[4] = -3e38F;
  EXPECT_GT(Pixels(draw(flat, {})).width(), 100);
}

TEST(CubePicture, IsDrawnWhateverItsFileSays) {
  Cube cube = halves(Axis::x);
  for (const double spacing : {1e-320, 1e-9, -1.0, 1e30, 1e308}) {
    cube.spacing = {spacing, 10, 10};
    EXPECT_GT(Pixels(draw(cube, {})).width(), 100) << spacing;
  }
}

TEST(CubePicture, IsAnSvgIfAskedFor) {
  const std::string svg = draw(halves(Axis::x), {.format = ImageFormat::svg});
  EXPECT_EQ(svg.substr(0, 5), "<?xml");
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
}

/// One trace: 1 in its first half, -1 in the other.
Gather step_down() {
  Gather gather{.receivers = {{0, 0, 0}}, .interval = 0.01, .samples = 100};
  for (int i = 0; i < 100; ++i) gather.values.push_back(i < 50 ? 1 : -1);
  return gather;
}

TEST(GatherPicture, HasTimeDownwards) {
  const Pixels pixels(draw(step_down(), {}));
  const Pixels::Found positive = pixels.find(colour_at(ColourScale::diverging, 1));
  const Pixels::Found negative = pixels.find(colour_at(ColourScale::diverging, 0));
  EXPECT_GT(positive.count, 100'000);
  EXPECT_LT(positive.y + 300, negative.y);
}

TEST(GatherPicture, IsDrawnWhateverItsFileSays) {
  for (const double number : {0.0, 5e-324, 1e-300, 1e15, 1.7e308, -1e18}) {
    Gather gather = step_down();
    gather.start = number;
    EXPECT_GT(Pixels(draw(gather, {})).width(), 100) << number;
    gather.interval = number;
    gather.receivers = {{number, 0, 0}, {2 * (number / 2), 0, 0}};
    gather.values.assign(200, number);
    gather.values[7] = -number;
    for (const GatherStyle style : {GatherStyle::density, GatherStyle::wiggle}) {
      EXPECT_GT(Pixels(draw(gather, {.style = style})).width(), 100) << number;
    }
  }
}

TEST(GatherPicture, FillsWigglesWhereTheyArePositive) {
  const Pixels wiggle(draw(step_down(), {.style = GatherStyle::wiggle}));
  const Pixels::Found ink = wiggle.find(kInk);
  EXPECT_GT(ink.count, 20'000);
  EXPECT_LT(ink.y, wiggle.height() / 2.0 - 100);
}

}  // namespace
}  // namespace muster::seismic

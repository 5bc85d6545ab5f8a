// The arithmetic of a wafer: to the bit as a plain loop says it, and near the usual arithmetic.
#include "app/seismic/wafer_kernels.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <optional>
#include <vector>

#include "app/seismic/seismic_test_support.h"
#include "app/seismic/wafer_arithmetic.h"

namespace muster::seismic {
namespace {

constexpr Boundary kZero = Boundary::zero;
constexpr Boundary kDamping = Boundary::damping;

TestCase any_case(Random& random) {
  const int order = static_cast<int>(2 * (1 + random.below(8)));
  Extent extent;
  for (const Axis axis : kAxes) extent[axis] = order / 2 + 1 + static_cast<std::int64_t>(random.below(10));
  TestCase test = test_case("acoustic_iso_cd", extent, {kZero, kZero}, order);
  test.grid.spacing = {20, 15 + 10 * random.unit(), 15 + 10 * random.unit()};
  if (order > 2 && random.below(4) == 0) test.grid.weights = Weights::dispersion;
  test.grid.layers.cells = 1 + static_cast<std::int64_t>(random.below(3));
  for (const Axis axis : kAxes) {
    if (random.below(3) == 0) test.grid.sides[axis].low = kDamping;
    if (random.below(3) == 0) test.grid.sides[axis].high = kDamping;
  }
  test.grid.arithmetic = Arithmetic::wafer;
  return test;
}

/// p now and a step ago, without anything around it.
struct PlainFields {
  Extent extent;
  std::vector<float> now;
  std::vector<float> before;

  [[nodiscard]] std::size_t index(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return static_cast<std::size_t>((x * extent.y + y) * extent.z + z);
  }
  /// Null outside the grid.
  [[nodiscard]] const float* at(std::int64_t x, std::int64_t y, std::int64_t z) const {
    const bool is_inside = x >= 0 && x < extent.x && y >= 0 && y < extent.y && z >= 0 && z < extent.z;
    return is_inside ? &now[index(x, y, z)] : nullptr;
  }
};

template <class Visit>
void for_each_cell(const Extent& extent, const Visit& visit) {
  for (std::int64_t x = 0; x < extent.x; ++x) {
    for (std::int64_t y = 0; y < extent.y; ++y) {
      for (std::int64_t z = 0; z < extent.z; ++z) visit(x, y, z);
    }
  }
}

/// As the header says them, on their own: w of the distance m, spacing h of an axis.
struct PlainCoefficients {
  std::optional<double> velocity;
  float middle = 0;
  PerAxis<std::vector<float>> away;
};

PlainCoefficients plain_coefficients(const TestCase& test, double time_step, std::optional<double> velocity) {
  const std::vector<double> weights = central_weights(test.grid.order, test.grid.weights);
  double sum = 0;
  for (const double w : weights) sum += w;
  PlainCoefficients plain{.velocity = velocity, .middle = 0, .away = {}};
  double all = 0;
  for (const Axis axis : kAxes) {
    const double h = test.grid.spacing[axis];
    const double s = velocity.value_or(0) * time_step / h;
    for (const double w : weights) plain.away[axis].push_back(static_cast<float>(velocity ? w * s * s : w / (h * h)));
    all += velocity ? s * s * sum : sum / (h * h);
  }
  plain.middle = static_cast<float>(velocity ? 2 - 2 * all : -2 * all);
  return plain;
}

float plain_sum(const PlainFields& fields, const PlainCoefficients& c, int radius, std::int64_t x, std::int64_t y,
                std::int64_t z) {
  volatile float acc = c.middle * *fields.at(x, y, z);  // volatile: no compiler fuses what is stored in between
  const auto add = [&](const float* away, float coefficient) {
    if (away == nullptr) return;
    volatile const float product = coefficient * *away;
    acc = acc + product;
  };
  for (int m = 1; m <= radius; ++m) add(fields.at(x - m, y, z), c.away.x[static_cast<std::size_t>(m) - 1]);
  for (int m = 1; m <= radius; ++m) add(fields.at(x + m, y, z), c.away.x[static_cast<std::size_t>(m) - 1]);
  for (int m = 1; m <= radius; ++m) add(fields.at(x, y - m, z), c.away.y[static_cast<std::size_t>(m) - 1]);
  for (int m = 1; m <= radius; ++m) add(fields.at(x, y + m, z), c.away.y[static_cast<std::size_t>(m) - 1]);
  for (int o = -radius; o <= radius; ++o) {
    if (o == 0) continue;
    const float* away = fields.at(x, y, z + o);
    acc = std::fma(c.away.z[static_cast<std::size_t>(std::abs(o)) - 1], away == nullptr ? 0.0F : *away, acc);
  }
  return acc;
}

/// The factors of damping and v^2 dt^2 are those of the solver.
void plain_step(PlainFields& fields, const PlainCoefficients& c, State<float>& state) {
  const View<float> view = state.view();
  std::vector<float> next(fields.now.size());
  for_each_cell(fields.extent, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    float value = plain_sum(fields, c, state.radius, x, y, z);
    const float now = *fields.at(x, y, z);
    const float before = fields.before[fields.index(x, y, z)];
    const float squared = state.parameters.front().at(x, y, z);
    if (view.has_damping) {
      volatile const float across = view.axes.x.damping[0][x] * view.axes.y.damping[0][y];
      volatile const float d = across * view.axes.z.damping[0][z];
      volatile const float of_sum = d * squared;
      volatile const float of_now = (d + d) * now;
      volatile const float of_before = d * d;
      volatile const float damped = c.velocity ? d * value : std::fma(of_sum, value, of_now);
      next[fields.index(x, y, z)] = std::fma(-of_before, before, damped);
    } else {
      if (!c.velocity) value = std::fma(squared, value, 2 * now);
      next[fields.index(x, y, z)] = value - before;
    }
  });
  fields.before = std::move(fields.now);
  fields.now = std::move(next);
}

PlainFields plain_copy(const State<float>& state) {
  PlainFields fields{.extent = state.layout.extent(), .now = {}, .before = {}};
  for_each_cell(fields.extent, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    fields.now.push_back(state.fields.front().at(x, y, z));
    fields.before.push_back(state.before.front().at(x, y, z));
  });
  return fields;
}

std::int64_t different_bits(const PlainFields& expected, const State<float>& found) {
  std::int64_t count = 0;
  for_each_cell(expected.extent, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
    count += bits(expected.now[expected.index(x, y, z)]) != bits(found.fields.front().at(x, y, z));
    count += bits(expected.before[expected.index(x, y, z)]) != bits(found.before.front().at(x, y, z));
  });
  return count;
}

RC_GTEST_PROP(WaferKernels, GiveTheBitsOfAPlainLoop, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  Random random(seed);
  const TestCase test = any_case(random);
  const bool has_one_velocity = random.below(2) == 0;
  const RandomModel model(seed);
  Simulation<float> simulation =
      simulation_of<float>(test, cpu(static_cast<int>(1 + random.below(3))), has_one_velocity ? nullptr : &model);
  fill_with_noise(simulation, seed);
  const double time_step = test.cfl * stable_limit(describe_propagator(test.propagator), test.grid) / test.medium.vp;
  const PlainCoefficients coefficients =
      plain_coefficients(test, time_step, has_one_velocity ? std::optional(test.medium.vp) : std::nullopt);
  const Extent cell{static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(test.grid.extent.x))), 0, 1};
  simulation.add({.field = 0, .weights = {{.cell = cell, .weight = 0.3}}, .samples = {0.7, -0.4}});
  PlainFields plain = plain_copy(simulation.state());
  for (const double sample : {0.7, -0.4, 0.0}) {
    plain_step(plain, coefficients, simulation.state());
    if (sample != 0) plain.now[plain.index(cell.x, cell.y, cell.z)] += static_cast<float>(0.3 * sample);
    simulation.step();
    RC_ASSERT(different_bits(plain, simulation.state()) == 0);
  }
}

/// |a - b| over all cells, in l2.
double distance(const State<float>& a, const State<double>& b) {
  double squares = 0;
  for_each_cell(a.layout.extent(), [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    squares += std::pow(static_cast<double>(a.fields.front().at(x, y, z)) - b.fields.front().at(x, y, z), 2);
  });
  return std::sqrt(squares);
}

/// From the usual arithmetic in f64. A step rounds a few dozen sums of the size of |u|, by 2^-24 each, and errors of leapfrog add up over
/// the steps: so steps times 2^-24 is the scale. Relative to the noise at the start, as layers may damp all of it.
RC_GTEST_PROP(WaferKernels, DifferFromTheUsualArithmeticByRoundingOnly, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  constexpr int kSteps = 50;
  Random random(seed);
  TestCase test = any_case(random);
  const RandomModel model(seed);
  const Model* medium = random.below(2) == 0 ? nullptr : &model;
  Simulation<float> found = simulation_of<float>(test, cpu(1), medium);
  test.grid.arithmetic = Arithmetic::fused;
  Simulation<double> exact = simulation_of<double>(test, cpu(1), medium);
  fill_with_noise(found, seed);
  const double start = distance(found.state(), exact.state());  // which is zero
  State<double>& state = exact.state();
  for_each_cell(test.grid.extent, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    state.fields.front().at(x, y, z) = found.state().fields.front().at(x, y, z);
  });
  for (int step = 0; step < kSteps; ++step) {
    found.step();
    exact.step();
    RC_ASSERT(distance(found.state(), exact.state()) < 3 * (step + 1) * 0x1p-24 * start);
  }
}

TEST(WaferCoefficients, OfOneVelocityContainIt) {
  GridOptions grid = test_case("acoustic_iso_cd", {9, 9, 9}, {kZero, kZero}, 2).grid;
  grid.time_step = 0.002;
  const WaferCoefficients folded = wafer_coefficients(grid, 3000);  // s = 0.3
  EXPECT_TRUE(folded.has_velocity);
  EXPECT_FLOAT_EQ(folded.middle, 2 - 6 * 0.09F);
  EXPECT_FLOAT_EQ(folded.away.z.at(0), 0.09F);
  const WaferCoefficients plain = wafer_coefficients(grid, std::nullopt);
  EXPECT_FALSE(plain.has_velocity);
  EXPECT_FLOAT_EQ(plain.middle, -6 / 400.0F);
  EXPECT_FLOAT_EQ(plain.away.x.at(0), 1 / 400.0F);
}

TEST(WaferCoefficients, KnowAMediumOfOneVelocity) {
  EXPECT_EQ(one_velocity(*constant_model({.vp = 1500}), {3, 4, 5}), 1500);
  const auto layered = [](double top) { return layered_model({{0, {.vp = 1500}}, {top, {.vp = 1600}}}, 10); };
  EXPECT_EQ(one_velocity(*layered(40), {3, 4, 5}), std::nullopt);
  EXPECT_EQ(one_velocity(*layered(50), {3, 4, 5}), 1500) << "the second layer lies below the grid";
}

}  // namespace
}  // namespace muster::seismic

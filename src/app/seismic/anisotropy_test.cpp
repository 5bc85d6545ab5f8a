// Anisotropic propagators where the answer is known from others.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/seismic/seismic_test_support.h"

namespace muster::seismic {
namespace {

constexpr int kSteps = 30;

/// The number of the field with a name and a location.
std::size_t field_at(const Description& equation, std::string_view name, Location location) {
  for (std::size_t f = 0; f < equation.fields.size(); ++f) {
    if (equation.fields[f].name == name && equation.fields[f].location == location) return f;
  }
  ADD_FAILURE() << equation.name << " has no " << name << " there";
  return 0;
}

/// A value for a cell that does not depend on the order of the fields.
double noise(std::uint64_t field, const Extent& cell) {
  const auto index = static_cast<std::uint64_t>((cell.x * 100 + cell.y) * 100 + cell.z);
  return static_cast<double>(random_bits(field, index, 3) >> 11U) * 0x1p-53 - 0.5;
}

template <class Visit>
void for_each_cell(const Extent& extent, const Visit& visit) {
  for (std::int64_t x = 0; x < extent.x; ++x) {
    for (std::int64_t y = 0; y < extent.y; ++y) {
      for (std::int64_t z = 0; z < extent.z; ++z) visit(Extent{x, y, z});
    }
  }
}

/// The largest difference between the fields of an isotropic propagator and those of the first Yee grid in an anisotropic one, both
/// begun with the same velocities, over their largest value.
double difference_of(std::string_view isotropic, std::string_view anisotropic) {
  constexpr Extent kExtent{12, 11, 13};
  Simulation<double> expected = simulation_of<double>(test_case(isotropic, kExtent, {}), cpu(1));
  TestCase test = test_case(anisotropic, kExtent, {});
  test.medium.theta = 0.4;  // an axis of a sphere
  test.medium.phi = 1.1;
  Simulation<double> found = simulation_of<double>(test, cpu(1));
  const auto pairs = [&](const auto& visit) {
    for (std::size_t f = 0; f < expected.equation().fields.size(); ++f) {
      const Field& field = expected.equation().fields[f];
      const std::string_view name = field.name == "p" ? "a" : field.name;
      visit(f, field_at(found.equation(), name, field.location));
    }
  };
  pairs([&](std::size_t f, std::size_t g) {
    if (expected.equation().fields[f].kind != Kind::velocity) return;
    for_each_cell(kExtent, [&](const Extent& cell) {
      expected.state().fields[f].at(cell.x, cell.y, cell.z) = noise(f, cell);
      found.state().fields[g].at(cell.x, cell.y, cell.z) = noise(f, cell);
    });
  });
  for (int step = 0; step < kSteps; ++step) {
    expected.step();
    found.step();
  }
  double largest = 0;
  pairs([&](std::size_t f, std::size_t g) {
    double most = 0;
    double difference = 0;
    for_each_cell(kExtent, [&](const Extent& cell) {
      const double value = expected.state().fields[f].at(cell.x, cell.y, cell.z);
      most = std::max(most, std::abs(value));
      difference = std::max(difference, std::abs(found.state().fields[g].at(cell.x, cell.y, cell.z) - value));
    });
    largest = std::max(largest, difference / most);
  });
  return largest;
}

TEST(Tti, WithoutAnisotropyIsIsotropic) {
  EXPECT_LT(difference_of("acoustic_iso", "acoustic_tti"), 1e-12);
  EXPECT_LT(difference_of("elastic_iso", "elastic_tti"), 1e-12);
  EXPECT_LT(difference_of("elastic_iso", "elastic_tti_approx"), 1e-12);
}

/// Exchanges x and z.
Extent exchanged(const Extent& extent) { return {extent.z, extent.y, extent.x}; }
Location exchanged(Location at) { return {.half_x = at.half_z, .half_y = at.half_y, .half_z = at.half_x}; }

std::string exchanged(std::string_view name) {
  if (name == "a" || name == "d") return std::string(name);
  std::string result(name);
  for (char& letter : result) letter = letter == 'x' ? 'z' : letter == 'z' ? 'x' : letter;
  const std::string axes = result.substr(1);
  if (axes == "zy") return result.substr(0, 1) + "yz";
  if (axes == "zx") return result.substr(0, 1) + "xz";
  if (axes == "yx") return result.substr(0, 1) + "xy";
  return result;
}

/// A model whose axis lies along x is the model with an upright axis, turned over.
TEST(Tti, WithTheAxisAlongXIsTheUprightModelTurnedOver) {
  constexpr Extent kExtent{12, 11, 14};
  for (const std::string_view propagator : {"acoustic_tti", "elastic_tti", "elastic_tti_approx"}) {
    TestCase test = test_case(propagator, kExtent, {});
    test.grid.layers.cells = 4;
    test.grid.layers.ratio = 0.2;
    test.cfl = 0.6;
    test.medium = {.vp = 3000, .vs = 1500, .rho = 2, .epsilon = 0.2, .delta = 0.1, .gamma = 0.15};
    Simulation<double> upright = simulation_of<double>(test, cpu(1));
    test.grid.extent = exchanged(kExtent);
    test.medium.theta = std::numbers::pi / 2;
    Simulation<double> lying = simulation_of<double>(test, cpu(1));
    const std::vector<Field>& fields = upright.equation().fields;
    const auto other = [&](std::size_t f) {
      return field_at(lying.equation(), exchanged(fields[f].name), exchanged(fields[f].location));
    };
    for (std::size_t f = 0; f < fields.size(); ++f) {
      if (fields[f].kind != Kind::velocity) continue;
      for_each_cell(kExtent, [&](const Extent& cell) {
        upright.state().fields[f].at(cell.x, cell.y, cell.z) = noise(f, cell);
        lying.state().fields[other(f)].at(cell.z, cell.y, cell.x) = noise(f, cell);
      });
    }
    for (int step = 0; step < kSteps; ++step) {
      upright.step();
      lying.step();
    }
    for (std::size_t f = 0; f < fields.size(); ++f) {
      double most = 0;
      double difference = 0;
      for_each_cell(kExtent, [&](const Extent& cell) {
        const double value = upright.state().fields[f].at(cell.x, cell.y, cell.z);
        const double turned = lying.state().fields[other(f)].at(cell.z, cell.y, cell.x);
        most = std::max(most, std::abs(value));
        difference = std::max(difference, std::abs(turned - value));
      });
      EXPECT_LT(difference, 1e-10 * most + 1e-12) << propagator << " " << fields[f].name;
    }
  }
}

}  // namespace
}  // namespace muster::seismic

#include "app/seismic/cost.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace muster::seismic {
namespace {

TEST(Cost, OfConstantDensityIsWhatACountByHandGives) {
  // Per axis: the middle's product, 4 sums, 4 fused products. Two sums of axes, the fused velocity, 2 p - before as a sum and a fused product.
  const Cost cost = cost_of("acoustic_iso_cd", 8, 4);
  EXPECT_EQ(cost.operations, 3 * (1 + 4 + 8) + 2 + 2 + 3);
  EXPECT_EQ(cost.bytes, 4 * 4);  // p, velocity, before twice
}

TEST(Cost, OfVariableDensityIsWhatACountByHandGives) {
  // A staggered difference: 4 differences, a product, 3 fused ones.
  const Cost cost = cost_of("acoustic_iso", 8, 4);
  constexpr double kDifference = 4 + 1 + 6;
  EXPECT_EQ(cost.operations, 3 * (kDifference + 2) + (3 * kDifference + 2 + 2));
  // Velocities: p, 3 buoyancies, 3 velocities read and written. Pressure: 3 velocities, the modulus, p read and written.
  EXPECT_EQ(cost.bytes, 4 * (1 + 3 + 6) + 4 * (3 + 1 + 2));
}

TEST(Cost, CountsAProductOnce) {
  // acoustic_tti takes derivatives of 6 stresses at 4 locations, where elastic_tti has them as fields: each of the 3 mixed ones has 2
  // products and is differentiated twice, each of the 3 normal ones has 2 products and a sum.
  const double operations = cost_of("acoustic_tti", 8, 4).operations;
  constexpr double kDifferences = 4 * (9 + 9) * 11 + 4 * 3 * 2 + 4 * 3;  // with the sums of the rates
  constexpr double kProducts = 4 * (3 * 2 + 3 * 3);
  constexpr double kCouplings = 4 * 3 * 2 + 4 * (3 + 13 * 2);
  EXPECT_EQ(operations, kDifferences + kProducts + kCouplings);
}

TEST(Cost, OfLayersIsThatOfTheirMemory) {
  GridOptions grid;
  grid.extent = {124, 124, 124};
  grid.sides = {{Boundary::cpml, Boundary::cpml}, {Boundary::zero, Boundary::zero}, {Boundary::zero, Boundary::zero}};
  grid.layers.cells = 27;
  // Layers of second derivatives reach 4 cells further: half of the cells.
  const Cost cost = cost_with_layers("acoustic_iso_cd", grid, 4);
  EXPECT_DOUBLE_EQ(cost.bytes, 16 + 0.5 * 16);
  EXPECT_DOUBLE_EQ(cost.operations, 46 + 0.5 * (2 * 4 + 2 * 11));
}

TEST(Cost, OfAnUnknownPropagatorIsRefused) { EXPECT_THROW((void)cost_of("acoustic", 8, 4), InputError); }

}  // namespace
}  // namespace muster::seismic

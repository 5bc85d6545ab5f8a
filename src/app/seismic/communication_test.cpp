// The bytes that processes send, against counts by hand. That they are what MPI sends, the tests of mpi/ say.
#include "app/seismic/communication.h"

#include <gtest/gtest.h>

#include "app/seismic/decomposition.h"
#include "app/seismic/seismic_test_support.h"

namespace muster::seismic {
namespace {

Traffic traffic(std::string_view propagator, const Sides& sides, const PerAxis<int>& counts, int process) {
  const TestCase test = test_case(propagator, {60, 40, 32}, sides);
  const Decomposition decomposition(test.grid, counts);
  return sum_of(exchanges_of(describe_propagator(propagator), test.grid, decomposition.part(process), sizeof(float)));
}

constexpr Sides kZero{.low = Boundary::zero, .high = Boundary::zero};
constexpr std::int64_t kFace = std::int64_t{40} * 32 * sizeof(float);  // a layer of cells across x

TEST(Communication, OfOneFieldIsARadiusOfCells) {
  EXPECT_EQ(traffic("acoustic_iso_cd", kZero, {2, 1, 1}, 0), (Traffic{.bytes = 4 * kFace, .messages = 1}));
  EXPECT_EQ(traffic("acoustic_iso_cd", kZero, {3, 1, 1}, 1), (Traffic{.bytes = 8 * kFace, .messages = 2}));
  EXPECT_EQ(traffic("acoustic_iso_cd", kZero, {1, 1, 1}, 0), Traffic{});
}

TEST(Communication, OfStaggeredFieldsIsASideOfTheStencil) {
  // p needs vx from 4 cells before to 3 behind; vx needs p from 3 before to 4 behind. So to the high side go 4 cells of vx
  // and 3 of p, in two messages.
  EXPECT_EQ(traffic("acoustic_iso", kZero, {2, 1, 1}, 0), (Traffic{.bytes = 7 * kFace, .messages = 2}));
}

TEST(Communication, IncludesMemoryWhereALayerIsCut) {
  const Sides layers{.low = Boundary::cpml, .high = Boundary::cpml};
  TestCase test = test_case("acoustic_iso_cd", {60, 40, 32}, layers);
  test.grid.layers.cells = 12;
  const auto bytes_of = [&](const PerAxis<int>& counts) {
    const Part part = Decomposition(test.grid, counts).part(0);
    return sum_of(exchanges_of(describe_propagator("acoustic_iso_cd"), test.grid, part, sizeof(float)));
  };
  EXPECT_EQ(bytes_of({2, 1, 1}), (Traffic{.bytes = 4 * kFace, .messages = 1}));  // at cell 30, behind the layer
  EXPECT_EQ(bytes_of({6, 1, 1}), (Traffic{.bytes = 8 * kFace, .messages = 2}));  // at cell 10, inside
}

}  // namespace
}  // namespace muster::seismic

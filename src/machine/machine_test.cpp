#include "machine/machine.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "base/error.h"
#include "machine/hyperx.h"
#include "machine/mesh.h"
#include "machine/routing.h"

namespace muster {
namespace {

Machine wafer() {
  Mesh network;
  network.width = network.max_width = 750;
  network.height = network.max_height = 994;
  return {.name = "wafer", .summary = "", .network = network};
}

Machine piuma() {
  HyperX network;
  network.max_dimension_size = 32;
  network.sockets = 16;
  network.core_columns = 4;
  network.core_rows = 2;
  return {.name = "switches", .summary = "", .network = network};
}

std::string refusal_of_nodes(std::int64_t nodes) {
  try {
    (void)with_nodes(piuma(), nodes);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::vector<std::int32_t> shape_of(std::int64_t nodes) { return as<HyperX>(with_nodes(piuma(), nodes))->shape; }

TEST(Grid, CutsAMesh) {
  const Machine machine = with_grid(wafer(), 512, 1);
  EXPECT_EQ(shape_text(machine), "512x1");
  EXPECT_EQ(rank_count(machine), 512);
  EXPECT_EQ(family_name(machine), "mesh");
  EXPECT_EQ(shape_text(with_grid(machine, 750, 994)), "750x994");  // a cut can be undone
}

TEST(Grid, RefusesWhatDoesNotFit) {
  const auto refusal = [](const Machine& machine, std::int32_t width, std::int32_t height) -> std::string {
    try {
      (void)with_grid(machine, width, height);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal(wafer(), 751, 1), "grid: 751x1 does not fit wafer; use at most 750x994");
  EXPECT_EQ(refusal(wafer(), 0, 1), "grid: 0x1 is too small; width and height must be at least 1");
  EXPECT_EQ(refusal(wafer(), 1, -3), "grid: 1x-3 is too small; width and height must be at least 1");
  EXPECT_EQ(refusal(piuma(), 1, 1),
            "machine 'switches' is a hyperx, which takes no grid; a grid is for a mesh such as wse2");
}

TEST(Nodes, TakeTheMostEvenShape) {
  using Shape = std::vector<std::int32_t>;
  EXPECT_EQ(shape_of(1), Shape{});
  EXPECT_EQ(shape_of(2), Shape{2});
  EXPECT_EQ(shape_of(4), (Shape{2, 2}));
  EXPECT_EQ(shape_of(6), (Shape{3, 2}));
  EXPECT_EQ(shape_of(12), (Shape{4, 3}));
  EXPECT_EQ(shape_of(16), (Shape{4, 4}));
  EXPECT_EQ(shape_of(17), Shape{17});
  EXPECT_EQ(shape_of(1024), (Shape{32, 32}));
  EXPECT_EQ(shape_of(2048), (Shape{16, 16, 8}));
  EXPECT_EQ(shape_of(16384), (Shape{32, 32, 16}));
  EXPECT_EQ(shape_text(with_nodes(piuma(), 1)), "1 node");
  EXPECT_EQ(shape_text(with_nodes(piuma(), 16)), "4x4 nodes");
  EXPECT_EQ(shape_text(with_nodes(piuma(), 17)), "17 nodes");
}

TEST(Nodes, RefuseCountsWithoutAShape) {
  EXPECT_EQ(refusal_of_nodes(0), "nodes: 0 is too small; use at least 1");
  EXPECT_EQ(refusal_of_nodes(37),
            "nodes: 37 cannot be split into dimensions of 2 to 32 nodes each; use 36 or 38, or raise "
            "nodes.max_dimension_size");
  EXPECT_EQ(refusal_of_nodes(74),
            "nodes: 74 cannot be split into dimensions of 2 to 32 nodes each; use 72 or 75, or raise "
            "nodes.max_dimension_size");
  EXPECT_EQ(
      refusal_of_nodes(8'388'593),  // the largest prime below 2^23
      "nodes: 8,388,593 cannot be split into dimensions of 2 to 32 nodes each; use a product of numbers up to 32, or "
      "raise nodes.max_dimension_size");
  EXPECT_EQ(refusal_of_nodes(8'388'608), "nodes: 8,388,608 are too many for switches; use at most 8,388,607");
  EXPECT_EQ(refusal_of_nodes(std::numeric_limits<std::int64_t>::max()),
            "nodes: 9,223,372,036,854,775,807 are too many for switches; use at most 8,388,607");
  EXPECT_THROW((void)with_nodes(wafer(), 4), InputError);
}

TEST(Shape, IsTakenAsGiven) {
  EXPECT_EQ(as<HyperX>(with_shape(piuma(), {32, 32, 16}))->shape, (std::vector<std::int32_t>{32, 32, 16}));
  EXPECT_EQ(shape_text(with_shape(piuma(), {})), "1 node");
  EXPECT_EQ(shape_text(with_shape(piuma(), {2, 3})), "2x3 nodes");
}

TEST(Shape, IsRefusedWhereItDoesNotFit) {
  const auto refusal = [](const Machine& machine, const std::vector<std::int32_t>& shape) -> std::string {
    try {
      (void)with_shape(machine, shape);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal(piuma(), {4, 1}), "shape: 4x1 has a dimension of size 1; use 2 to 32 in each");
  EXPECT_EQ(refusal(piuma(), {4, 33}), "shape: 4x33 has a dimension of size 33; use 2 to 32 in each");
  EXPECT_EQ(refusal(piuma(), {32, 32, 32, 32, 32}),
            "shape: 32x32x32x32x32 has too many nodes for switches; use at most 8,388,607");
  EXPECT_EQ(refusal(wafer(), {4, 4}),
            "machine 'wafer' is a mesh, which takes no shape of nodes; that is for a hyperx such as piuma");
  Machine broken = with_shape(piuma(), {4, 4});
  as<HyperX>(broken)->failed_nodes = {5};
  EXPECT_EQ(refusal(broken, {4, 4}), "accepted");
  EXPECT_EQ(refusal(broken, {2, 2}),
            "machine 'switches' lists failed nodes or links by their numbers in 4x4 nodes; to change the shape, set "
            "nodes.shape and these lists together");
}

RC_GTEST_PROP(Nodes, HaveAShapeOfTheirProductOrNone, ()) {
  const auto nodes = *rc::gen::inRange<std::int64_t>(1, 100'000);
  try {
    const Machine machine = with_nodes(piuma(), nodes);
    std::int64_t product = 1;
    std::int32_t before = 32;
    for (const std::int32_t size : as<HyperX>(machine)->shape) {
      RC_ASSERT(size >= 2);
      RC_ASSERT(size <= before);
      before = size;
      product *= size;
    }
    RC_ASSERT(product == nodes);
  } catch (const InputError&) {
    bool has_large_prime = false;
    std::int64_t rest = nodes;
    for (std::int64_t p = 2; p <= rest; ++p) {
      while (rest % p == 0) {
        rest /= p;
        has_large_prime = has_large_prime || p > 32;
      }
    }
    RC_ASSERT(has_large_prime);
  }
}

}  // namespace
}  // namespace muster

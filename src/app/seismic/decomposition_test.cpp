#include "app/seismic/decomposition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/rejection_test_support.h"

namespace muster::seismic {
namespace {

GridOptions grid_of(const Extent& extent) { return {.extent = extent, .spacing = {20, 20, 20}}; }

int count_of(const Decomposition& decomposition) {
  return decomposition.counts().x * decomposition.counts().y * decomposition.counts().z;
}

TEST(Decomposition, CoversEveryCellOnce) {
  for (const int processes : {1, 2, 3, 4, 6, 7, 12}) {
    const GridOptions grid = grid_of({61, 47, 83});
    const Decomposition decomposition(grid, processes);
    ASSERT_EQ(count_of(decomposition), processes);
    std::vector<int> owners(static_cast<std::size_t>(cells_of(grid.extent)));
    for (int process = 0; process < processes; ++process) {
      const Box cells = decomposition.part(process).cells;
      for (std::int64_t x = cells.first.x; x < cells.last.x; ++x) {
        for (std::int64_t y = cells.first.y; y < cells.last.y; ++y) {
          for (std::int64_t z = cells.first.z; z < cells.last.z; ++z) {
            ++owners[static_cast<std::size_t>((x * grid.extent.y + y) * grid.extent.z + z)];
          }
        }
      }
    }
    EXPECT_TRUE(std::ranges::all_of(owners, [](int count) { return count == 1; })) << processes;
  }
}

TEST(Decomposition, CutsTheLongestAxisFirst) {
  const Decomposition decomposition(grid_of({400, 50, 50}), 4);
  EXPECT_EQ(decomposition.counts(), (PerAxis<int>{4, 1, 1}));
}

TEST(Decomposition, CutsCubesAlongXFirst) {
  EXPECT_EQ(Decomposition(grid_of({60, 60, 60}), 2).counts(), (PerAxis<int>{2, 1, 1}));
  EXPECT_EQ(Decomposition(grid_of({60, 60, 60}), 4).counts(), (PerAxis<int>{2, 2, 1}));
  EXPECT_EQ(Decomposition(grid_of({60, 60, 60}), 6).counts(), (PerAxis<int>{3, 2, 1}));
}

TEST(Decomposition, NeighboursAreMutual) {
  const Decomposition decomposition(grid_of({60, 60, 60}), 12);
  for (int process = 0; process < 12; ++process) {
    for (const Axis axis : kAxes) {
      const int next = decomposition.neighbour(process, axis, true);
      if (next >= 0) {
        EXPECT_EQ(decomposition.neighbour(next, axis, false), process);
      }
    }
  }
}

TEST(Decomposition, WrapsAroundPeriodicSides) {
  GridOptions grid = grid_of({60, 20, 20});
  grid.sides.x = {.low = Boundary::periodic, .high = Boundary::periodic};
  const Decomposition decomposition(grid, PerAxis<int>{3, 1, 1});
  EXPECT_EQ(decomposition.neighbour(0, Axis::x, false), 2);
  EXPECT_EQ(decomposition.part(0).sides.x.low, Boundary::neighbour);
}

TEST(Decomposition, RefusesPartsThinnerThanAStencil) {
  EXPECT_EQ(rejection([] {
              Decomposition(grid_of({10, 10, 10}), 64);
            }),
            "64 processes cannot share 10x10x10 cells: parts would be thinner than 5 cells, which a stencil of "
            "order 8 needs; use fewer processes");
}

}  // namespace
}  // namespace muster::seismic

// Several boxes of cells in one launch: blocks are numbered through all of them.
#pragma once

#include <cstdint>

#include "app/seismic/volume.h"

namespace muster::seismic {

struct Boxes {
  static constexpr int kMost = 6;
  struct Part {
    int first[3];
    int last[3];
    int blocks[3];  ///< along x, y and z
    int blocks_before;
  };
  Part parts[kMost];
  int count = 0;
  int blocks = 0;

  /// Cells of a block along x, y and z.
  void add(const Box& box, const PerAxis<int>& block) {
    Part& part = parts[count];
    part.blocks_before = blocks;
    int product = 1;
    for (const Axis axis : kAxes) {
      const auto i = index_of(axis);
      part.first[i] = static_cast<int>(box.first[axis]);
      part.last[i] = static_cast<int>(box.last[axis]);
      if (part.last[i] <= part.first[i]) return;
      part.blocks[i] = (part.last[i] - part.first[i] + block[axis] - 1) / block[axis];
      product *= part.blocks[i];
    }
    blocks += product;
    ++count;
  }

  /// The part that a block belongs to, and the block's number in each direction of it.
  __device__ __forceinline__ const Part& find(int block, int (&at)[3]) const {
    int which = 0;
    while (which + 1 < count && block >= parts[which + 1].blocks_before) ++which;
    const Part& part = parts[which];
    const int number = block - part.blocks_before;
    at[2] = number % part.blocks[2];
    at[1] = number / part.blocks[2] % part.blocks[1];
    at[0] = number / part.blocks[2] / part.blocks[1];
    return part;
  }
};

}  // namespace muster::seismic

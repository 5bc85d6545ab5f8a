#include "app/seismic/memory.h"

namespace muster::seismic {
namespace {

constexpr std::int64_t kVector =
    16;  ///< cells that a vector of a processor has at most; a thread of a GPU updates 4 at once

/// To a multiple of kRow, of negative values too.
constexpr std::int64_t round_up(std::int64_t value) {
  return value < 0 ? -(-value / kRow * kRow) : (value + kRow - 1) / kRow * kRow;
}

/// The cells of a slab: all of the grid, or, multiaxial, only what no earlier axis has.
Box box_of(const Extent& extent, const PerAxis<Thickness>& layers, Axis axis, bool is_multiaxial) {
  Box box = whole(extent);
  for (const Axis earlier : kAxes) {
    if (earlier == axis || !is_multiaxial) break;
    box.first[earlier] = layers[earlier].low;
    box.last[earlier] = extent[earlier] - layers[earlier].high;
  }
  return box;
}

struct Placed {
  Slab slab;
  std::int64_t size = 0;
};

Placed place(const Box& box, Axis axis, const Thickness& layer, std::int64_t halo) {
  if (!layer.any()) return {};
  const std::int64_t grid = box.last[axis];
  Extent count{box.last.x - box.first.x, box.last.y - box.first.y, box.last.z - box.first.z};
  Extent start = box.first;
  std::int64_t shift = layer.low + 2 * halo + layer.high - grid;  // the layers of both sides follow each other
  // Along z, cells keep their place in a vector, and a vector that reaches out of one layer does not reach into the other.
  if (axis == Axis::z) shift = round_up(shift + 2 * (kVector - 1));
  start[axis] = axis == Axis::z ? -round_up(halo) : -halo;
  count[axis] = grid + shift + halo - start[axis];
  Placed placed;
  Extent& stride = placed.slab.stride;
  stride = {0, 0, 1};
  stride.y = round_up(count.z + kRow - 1);  // a vector may read beyond the last cell of a row
  stride.x = stride.y * count.y;
  placed.size = stride.x * count.x + kRow;
  placed.slab.first = -(start.x * stride.x + start.y * stride.y + start.z);
  placed.slab.high_shift = shift * stride[axis];
  return placed;
}

}  // namespace

MemoryLayout::MemoryLayout(const Extent& extent, const PerAxis<Thickness>& layers, bool is_multiaxial,
                           std::int64_t halo) {
  std::int64_t together = 0;
  for (const Axis axis : kAxes) {
    Placed placed = place(box_of(extent, layers, axis, is_multiaxial), axis, layers[axis], halo);
    if (is_multiaxial) placed.slab.first += together;
    together += placed.size;
    slabs[axis] = placed.slab;
    sizes[axis] = placed.size;
  }
  if (is_multiaxial) sizes = {together, together, together};
}

}  // namespace muster::seismic

// The same machine in another shape. Each is for the families that have such shapes, and refuses the others.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/machine.h"

namespace muster {

/// The same machine cut to `width` x `height` processors. Throws InputError if it is not a mesh or does not fit.
Machine with_grid(Machine machine, std::int32_t width, std::int32_t height);

/// The same machine with `nodes` nodes. One node has no dimension. More have the fewest dimensions, but at least two,
/// whose sizes (2 or more, none above max_dimension_size) multiply to `nodes`, as even as possible, the largest first:
/// 16 is 4x4, 6 is 3x2, 16384 is 32x32x16 for sizes up to 32. A prime up to max_dimension_size is one dimension.
/// Throws InputError if it is not a hyperx, nodes < 1, too many, or without such a shape (then it names the nearest with one).
Machine with_nodes(Machine machine, std::int64_t nodes);

/// The same machine with this many nodes in each dimension; no dimension: one node. Throws InputError if it is not a hyperx, a
/// size is below 2 or above max_dimension_size, or there are too many. So does with_nodes() where nodes or links have failed and
/// the shape changes, since the numbers would refer to other nodes.
Machine with_shape(Machine machine, const std::vector<std::int32_t>& shape);

}  // namespace muster

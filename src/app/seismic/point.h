// Points off the grid: how they are spread over the nodes around them, for sources, and gathered from them, for receivers.
#pragma once

#include <vector>

#include "app/seismic/axis.h"
#include "app/seismic/volume.h"

namespace muster::seismic {

/// In cells: what is nearer to a node lies on it, so that rounded positions stay where they were meant to be.
inline constexpr double kSameNode = 1e-9;

struct NodeWeight {
  Extent cell;
  double weight = 0;
};

/// How values go on behind the first and the last node of an axis.
struct Continuation {
  bool is_periodic = false;
  int low = 0;  ///< the sign of their mirror image, 1 or -1; 0: there is nothing
  int high = 0;
};

/// The weights of a point at `coordinates` (in cells, from node 0) for values at a location: a sinc under a Kaiser window (Hicks 2002),
/// 8 nodes wide along each axis. A point on a node has that node alone. Nodes outside the grid count as what their values are copies of; else
/// they are left out.
std::vector<NodeWeight> point_weights(const PerAxis<double>& coordinates, Location location, const Extent& extent,
                                      const PerAxis<Continuation>& behind);

}  // namespace muster::seismic

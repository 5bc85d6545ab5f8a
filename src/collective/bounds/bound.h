// Lower bounds: times that no schedule of a stated class can beat.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "collective/algorithm.h"
#include "machine/hyperx.h"

namespace muster {

struct Bound {
  std::string name;
  std::string proves;  ///< for which class of schedules, and by what argument, in one line
  Ticks cycles;
  /// Whether it is proven for the simulated machine. If not, it holds only in a paper's model, and a simulated schedule may be
  /// faster.
  bool for_pipeline = true;
};

/// Every bound that is known for the request: those proven for the pipeline first, then the others; each kind largest
/// first. Empty if none is known. docs/wafer.md, "Lower bounds", has the proofs.
std::vector<Bound> lower_bounds(const Request& request);

// One file for each argument. Nothing if the bound does not apply to the request; a mesh has at least two
// processors.

/// Ports, ramps and hops: for every schedule.
std::optional<Bound> bound_distance_plus_port(const Request& request);
/// Words that all processors together take from the fabric: allreduce.
std::optional<Bound> bound_takes(const Request& request);
/// Words that must cross the middle of the mesh: all-to-all.
std::optional<Bound> bound_bisection(const Request& request);
/// Reduce on a line with messages towards the root: combining takes time, forwarding takes time of links.
std::optional<Bound> bound_space_time(const Request& request);
/// Reduce on a line with messages towards a root inside it: both sides enter through one port.
std::optional<Bound> bound_two_sides(const Request& request);
/// Bytes between groups of NPUs, over the links between them: allreduce, reduce-scatter and allgather on a cluster.
std::optional<Bound> bound_cut(const Request& request);
/// Memory traffic of a core of a HyperX, and the latency of the farthest word: allreduce, reduce, broadcast, barrier.
std::optional<Bound> bound_switch_memory(const Request& request);
std::optional<Bound> bound_switch_distance(const Request& request);
/// Latency to one switch and back: allreduce and barrier.
std::optional<Bound> bound_switch_center(const Request& request);
/// Total link traffic with one vector per node: allreduce.
std::optional<Bound> bound_switch_links(const Request& request);
/// What must pass a core's interfaces, the border of a rectangle of tiles, and the longest way, on a torus: reduce, broadcast, allreduce,
/// reduce-scatter, allgather and all-to-all; the way also for a barrier.
std::optional<Bound> bound_torus_port(const Request& request);
std::optional<Bound> bound_torus_cut(const Request& request);
std::optional<Bound> bound_torus_distance(const Request& request);
/// The paper's bounds for reduce, in its model.
std::optional<Bound> bound_paper_row(const Request& request);
std::optional<Bound> bound_paper_grid(const Request& request);

}  // namespace muster

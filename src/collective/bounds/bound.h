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
  /// Whether it is proven for what the simulator measures. If not, it holds in a paper's model alone, and a schedule may
  /// well run below it.
  bool for_pipeline = true;
};

/// Every bound that is known for the request: those proven for the pipeline first, then the others; each kind largest
/// first. Empty where none is known. docs/wafer.md, "Lower bounds", has the proofs.
std::vector<Bound> lower_bounds(const Request& request);

// One file for each argument. Nothing where the request is not of the kind that the bound is for; a mesh has at least two
// processors.

/// Ports, ramps and hops: for every schedule.
std::optional<Bound> bound_distance_plus_port(const Request& request);
/// Words that must cross the middle of the mesh: all-to-all.
std::optional<Bound> bound_bisection(const Request& request);
/// Reduce on a line by messages towards the root: what combining costs in time and not combining in space.
std::optional<Bound> bound_space_time(const Request& request);
/// Reduce on a line by messages towards a root inside it: both sides come in through one port.
std::optional<Bound> bound_two_sides(const Request& request);
/// Bytes between groups of NPUs, over the links between them: allreduce, reduce-scatter and allgather on a cluster.
std::optional<Bound> bound_cut(const Request& request);
/// What a memory of a HyperX gives and takes, and how long the farthest word travels: allreduce, reduce, broadcast, barrier.
std::optional<Bound> bound_switch_memory(const Request& request);
std::optional<Bound> bound_switch_distance(const Request& request);
/// How long it travels to one switch and back: allreduce and barrier.
std::optional<Bound> bound_switch_center(const Request& request);
/// What all links carry where every node has one vector: allreduce.
std::optional<Bound> bound_switch_links(const Request& request);
/// The paper's bounds for reduce, in its model.
std::optional<Bound> bound_paper_row(const Request& request);
std::optional<Bound> bound_paper_grid(const Request& request);

}  // namespace muster

// A stencil through the pipeline: its schedule proven, lowered, simulated, and its data compared with the reference.
#pragma once

#include "app/stencil/description.h"
#include "plan/stages.h"

namespace muster::stencil {

/// The job that belongs to a stencil on a machine in the shape of its columns and rows.
Job job_of(const Machine& machine, const Description& description);

/// PEs and blocks whose schedule is made and proven as it is: that takes a second or so.
inline constexpr std::int64_t kMostBlocks = 4096;

/// Why a grid is too large to be simulated, or proven, as a whole; nothing if it is not.
std::optional<std::string> too_large(const Description& description, std::int64_t block);

/// Where all simulations of grids are asked for: so many time steps with blocks of so many cells. A refusal where the grid is too large.
Outcome<Run> simulate_grid(const Job& job, const Description& description, std::int64_t block);

/// A small grid with the same columns in which every PE of the description's grid has its like: it has the same neighbours at the same turns
/// and as far from each edge, up to the radius. The grid itself where it is as small.
Description small_grid(const Description& description);

}  // namespace muster::stencil

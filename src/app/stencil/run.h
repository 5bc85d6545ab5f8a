// A stencil through the pipeline: its schedule proven, lowered, simulated, and its data compared with the reference.
#pragma once

#include "app/stencil/description.h"
#include "plan/stages.h"

namespace muster::stencil {

/// The job that belongs to a stencil on a machine in the shape of its columns and rows.
Job job_of(const Machine& machine, const Description& description);

/// Why a grid is too large to be written out as a schedule, or to be simulated PE by PE: that would take more than seconds, or minutes. Nothing if it
/// is not.
std::optional<std::string> too_large_to_write(const Description& description, std::int64_t block);
std::optional<std::string> too_large(const Description& description, std::int64_t block);

/// Whether a simulation takes no more than seconds, so that several can be compared.
bool is_quick(const Description& description, std::int64_t block);

/// Where all simulations of grids are asked for: so many time steps with blocks of so many cells. A grid that is too large is simulated as
/// one without borders, without data, which the result's note says; a refusal where that is not possible.
Outcome<Run> simulate_grid(const Job& job, const Description& description, std::int64_t block);

/// A small grid with the same columns in which every PE of the description's grid has its like: it has the same neighbours at the same turns
/// and as far from each edge, up to the radius. The grid itself where it is as small.
Description small_grid(const Description& description);

/// A small grid whose program can be widened to that of the description's: as much of it as shows that columns and rows repeat.
Description repeating_grid(const Description& description);

}  // namespace muster::stencil

// Lower bounds on the cycles of a stencil's time steps, each with what it proves.
//
// All are about the PE in the middle, whose N neighbours have words that it needs, and about schedules in which a PE computes each of its
// cells from the cells of its neighbours as they are: nobody sends products or partial sums, and nothing that was computed for one cell
// serves another. With T terms per cell (one for each neighbour, the cell itself, those along z, and the cell a step ago):
//
//   instructions  one has two inputs at most, so T - 1 of them combine T terms; and one sends the cell, because it has one destination
//   datapath      an instruction takes a cycle per cell. In the simulated machine one that takes a word from the fabric can add its product
//                 to a sum in memory; published programs for the WSE-2 cannot: there, N more take words and multiply
//   ramp          N words per cell come down, one per cycle, and one goes up
//   memory        every result is written to memory, two words per cycle; what does not come from the fabric is read, four words per cycle
#pragma once

#include <vector>

#include "app/stencil/description.h"
#include "result/answer.h"

namespace muster::stencil {

/// Largest first, those that hold for the simulated machine before the others.
std::vector<BoundAnswer> bounds_of(const Description& description, const Machine& machine);

}  // namespace muster::stencil

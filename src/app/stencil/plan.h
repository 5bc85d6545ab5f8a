// The questions of plan, simulate and explain about a stencil.
#pragma once

#include "app/stencil/description.h"
#include "plan/plan.h"
#include "plan/stages.h"
#include "result/stencil.h"

namespace muster::stencil {

/// What each question is about. The machine is a mesh in the shape of the grid's columns and rows.
struct Asked {
  Machine machine;
  Description description;
  std::uint64_t seed = 1;
  std::function<void(const std::string&)> progress = {};  ///< told what happens now, if set
  bool quick = false;                                     ///< plan: predictions only
};

/// Cells of a block that are worth comparing, those of the fewest blocks that fit first; of a description with a block, that one.
std::vector<std::int64_t> blocks_to_try(const Description& description, Bytes memory);

/// Throws InputError unless the machine is a mesh and the memory holds the column.
void check(const Asked& asked);

/// Candidates differ in their blocks. Those on small grids are simulated; on a large one, the best prediction is, without borders, and is
/// proven and computed on a small grid that contains the same neighbourhoods.
StencilPlanAnswer plan(const Asked& asked);

/// With the blocks that are asked for, or those of the best prediction: proven, simulated and compared with the reference. Throws InputError if the grid is too large.
StencilRunAnswer simulate(const Asked& asked);

StencilExplainAnswer explain(const Asked& asked);

/// The schedule of the same blocks. Throws InputError if the grid is too large to be written out.
Schedule make_schedule(const Asked& asked);

/// What an answer says of the question.
Question question_of(const Asked& asked);
/// "broadcasts": how words reach neighbours.
std::string algorithm_name(const Description& description);
/// The block that is asked for, or that of the best prediction whose schedule can be written out as far as it does not repeat, if there is any.
std::int64_t chosen_block(const Asked& asked);
Job job_of(const Asked& asked);

}  // namespace muster::stencil

// Machines that the algorithms' formulas do not cover: with a start-up of operations, a gap between messages, processors that take less
// than a word per cycle, or a single buffer per color. On these, algorithms are predicted by the steps of their schedules.
#pragma once

#include <cstdint>
#include <limits>

#include "collective/algorithm.h"
#include "machine/mesh.h"

namespace muster {

bool is_beyond_formulas(const Mesh& mesh);

/// The same request of a machine without these costs.
Request as_in_formulas(Request request);

/// The algorithm, predicted by its own cost if that covers the machine, and otherwise by the walk (timed_walk.h), up to this many
/// ranks.
Algorithm walked_beyond_formula(Algorithm algorithm,
                                std::int64_t most_ranks = std::numeric_limits<std::int64_t>::max());

/// Cycles from the first word of a stream to the last one. Routers count space at the start of a cycle, so a single buffer
/// is empty for one cycle after each forwarded word: with h cycles per hop, h of h + 1 cycles carry a word.
std::int64_t stream_spread(std::int64_t words, const Mesh& mesh);

/// The same between the cycles in which a processor takes the two words: not more often than its receive interval.
std::int64_t taken_spread(std::int64_t words, const Mesh& mesh);

}  // namespace muster

// Where the players of exchanges sit: on the workers in their natural order, or so that partners are near each other on the machine at
// hand, with its columns and rows that have no workers.
//
// Rows and columns of players are put into another order each. A message stays in its row or column, so the axes are independent. An order costs,
// in every step, the messages on the busiest link and the hops of the longest way; the search goes from the natural order from one exchange of
// two rows (columns) to the next, as long as that is better.
#pragma once

#include <cstdint>
#include <vector>

#include "collective/algorithm.h"
#include "collective/torus/matchings.h"
#include "collective/torus/players.h"

namespace muster {

/// "placement". It makes sense for recursive doubling: for Swing, whose partners are neighbours on a ring, no order is better than the natural
/// one on any machine that was tried (matchings_test.cpp).
ParameterSpec placement_parameter();
/// Whether it is given and near.
bool is_placed_near(const Parameters& parameters);

/// The players in the better order for these steps; `bytes` of a message in each.
TorusPlayers near_players(const Torus& torus, TorusPlayers players, const std::vector<Matching>& steps,
                          const std::vector<double>& bytes);

}  // namespace muster

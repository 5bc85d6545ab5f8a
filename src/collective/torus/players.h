// Any number of ranks: those of the largest grid whose sides are powers of two are players; the others are folded into it.
//
// First, ranks of columns beyond the largest power of two send to the player so many columns before them; then, ranks of rows beyond
// it likewise. At the end, results go back in the reverse order. The last row may be short: it is folded if it lacks a player.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/torus.h"

namespace muster {

/// A rank that takes no part in exchanges, and the one that it sends to.
struct Folded {
  NodeId rank = 0;
  NodeId into = 0;
  bool operator==(const Folded&) const = default;
};

struct TorusPlayers {
  std::int32_t columns = 1;
  std::int32_t rows = 1;
  std::vector<NodeId> ranks;               ///< of the players, row by row
  std::vector<std::vector<Folded>> folds;  ///< one list after the other
  [[nodiscard]] std::int32_t count() const { return columns * rows; }
};

TorusPlayers players_of(const Torus& torus);

/// The same with `rank` as a player: if it is none, it exchanges roles with the player that it is folded into.
TorusPlayers with_player(TorusPlayers players, NodeId rank);

/// The ranks that are folded into `rank`, directly or not, and itself.
std::vector<NodeId> represented_by(const TorusPlayers& players, NodeId rank);

}  // namespace muster

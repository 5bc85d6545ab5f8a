// Rounds of pairwise exchanges among players, and of folding the other ranks into them.
#pragma once

#include <functional>
#include <vector>

#include "collective/torus/matchings.h"
#include "collective/torus/players.h"
#include "collective/torus/tile_rounds.h"

namespace muster {

using TileRounds = std::vector<TileRound>;
void append(TileRounds& rounds, TileRounds more);

/// Ranks that are no players send `what`, which is combined with what the others have; and get it back, to store it.
TileRounds fold_rounds(const TorusPlayers& players, SpanId what);
TileRounds unfold_rounds(const TorusPlayers& players, SpanId what);
/// The same where every rank sends or gets blocks of its own, which are not combined.
using SpanOfRank = std::function<SpanId(NodeId rank)>;
TileRounds collect_rounds(const TorusPlayers& players, const SpanOfRank& what);
TileRounds hand_out_rounds(const TorusPlayers& players, const SpanOfRank& what);

/// In every step, partners exchange `what` as a whole.
TileRounds doubling_rounds(const TorusPlayers& players, const std::vector<Matching>& steps, SpanId what);

/// A tree of steps that ends at `root`, a player: everybody's `what` is combined on the way. And the way back: the root's goes to all.
TileRounds to_root_rounds(const TorusPlayers& players, const std::vector<Matching>& steps, SpanId what, NodeId root);
TileRounds from_root_rounds(const TorusPlayers& players, const std::vector<Matching>& steps, SpanId what, NodeId root);

/// Which block each player owns if the first `halvings` steps cut the vector into 2^halvings blocks; -1: none. Of the players that end
/// up with the same block, one owns it. Blocks are in the order of `number`.
std::vector<std::int32_t> block_owners(const std::vector<Matching>& steps, std::size_t halvings,
                                       const std::vector<std::int32_t>& number);

/// A vector in one block (of one or more ranges) for each player.
class BlockExchange {
 public:
  using Blocks = std::function<std::vector<Range>(std::int32_t player)>;
  BlockExchange(ScheduleBuilder& builder, const TorusPlayers& players, const std::vector<Matching>& steps,
                const Blocks& blocks);

  /// Every player ends up with its block of the combination. In step k, it sends the blocks that its partner is responsible for from then
  /// on: S_{k+1} of the partner (matchings.h).
  [[nodiscard]] TileRounds reduce_scatter() const;
  /// The same steps backwards: from its own block to all of them.
  [[nodiscard]] TileRounds allgather() const;
  /// An allreduce whose first `halvings` steps are those of reduce_scatter(), and whose last ones are those of allgather(). In the steps
  /// between, partners exchange all that they are responsible for. So 0 halvings are latency-optimal, and as many as there are steps
  /// bandwidth-optimal.
  [[nodiscard]] TileRounds allreduce(std::size_t halvings) const;
  /// Those of allgather() that lead to `root`, a player.
  [[nodiscard]] TileRounds gather(NodeId root) const;
  /// Those backwards: the root's blocks go to their players.
  [[nodiscard]] TileRounds scatter(NodeId root) const;

 private:
  [[nodiscard]] NodeId rank(std::int32_t player) const;
  [[nodiscard]] SpanId responsible(std::size_t step, std::int32_t player) const;
  const TorusPlayers& players_;
  const std::vector<Matching>& steps_;
  std::vector<std::vector<SpanId>> spans_;  ///< [k][n]: S_k(n)
};

}  // namespace muster

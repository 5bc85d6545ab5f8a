#include "collective/torus/players.h"

#include <algorithm>
#include <bit>
#include <map>

#include "base/index.h"

namespace muster {
namespace {

std::int32_t power_of_two_in(std::int32_t number) {
  return static_cast<std::int32_t>(std::bit_floor(static_cast<std::uint32_t>(number)));
}

/// Who each rank sends to: itself if it is a player.
std::map<NodeId, NodeId> folded_into(const TorusPlayers& players) {
  std::map<NodeId, NodeId> into;
  for (const std::vector<Folded>& fold : players.folds) {
    for (const Folded& folded : fold) into[folded.rank] = folded.into;
  }
  return into;
}

NodeId player_of(const std::map<NodeId, NodeId>& into, NodeId rank) {
  for (auto found = into.find(rank); found != into.end(); found = into.find(rank)) rank = found->second;
  return rank;
}

}  // namespace

TorusPlayers players_of(const Torus& torus) {
  const NodeId ranks = rank_count(torus);
  const std::int32_t width = used_columns(torus);
  TorusPlayers players{.columns = power_of_two_in(width), .rows = 1, .ranks = {}, .folds = {}};
  std::vector<Folded> columns;
  for (NodeId rank = 0; rank < ranks; ++rank) {
    if (rank % width >= players.columns) columns.push_back({.rank = rank, .into = rank - players.columns});
  }
  const bool last_row_is_whole = ranks % width == 0 || ranks % width >= players.columns;
  players.rows = power_of_two_in(used_rows(torus) - (last_row_is_whole ? 0 : 1));
  std::vector<Folded> rows;
  for (NodeId rank = 0; rank < ranks; ++rank) {
    if (rank % width >= players.columns) continue;
    if (rank / width < players.rows) {
      players.ranks.push_back(rank);
    } else {
      rows.push_back({.rank = rank, .into = rank - players.rows * width});
    }
  }
  for (std::vector<Folded>& fold : {std::ref(columns), std::ref(rows)}) {
    if (!fold.empty()) players.folds.push_back(std::move(fold));
  }
  return players;
}

TorusPlayers with_player(TorusPlayers players, NodeId rank) {
  const NodeId player = player_of(folded_into(players), rank);
  const auto exchanged = [&](NodeId& role) { role = role == rank ? player : role == player ? rank : role; };
  for (NodeId& role : players.ranks) exchanged(role);
  for (std::vector<Folded>& fold : players.folds) {
    for (Folded& folded : fold) {
      exchanged(folded.rank);
      exchanged(folded.into);
    }
  }
  return players;
}

std::vector<NodeId> represented_by(const TorusPlayers& players, NodeId rank) {
  std::vector<NodeId> ranks{rank};
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    for (const std::vector<Folded>& fold : players.folds) {
      for (const Folded& folded : fold) {
        if (folded.into == ranks[i]) ranks.push_back(folded.rank);
      }
    }
  }
  std::sort(ranks.begin(), ranks.end());
  return ranks;
}

}  // namespace muster

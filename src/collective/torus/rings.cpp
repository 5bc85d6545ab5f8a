#include "collective/torus/rings.h"

#include <algorithm>
#include <numeric>

namespace muster {
namespace {

/// In round t, rank i sends block i - first - t.
TileRounds around(const Ring& ring, std::size_t first, const TileMessage& like) {
  const std::size_t ranks = ring.ranks.size();
  TileRounds rounds;
  for (std::size_t t = 0; t + 1 < ranks; ++t) {
    TileRound& round = rounds.emplace_back();
    for (std::size_t i = 0; i < ranks; ++i) {
      TileMessage message = like;
      message.from = ring.ranks[i];
      message.to = ring.ranks[(i + 1) % ranks];
      message.what = ring.blocks[(i + 2 * ranks - first - t) % ranks];
      message.noc = ring.noc;
      round.push_back(message);
    }
  }
  return rounds;
}

}  // namespace

TileRounds ring_reduce_scatter(const Ring& ring, Buffer from) {
  TileRounds rounds = around(ring, 1, {.combine = true, .sent = Buffer::output, .own = from});
  if (rounds.empty()) return rounds;
  for (TileMessage& message : rounds.front()) message.sent = from;
  return rounds;
}

TileRounds ring_allgather(const Ring& ring) { return around(ring, 0, {.sent = Buffer::output}); }

void join(TileRounds& rounds, const TileRounds& others) {
  if (rounds.size() < others.size()) rounds.resize(others.size());
  for (std::size_t k = 0; k < others.size(); ++k) {
    rounds[k].insert(rounds[k].end(), others[k].begin(), others[k].end());
  }
}

std::vector<NodeId> ring_of_all(NodeId ranks, int noc) {
  std::vector<NodeId> order(static_cast<std::size_t>(ranks));
  std::iota(order.begin(), order.end(), 0);
  if (noc == 1) std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace muster

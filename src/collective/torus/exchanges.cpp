#include "collective/torus/exchanges.h"

#include <algorithm>
#include <iterator>

#include "base/index.h"

namespace muster {
namespace {

std::int32_t player_with(const TorusPlayers& players, NodeId rank) {
  const auto found = std::find(players.ranks.begin(), players.ranks.end(), rank);
  MUSTER_ASSERT(found != players.ranks.end(), "rank {} is no player", rank);
  return static_cast<std::int32_t>(found - players.ranks.begin());
}

/// From `root` alone to everybody: to each of `reached`, in step `step`, its partner is added. visit(one of them, its partner).
template <class Visit>
void spread(std::vector<std::int32_t>& reached, const Matching& step, Visit visit) {
  const std::size_t before = reached.size();
  for (std::size_t i = 0; i < before; ++i) {
    reached.push_back(step[at(reached[i])]);
    visit(reached[i], reached.back());
  }
}

}  // namespace

void append(TileRounds& rounds, TileRounds more) {
  rounds.insert(rounds.end(), std::move_iterator(more.begin()), std::move_iterator(more.end()));
}

TileRounds collect_rounds(const TorusPlayers& players, const SpanOfRank& what) {
  TileRounds rounds;
  for (const std::vector<Folded>& fold : players.folds) {
    TileRound& round = rounds.emplace_back();
    for (const Folded& folded : fold) {
      round.push_back({.from = folded.rank, .to = folded.into, .what = what(folded.rank)});
    }
  }
  return rounds;
}

TileRounds hand_out_rounds(const TorusPlayers& players, const SpanOfRank& what) {
  TileRounds rounds = collect_rounds(players, what);
  std::reverse(rounds.begin(), rounds.end());
  for (TileRound& round : rounds) {
    for (TileMessage& message : round) std::swap(message.from, message.to);
  }
  return rounds;
}

TileRounds fold_rounds(const TorusPlayers& players, SpanId what) {
  TileRounds rounds = collect_rounds(players, [&](NodeId) { return what; });
  for (TileRound& round : rounds) {
    for (TileMessage& message : round) message.combine = true;
  }
  return rounds;
}

TileRounds unfold_rounds(const TorusPlayers& players, SpanId what) {
  return hand_out_rounds(players, [&](NodeId) { return what; });
}

TileRounds doubling_rounds(const TorusPlayers& players, const std::vector<Matching>& steps, SpanId what) {
  TileRounds rounds;
  for (const Matching& step : steps) {
    TileRound& round = rounds.emplace_back();
    for (std::size_t n = 0; n < step.size(); ++n) {
      round.push_back({.from = players.ranks[n], .to = players.ranks[at(step[n])], .what = what, .combine = true});
    }
  }
  return rounds;
}

TileRounds to_root_rounds(const TorusPlayers& players, const std::vector<Matching>& steps, SpanId what, NodeId root) {
  TileRounds rounds = from_root_rounds(players, steps, what, root);
  std::reverse(rounds.begin(), rounds.end());
  for (TileRound& round : rounds) {
    for (TileMessage& message : round) {
      std::swap(message.from, message.to);
      message.combine = true;
    }
  }
  return rounds;
}

TileRounds from_root_rounds(const TorusPlayers& players, const std::vector<Matching>& steps, SpanId what, NodeId root) {
  TileRounds rounds;
  std::vector<std::int32_t> reached{player_with(players, root)};
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    TileRound& round = rounds.emplace_back();
    spread(reached, *step, [&](std::int32_t from, std::int32_t to) {
      round.push_back({.from = players.ranks[at(from)], .to = players.ranks[at(to)], .what = what});
    });
  }
  return rounds;
}

std::vector<std::int32_t> block_owners(const std::vector<Matching>& steps, std::size_t halvings,
                                       const std::vector<std::int32_t>& number) {
  const auto players = static_cast<std::int32_t>(number.size());
  std::vector<std::int32_t> first;  // by player: the lowest number of those that end up with the same block
  for (const auto& same : reached_from(steps, halvings, players)) {
    std::int32_t least = players;
    for (const std::int32_t n : same) least = std::min(least, number[at(n)]);
    first.push_back(least);
  }
  std::vector<std::int32_t> firsts = first;
  std::sort(firsts.begin(), firsts.end());
  firsts.erase(std::unique(firsts.begin(), firsts.end()), firsts.end());
  std::vector<std::int32_t> owned;
  for (std::int32_t n = 0; n < players; ++n) {
    const auto block = std::lower_bound(firsts.begin(), firsts.end(), first[at(n)]) - firsts.begin();
    owned.push_back(first[at(n)] == number[at(n)] ? static_cast<std::int32_t>(block) : -1);
  }
  return owned;
}

BlockExchange::BlockExchange(ScheduleBuilder& builder, const TorusPlayers& players, const std::vector<Matching>& steps,
                             const Blocks& blocks)
    : players_(players), steps_(steps) {
  std::vector<std::vector<Range>> own;
  for (std::int32_t n = 0; n < players.count(); ++n) own.push_back(blocks(n));
  for (std::size_t k = 0; k <= steps.size(); ++k) {
    std::vector<SpanId>& spans = spans_.emplace_back();
    for (const std::vector<std::int32_t>& reached : reached_from(steps, k, players.count())) {
      std::vector<Range> ranges;
      for (const std::int32_t n : reached) ranges.insert(ranges.end(), own[at(n)].begin(), own[at(n)].end());
      std::erase_if(ranges, [](const Range& range) { return range.count == 0; });
      std::sort(ranges.begin(), ranges.end());
      spans.push_back(builder.span(ranges));
    }
  }
}

NodeId BlockExchange::rank(std::int32_t player) const { return players_.ranks[at(player)]; }

SpanId BlockExchange::responsible(std::size_t step, std::int32_t player) const { return spans_[step][at(player)]; }

TileRounds BlockExchange::reduce_scatter() const {
  TileRounds rounds;
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    TileRound& round = rounds.emplace_back();
    for (std::int32_t n = 0; n < players_.count(); ++n) {
      const std::int32_t partner = steps_[k][at(n)];
      round.push_back({.from = rank(n), .to = rank(partner), .what = responsible(k + 1, partner), .combine = true});
    }
  }
  return rounds;
}

TileRounds BlockExchange::allgather() const {
  TileRounds rounds;
  for (std::size_t k = steps_.size(); k-- > 0;) {
    TileRound& round = rounds.emplace_back();
    for (std::int32_t n = 0; n < players_.count(); ++n) {
      round.push_back({.from = rank(n), .to = rank(steps_[k][at(n)]), .what = responsible(k + 1, n)});
    }
  }
  return rounds;
}

TileRounds BlockExchange::allreduce(std::size_t halvings) const {
  TileRounds rounds = reduce_scatter();
  rounds.resize(halvings);
  for (std::size_t k = halvings; k < steps_.size(); ++k) {
    TileRound& round = rounds.emplace_back();
    for (std::int32_t n = 0; n < players_.count(); ++n) {
      round.push_back(
          {.from = rank(n), .to = rank(steps_[k][at(n)]), .what = responsible(halvings, n), .combine = true});
    }
  }
  TileRounds back = allgather();
  back.erase(back.begin(), back.end() - static_cast<std::ptrdiff_t>(halvings));
  append(rounds, std::move(back));
  return rounds;
}

TileRounds BlockExchange::gather(NodeId root) const {
  TileRounds rounds = scatter(root);
  std::reverse(rounds.begin(), rounds.end());
  for (TileRound& round : rounds) {
    for (TileMessage& message : round) std::swap(message.from, message.to);
  }
  return rounds;
}

TileRounds BlockExchange::scatter(NodeId root) const {
  TileRounds rounds;
  std::vector<std::int32_t> reached{player_with(players_, root)};
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    TileRound& round = rounds.emplace_back();
    spread(reached, steps_[k], [&](std::int32_t from, std::int32_t to) {
      round.push_back({.from = rank(from), .to = rank(to), .what = responsible(k + 1, to)});
    });
  }
  return rounds;
}

}  // namespace muster

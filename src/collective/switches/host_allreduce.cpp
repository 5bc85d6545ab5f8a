// Host-based allreduce: cores exchange messages in rounds, and switches only forward them. What in-network reduction is
// compared with.
//
// Of P cores, the largest power of two participate in the rounds; before, each of the others sends its vector to the next core, and
// receives the result from it after. In round k, core number c exchanges with c xor 2^k.
//   recursive doubling  whole vectors, log2 P rounds: the fewest.
//   Rabenseifner        halves, then halves of halves, and so on: every core ends up with a part of the sum; then all parts go
//                       back the same way. 2 log2 P rounds, but every core sends its vector only twice.
// Cost (host_based.h) by rounds. Source: the baselines of "Accelerating Allreduce with in-network reduction on Intel PIUMA".
#include <algorithm>
#include <bit>

#include "base/index.h"
#include "collective/algorithms.h"
#include "collective/switches/host_based.h"

namespace muster {
namespace {

/// Who takes part in rounds.
class Players {
 public:
  explicit Players(std::int64_t cores)
      : count_(static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(cores)))),
        surplus_(cores - count_) {}
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] int rounds() const { return std::countr_zero(static_cast<std::uint64_t>(count_)); }
  /// Cores that take no part: the even ones of the first 2 * surplus().
  [[nodiscard]] std::int64_t surplus() const { return surplus_; }
  /// The index of a player among the cores.
  [[nodiscard]] std::int64_t index(std::int64_t player) const {
    return player < surplus_ ? 2 * player + 1 : player + surplus_;
  }

 private:
  std::int64_t count_;
  std::int64_t surplus_;
};

/// The halves of a range: bit 0 keeps the lower one.
Range half(Range range, bool upper) {
  const std::int64_t lower = range.count / 2;
  return upper ? Range{range.first + lower, range.count - lower} : Range{range.first, lower};
}

/// Writes the steps of one group.
class HostWriter {
 public:
  HostWriter(ScheduleBuilder& builder, std::span<const NodeId> cores, std::int64_t count)
      : b_(builder), cores_(cores), players_(static_cast<std::int64_t>(cores.size())), all_{0, count} {
    held_in_.assign(cores.size(), Buffer::input);
  }

  void recursive_doubling() {
    fold();
    for (int k = 0; k < players_.rounds(); ++k) {
      for_each_pair(k, [&](std::int64_t a, std::int64_t b) { exchange(a, b, all_, all_); });
    }
    unfold();
  }

  void rabenseifner() {
    fold();
    std::vector<Range> part(at(players_.count()), all_);
    for (int k = 0; k < players_.rounds(); ++k) {
      for_each_pair(k, [&](std::int64_t a, std::int64_t b) {
        const Range whole = part[at(a)];
        part[at(a)] = half(whole, false);
        part[at(b)] = half(whole, true);
        exchange(a, b, part[at(a)], part[at(b)]);
      });
    }
    for (int k = players_.rounds() - 1; k >= 0; --k) {
      for_each_pair(k, [&](std::int64_t a, std::int64_t b) {
        swap_parts(a, b, part[at(a)], part[at(b)]);
        part[at(a)].count += part[at(b)].count;
        part[at(b)] = part[at(a)];
      });
    }
    unfold();
  }

 private:
  /// visit(a, b) for the players whose numbers differ in bit k, the lower first.
  template <class Visit>
  void for_each_pair(int k, Visit visit) {
    for (std::int64_t a = 0; a < players_.count(); ++a) {
      if ((a >> k & 1) == 0) visit(a, a | std::int64_t{1} << k);
    }
  }

  [[nodiscard]] NodeId core(std::int64_t index) const { return cores_[at(index)]; }
  [[nodiscard]] SpanId span(Range range) { return b_.span(range); }

  void fold() {
    const SpanId all = span(all_);
    for (std::int64_t i = 0; i < players_.surplus(); ++i) {
      const StreamId stream = b_.stream(core(2 * i), core(2 * i + 1), all);
      b_.step(core(2 * i), all).own(Buffer::input).push(stream);
      b_.step(core(2 * i + 1), all).take(stream).own(Buffer::input).store(Buffer::output);
      held_in_[at(2 * i + 1)] = Buffer::output;
    }
  }

  void unfold() {
    const SpanId all = span(all_);
    for (std::int64_t i = 0; i < players_.surplus(); ++i) {
      const StreamId stream = b_.stream(core(2 * i + 1), core(2 * i), all);
      b_.step(core(2 * i + 1), all).own(Buffer::output).push(stream);
      b_.step(core(2 * i), all).take(stream).store(Buffer::output);
    }
  }

  /// Player a gets the sum of both in the range `a_keeps`, b in `b_keeps`. Both add in the same order, so that whole vectors
  /// stay the same at all cores, bit by bit.
  void exchange(std::int64_t a, std::int64_t b, Range a_keeps, Range b_keeps) {
    const StreamId to_a = stream(b, a, a_keeps);
    const StreamId to_b = stream(a, b, b_keeps);
    combine({.player = a, .keeps = a_keeps, .sends = b_keeps, .from = to_a, .to = to_b, .is_first = true});
    combine({.player = b, .keeps = b_keeps, .sends = a_keeps, .from = to_b, .to = to_a, .is_first = false});
  }

  static constexpr StreamId kNoStream = -1;

  /// None where there is nothing to send.
  StreamId stream(std::int64_t from, std::int64_t to, Range range) {
    if (range.count == 0) return kNoStream;
    return b_.stream(core(players_.index(from)), core(players_.index(to)), span(range));
  }

  struct Half {
    std::int64_t player = 0;
    Range keeps;
    Range sends;
    StreamId from = 0;
    StreamId to = 0;
    bool is_first = false;  ///< in the order of additions
  };

  void combine(const Half& half) {
    const std::int64_t index = players_.index(half.player);
    Buffer& held_in = held_in_[at(index)];
    if (half.from == kNoStream) {
      if (half.to != kNoStream) b_.step(core(index), span(half.sends)).own(held_in).push(half.to);
    } else {
      auto step = b_.step(core(index), span(half.keeps));
      if (half.is_first) step.own(held_in);
      step.take(half.from);
      if (!half.is_first) step.own(held_in);
      step.store(Buffer::output);
      if (half.to != kNoStream) step.send_old(held_in, span(half.sends)).push(half.to);
    }
    held_in = Buffer::output;
  }

  /// Player a has the range `of_a` of the result, b the next one: both get both.
  void swap_parts(std::int64_t a, std::int64_t b, Range of_a, Range of_b) {
    const StreamId to_a = stream(b, a, of_b);
    const StreamId to_b = stream(a, b, of_a);
    pass({.player = a, .keeps = of_b, .sends = of_a, .from = to_a, .to = to_b});
    pass({.player = b, .keeps = of_a, .sends = of_b, .from = to_b, .to = to_a});
  }

  void pass(const Half& half) {
    const NodeId here = core(players_.index(half.player));
    if (half.from == kNoStream) {
      if (half.to != kNoStream) b_.step(here, span(half.sends)).own(Buffer::output).push(half.to);
      return;
    }
    auto step = b_.step(here, span(half.keeps)).take(half.from).store(Buffer::output);
    if (half.to != kNoStream) step.send_old(Buffer::output, span(half.sends)).push(half.to);
  }

  ScheduleBuilder& b_;
  std::span<const NodeId> cores_;
  Players players_;
  Range all_;
  std::vector<Buffer> held_in_;  ///< by index: where the sum so far lies
};

/// Adds the rounds before and after those of the players.
std::vector<HostRound> with_surplus(std::vector<HostRound> rounds, const Players& players, std::int64_t count) {
  if (players.surplus() == 0) return rounds;
  const auto pair = [](std::int64_t i) { return std::pair{2 * i, 2 * i + 1}; };
  rounds.insert(rounds.begin(), {.pair = pair, .pairs = players.surplus(), .sent = count, .combined = count});
  rounds.push_back({.pair = pair, .pairs = players.surplus(), .sent = count, .combined = 0});
  return rounds;
}

HostRound round_of(const Players& players, int k, std::int64_t sent, std::int64_t combined) {
  const auto pair = [players, k](std::int64_t i) {
    const std::int64_t low = i & ((std::int64_t{1} << k) - 1);
    const std::int64_t a = (i >> k << (k + 1)) | low;
    return std::pair{players.index(a), players.index(a | std::int64_t{1} << k)};
  };
  return {.pair = pair, .pairs = players.count() / 2, .sent = sent, .combined = combined};
}

using Rounds = std::vector<HostRound> (*)(const Players&, std::int64_t);

std::vector<HostRound> doubling_rounds(const Players& players, std::int64_t count) {
  std::vector<HostRound> rounds;
  for (int k = 0; k < players.rounds(); ++k) rounds.push_back(round_of(players, k, count, count));
  return with_surplus(std::move(rounds), players, count);
}

std::vector<HostRound> rabenseifner_rounds(const Players& players, std::int64_t count) {
  std::vector<HostRound> rounds;
  std::int64_t longest = count;
  for (int k = 0; k < players.rounds(); ++k) {
    longest = (longest + 1) / 2;
    rounds.push_back(round_of(players, k, longest, longest));
  }
  for (int k = players.rounds() - 1; k >= 0; --k) {
    rounds.push_back(round_of(players, k, rounds[at(k)].sent, 0));
  }
  return with_surplus(std::move(rounds), players, count);
}

Algorithm allreduce(Algorithm named, void (HostWriter::*write)(), Rounds rounds) {
  named.collective = Collective::allreduce;
  named.cost_tolerance = {.fraction = 0.06};  // no core has the longest way in every round
  named.source = "Accelerating Allreduce with in-network reduction on Intel PIUMA, \"Allreduce\" and \"Setup\"";
  return host_based(
      std::move(named),
      [write](ScheduleBuilder& builder, std::span<const NodeId> cores, std::int64_t count) {
        HostWriter writer(builder, cores, count);
        (writer.*write)();
      },
      [rounds](std::int64_t cores, std::int64_t count) { return rounds(Players(cores), count); });
}

}  // namespace

Algorithm allreduce_recursive_doubling() {
  return allreduce(
      {.name = "recursive-doubling", .summary = "cores exchange whole vectors with partners at doubling distances"},
      &HostWriter::recursive_doubling, doubling_rounds);
}

Algorithm allreduce_rabenseifner() {
  return allreduce(
      {.name = "rabenseifner", .summary = "reduce-scatter by recursive halving, then allgather by recursive doubling"},
      &HostWriter::rabenseifner, rabenseifner_rounds);
}

}  // namespace muster

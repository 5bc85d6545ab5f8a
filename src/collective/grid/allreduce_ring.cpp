// Ring: the vector is cut into P chunks that travel around a ring of all PEs, first to be added up, then to be spread.
//
// Steps: in each of P - 1 rounds every PE sends the chunk that it added to in the round before, and adds its own to the
// one that it is sent; then every PE has one chunk of the sum. In P - 1 more rounds it sends on what it was sent last, and
// stores. The chunks are as even as the count allows; of fewer words than PEs some are empty, and no PE sends those.
// A row is no ring. `ring` sends to the next PE, and from the last one back over the whole row; `ring-folded` visits every
// second PE on the way out and the others on the way back, so that no message goes farther than two hops. Busiest link: one
// chunk per round and direction; every port sends and takes 2 (P - 1) / P B words: best for vectors much longer than the row.
// Source: Near-Optimal Wafer-Scale Reduce (HPDC'24), §6.2, Figure 7, and Lemma 6.1 for the largest chunk,
// 2 (P - 1) B / P + 4 P - 6 + 2 (P - 1)(2 T_R + 1), the same for both. The lemma lets a PE send and take a word in one cycle.
// Here its datapath handles one word per cycle, so a round of chunks of c words takes 2 c cycles, or, if that is more, the
// c + 2 T_R + 2 cycles until the neighbour has it: the cost (ours) is 2 (P - 1) such rounds.
#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "base/index.h"
#include "base/saturating.h"
#include "collective/algorithms.h"
#include "machine/mesh.h"
#include "machine/routing.h"

namespace muster {

namespace {

using RingOrder = std::vector<NodeId>;

RingOrder in_order(NodeId nodes) {
  RingOrder ring;
  for (NodeId node = 0; node < nodes; ++node) ring.push_back(node);
  return ring;
}

RingOrder folded(NodeId nodes) {
  RingOrder ring;
  for (NodeId node = 0; node < nodes; node += 2) ring.push_back(node);
  for (NodeId node = nodes - 1 - nodes % 2; node > 0; node -= 2) ring.push_back(node);
  return ring;
}

/// The schedule while it is written, round by round.
class RingWriter {
 public:
  RingWriter(const RingOrder& ring, std::int64_t count)
      : ring_(&ring),
        size_(static_cast<std::int32_t>(ring.size())),
        count_(count),
        b_({.nodes = size_, .count = count}) {
    for (std::int32_t chunk = 0; chunk < size_; ++chunk) {
      const Range range = block(count, size_, chunk);
      chunks_.push_back(b_.span(range));
      words_.push_back(range.count);
    }
  }

  Schedule write() && {
    if (size_ == 1) b_.step(0, chunks_[0]).own(Buffer::input).store(Buffer::output);
    for (std::int32_t round = 0; round + 1 < size_; ++round) {
      write_round(-round, round == 0 ? Buffer::input : Buffer::output, /*adds=*/true);
    }
    for (std::int32_t round = 0; round + 1 < size_; ++round) write_round(1 - round, Buffer::output, /*adds=*/false);
    b_.contract({.collective = Collective::allreduce, .ranks = in_order(size_), .root = 0, .count = count_});
    return std::move(b_).finish();
  }

 private:
  /// Position p sends chunk p + `lead` from `sent` to position p + 1.
  void write_round(std::int32_t lead, Buffer sent, bool adds) {
    std::vector<StreamId> streams;
    for (std::int32_t p = 0; p < size_; ++p) {
      const std::int32_t chunk = wrapped(p + lead);
      streams.push_back(words_[at(chunk)] == 0 ? kOwn : b_.stream(node(p), node(p + 1), chunks_[at(chunk)]));
    }
    for (std::int32_t p = 0; p < size_; ++p) {
      write_step({.position = p, .lead = lead, .sent = sent, .adds = adds}, streams[at(p)],
                 streams[at(wrapped(p - 1))]);
    }
  }

  struct Turn {
    std::int32_t position, lead;
    Buffer sent;
    bool adds;
  };
  /// `out` and `in` are kOwn where the chunk is empty.
  void write_step(const Turn& turn, StreamId out, StreamId in) {
    const SpanId sent = chunks_[at(wrapped(turn.position + turn.lead))];
    if (in == kOwn) {
      if (out != kOwn) b_.step(node(turn.position), sent).own(turn.sent).push(out);
      return;
    }
    auto step = b_.step(node(turn.position), chunks_[at(wrapped(turn.position + turn.lead - 1))]);
    if (turn.adds) step.own(Buffer::input);
    step.take(in).store(Buffer::output);
    if (out != kOwn) step.send_old(turn.sent, sent).push(out);
  }

  [[nodiscard]] std::int32_t wrapped(std::int32_t p) const { return ((p % size_) + size_) % size_; }
  [[nodiscard]] NodeId node(std::int32_t position) const { return (*ring_)[at(wrapped(position))]; }

  const RingOrder* ring_;
  std::int32_t size_;
  std::int64_t count_;
  ScheduleBuilder b_;
  std::vector<SpanId> chunks_;
  std::vector<std::int64_t> words_;
};

Cycles cost(const Request& request, const Parameters&) {
  const std::int64_t nodes = rank_count(request.machine);
  if (nodes == 1) return copy_cycles(request.count);
  const Mesh& mesh = *as<Mesh>(request.machine);
  const std::int64_t chunk = block(request.count, nodes, 0).count;
  const std::int64_t arrival = 2 * mesh.ramp_latency.value() + mesh.hop_latency.value() + 1;
  return Cycles(saturating_product(2 * (nodes - 1), std::max(2 * chunk, chunk + arrival)));
}

Cycles lemma(const Request& request, const Parameters&) {
  const std::int64_t nodes = rank_count(request.machine);
  if (nodes == 1) return copy_cycles(request.count);
  const std::int64_t rounds = 2 * (nodes - 1);
  const std::int64_t words = saturating_product(rounds, block(request.count, nodes, 0).count);
  return model_cycles({.depth = rounds,
                       .distance = 2 * (rounds - 1),
                       .energy = saturating_product(words, rounds),
                       .contention = words,
                       .links = rounds},
                      *as<Mesh>(request.machine));
}

Algorithm ring_algorithm(std::string name, std::string summary, const std::function<RingOrder(NodeId)>& order) {
  return {.collective = Collective::allreduce,
          .name = std::move(name),
          .family = "mesh",
          .summary = std::move(summary),
          .source = "Near-Optimal Wafer-Scale Reduce (HPDC'24), §6.2",
          .parameters = {},
          .unsupported = unless_line,
          .make =
              [order](const Request& request, const Parameters&) {
                const RingOrder ring = order(rank_count(request.machine));
                return RingWriter(ring, request.count).write();
              },
          .cost = cost,
          .cost_tolerance = {.fraction = 0.2, .cycles = Cycles(8)},
          .paper_cost = lemma};
}

}  // namespace

Algorithm allreduce_ring() {
  return ring_algorithm("ring", "chunks travel around a ring; the last PE sends back to the first across the whole row",
                        in_order);
}

Algorithm allreduce_ring_folded() {
  return ring_algorithm("ring-folded",
                        "chunks travel around a folded ring: out over every second PE, back over the others", folded);
}

}  // namespace muster

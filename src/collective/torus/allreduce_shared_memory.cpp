// Allreduce through DRAM, which all cores share:
//   1. every core writes its vector to DRAM;
//   2. barrier among the cores;
//   3. every core reads its block of all other vectors, combines them with its own, and writes the result to DRAM;
//   4. barrier;
//   5. every core reads the whole result.
// P vectors are written, and 2 P read. The banks share the work: each holds some consecutive blocks of all vectors. Thesis, section 5.3
// and listing A.7, with one bank.
//
// A bank is a node that stores and sends: streams to it are writes of cores, streams from it are their reads.
#include <algorithm>

#include "base/index.h"
#include "base/saturating.h"
#include "collective/algorithms.h"
#include "collective/torus/tile_blocks.h"
#include "collective/torus/tokens.h"
#include "collective/torus/torus_algorithm.h"
#include "machine/routing.h"

namespace muster {
namespace {

constexpr int kBarriers = 2;

std::int64_t bank_count(const Request& request) {
  return static_cast<std::int64_t>(as<Torus>(request.machine)->dram.banks.size());
}

/// Words of a bank for the vectors of all ranks, up to the next tile.
std::int64_t vector_words(const Request& request) {
  return saturating_product(saturating_product(tiles_of(request), tile_words(request)), rank_count(request.machine));
}

std::int64_t token_tile(const Request& request) { return std::min(request.count, tile_words(request)); }

class SharedMemory {
 public:
  SharedMemory(ScheduleBuilder& builder, const Request& request, std::int64_t banks)
      : b_(builder),
        streams_(builder, request),
        ranks_(rank_count(request.machine)),
        vector_(tiles_of(request) * tile_words(request)),
        cut_(request, {0, tiles_of(request)}, {.blocks = ranks_}),
        barrier_(builder, streams_, ranks_, vector_words(request), token_tile(request)) {
    const Torus& torus = *as<Torus>(request.machine);
    std::vector<NodeId> used;  // blocks with words
    for (NodeId rank = 0; rank < ranks_; ++rank) {
      if (cut_.cell(0, rank).count > 0) used.push_back(rank);
    }
    for (std::size_t i = 0; i < at(banks); ++i) {
      Bank bank{.node = node_at(torus, torus.dram.banks[i])};
      for (std::size_t j = 0; j < used.size(); ++j) {
        if (j * at(banks) / used.size() == i) bank.blocks.push_back(used[j]);
      }
      if (!bank.blocks.empty()) banks_.push_back(std::move(bank));
    }
  }

  void write() {
    barrier_.make_tokens(kLane);
    for (NodeId rank = 0; rank < ranks_; ++rank) write_vector(rank);
    barrier_.write(kLane);
    for (Bank& bank : banks_) {
      for (const NodeId rank : bank.blocks) reduce_block(bank, rank);
    }
    barrier_.write(kLane);
    for (NodeId rank = 0; rank < ranks_; ++rank) read_result(rank);
  }

 private:
  static constexpr std::int32_t kLane = 0;  ///< of every core

  struct Bank {
    NodeId node = 0;
    std::vector<NodeId> blocks = {};   ///< that it holds; each is reduced by the rank of its number
    std::vector<StepId> vectors = {};  ///< the steps that stored them, by rank
    std::vector<StepId> results = {};  ///< the steps that stored reduced blocks
    std::int32_t lanes = 0;
  };

  /// The words of a bank's blocks.
  [[nodiscard]] Range share(const Bank& bank) const {
    const Range first = cut_.cell(0, bank.blocks.front());
    return {first.first, cut_.cell(0, bank.blocks.back()).end() - first.first};
  }

  /// Those of rank `rank` in a bank's scratch.
  SpanId stored(Range range, NodeId rank) { return b_.span({rank * vector_ + range.first, range.count}); }

  /// The banks in turn, so that not all cores use the same one at the same time.
  Bank& bank(NodeId rank, std::size_t turn) { return banks_[(at(rank) + turn) % banks_.size()]; }

  void write_vector(NodeId rank) {
    for (std::size_t turn = 0; turn < banks_.size(); ++turn) {
      Bank& to = bank(rank, turn);
      const SpanId what = b_.span(share(to));
      const StreamId stream = streams_.send(rank, to.node, what);
      b_.step(rank, what, kLane).own(Buffer::input).push(stream);
      to.vectors.push_back(
          b_.step(to.node, what, to.lanes++).take(stream).store(Buffer::scratch, stored(share(to), rank)).id());
    }
  }

  void reduce_block(Bank& from, NodeId rank) {
    const Range range = cut_.cell(0, rank);
    const SpanId what = b_.span(range);
    for (NodeId i = 1; i < ranks_; ++i) {
      const NodeId other = (rank + i) % ranks_;
      const StreamId stream = streams_.send(from.node, rank, what);
      b_.step(from.node, what, from.lanes++)
          .own(Buffer::scratch, stored(range, other))
          .push(stream)
          .after(from.vectors[at(other)]);
      b_.step(rank, what, kLane).own(i == 1 ? Buffer::input : Buffer::output).take(stream).store(Buffer::output);
    }
    const StreamId stream = streams_.send(rank, from.node, what);
    b_.step(rank, what, kLane).own(Buffer::output).push(stream);
    from.results.push_back(b_.step(from.node, what, from.lanes++).take(stream).store(Buffer::output).id());
  }

  void read_result(NodeId rank) {
    for (std::size_t turn = 0; turn < banks_.size(); ++turn) {
      Bank& from = bank(rank, turn);
      const SpanId what = b_.span(share(from));
      const StreamId stream = streams_.send(from.node, rank, what);
      auto step = b_.step(from.node, what, from.lanes++).own(Buffer::output).push(stream);
      for (const StepId result : from.results) step.after(result);
      b_.step(rank, what, kLane).take(stream).store(Buffer::output);
    }
  }

  ScheduleBuilder& b_;
  TileStreams streams_;
  NodeId ranks_;
  std::int64_t vector_;  ///< words from one rank's vector to the next in a bank
  TileBlocks cut_;
  TokenBarrier barrier_;
  std::vector<Bank> banks_;
};

ParameterSpec banks_parameter() {
  return {.name = "banks",
          .summary = "DRAM banks that hold the vectors; default: all",
          .by_default = bank_count,
          .least = [](const Request&) { return std::int64_t{1}; },
          .most = bank_count};
}

}  // namespace

Algorithm torus_allreduce_shared_memory() {
  Algorithm named{
      .collective = Collective::allreduce,
      .name = "shared-memory",
      .summary = "every core writes its vector to DRAM, reads its block of all vectors, and then the result",
      .source = "Implementation of Allreduce algorithms on the Tenstorrent Wormhole n150, chapter 5",
      .parameters = {banks_parameter()}};
  named.unsupported = [](const Request& request) -> std::optional<std::string> {
    if (bank_count(request) == 0) return "needs DRAM banks, and this machine has none";
    if (vector_words(request) >= kMostElements / 2) return "needs room in DRAM for the vectors of all tiles";
    return std::nullopt;
  };
  return torus_algorithm(
      std::move(named),
      [](ScheduleBuilder& b, const Request& request, const Parameters& parameters) {
        SharedMemory(b, request, parameters.at("banks")).write();
      },
      [](const Request& request) {
        return vector_words(request) + TokenBarrier::words(rank_count(request.machine), token_tile(request), kBarriers);
      });
}

}  // namespace muster

// All-to-all, directly: in its turn t, rank i writes the block for rank i + t there, so that no two write to one rank in the same turn.
// P - 1 messages from each core, none forwarded.
#include "base/index.h"
#include "collective/algorithms.h"
#include "collective/torus/tile_rounds.h"
#include "collective/torus/torus_algorithm.h"
#include "machine/routing.h"

namespace muster {
namespace {

constexpr std::int32_t kSends = 0;
constexpr std::int32_t kTakes = 1;

void write_direct(ScheduleBuilder& b, const Request& request) {
  const NodeId ranks = rank_count(request.machine);
  TileStreams streams(b, request);
  std::vector<SpanId> blocks;
  for (NodeId rank = 0; rank < ranks; ++rank) blocks.push_back(b.span(block(request.count, ranks, rank)));
  for (NodeId rank = 0; rank < ranks; ++rank) {
    b.step(rank, blocks[at(rank)], kTakes).own(Buffer::input).store(Buffer::output);
  }
  for (NodeId turn = 1; turn < ranks; ++turn) {
    for (NodeId rank = 0; rank < ranks; ++rank) {
      const NodeId to = (rank + turn) % ranks;
      const StreamId stream = streams.send(rank, to, blocks[at(to)]);
      b.step(rank, blocks[at(to)], kSends).own(Buffer::input).push(stream);
      b.step(to, blocks[at(to)], kTakes).take(stream).store(Buffer::output, blocks[at(rank)]);
    }
  }
}

}  // namespace

Algorithm torus_all_to_all_direct() {
  Algorithm named{.collective = Collective::all_to_all,
                  .name = "direct",
                  .summary = "every tile writes to every other one, each in another order",
                  .source = "ours"};
  named.unsupported = needs_equal_blocks;
  return torus_algorithm(std::move(named), [](ScheduleBuilder& b, const Request& request, const Parameters&) {
    write_direct(b, request);
  });
}

}  // namespace muster

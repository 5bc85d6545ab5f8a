// Flooding scatter: the root sends the blocks of all others once, as in a broadcast, but those of the farthest PEs first;
// every PE stores what passes, of which it owes its own block.
//
// Steps: one multicast stream along the root's row and from there along the columns. Every link carries B wavelets, every
// port takes B. Cost (ours): a block d hops away ends h d + 2 T_R after the words up to its end have left; the root's own
// comes last. That is the lower bound: any scatter has to send these words, and the far ones have the longest way.
#include <algorithm>

#include "collective/algorithms.h"
#include "collective/grid/block_line.h"
#include "collective/grid/scatter.h"
#include "machine/mesh.h"

namespace muster {

namespace {

/// All ranks, the farthest from the root first.
std::vector<NodeId> sending_order(const Request& request) {
  const Mesh& mesh = *as<Mesh>(request.machine);
  std::vector<NodeId> ranks = all_ranks(request.machine);
  std::stable_sort(ranks.begin(), ranks.end(), [&](NodeId a, NodeId b) {
    return default_hops(mesh, a, request.root) > default_hops(mesh, b, request.root);
  });
  return ranks;
}

Range block_of(const Request& request, NodeId rank) {
  return block(request.count, rank_count(*as<Mesh>(request.machine)), rank);
}

Schedule make(const Request& request, const Parameters&) {
  ScheduleBuilder b({.nodes = rank_count(*as<Mesh>(request.machine)), .count = request.count});
  write_scatter(b, request, {});
  b.contract({.collective = Collective::scatter,
              .ranks = all_ranks(request.machine),
              .root = request.root,
              .count = request.count});
  return std::move(b).finish();
}

}  // namespace

void write_scatter(ScheduleBuilder& b, const Request& request, FloodBuffers buffers) {
  std::vector<Range> blocks;
  for (const NodeId rank : sending_order(request)) {
    if (rank != request.root) blocks.push_back(block_of(request, rank));
  }
  std::vector<NodeId> others = all_ranks(request.machine);
  others.erase(others.begin() + request.root);
  const SpanId sent = b.span(blocks);
  const Range own = block_of(request, request.root);
  if (request.count > own.count) {
    const StreamId flood = b.multicast(request.root, others, sent);
    b.step(request.root, sent).own(buffers.from).push(flood);
    for (const NodeId node : others) b.step(node, sent).take(flood).store(buffers.to);
  }
  if (own.count > 0 && buffers.from != buffers.to) {
    b.step(request.root, b.span(own)).own(buffers.from).store(buffers.to);
  }
}

Cycles scatter_cycles(const Request& request, bool moves_own) {
  const Mesh& mesh = *as<Mesh>(request.machine);
  std::int64_t sent = 0;
  std::int64_t end = 0;
  for (const NodeId rank : sending_order(request)) {
    if (rank == request.root && !moves_own) continue;
    const std::int64_t words = block_of(request, rank).count;
    sent += words;
    const std::int64_t latency = mesh.hop_latency.value() * default_hops(mesh, request.root, rank);
    const bool travels = rank != request.root;
    if (words > 0) end = std::max(end, sent + (travels ? latency + 2 * mesh.ramp_latency.value() : 0));
  }
  return Cycles(end);
}

Algorithm scatter_flood() {
  return {.collective = Collective::scatter,
          .name = "flood",
          .family = "mesh",
          .summary = "the root multicasts its vector, the farthest blocks first, and each PE keeps its own block",
          .source = "Muster's own: docs/wafer.md",
          .parameters = {},
          .unsupported = unless_mesh,
          .make = make,
          .cost = [](const Request& request, const Parameters&) { return scatter_cycles(request); },
          .cost_tolerance = {.cycles = Cycles(1)}};
}

}  // namespace muster

// In-network: cores push their vectors once, the switches of an embedding combine them on their way to its root, and the
// result goes back along the same tree.
//
// Steps: see tree_schedule.h. A reduce and a broadcast are rooted at the switch of the root's core, so that nothing turns;
// allreduce and barrier at the central switch. Every link of the tree carries the vector once per direction. Every core reads
// and writes it once; where it does both, each gets half of the memory's bandwidth (Eq. 2).
//
// Cost (ours, exact where buffers cover a link's round trip): packets follow each other by what the slowest of link and memory
// takes, so allreduce takes t + 2 depth + (K - 1) max(t, link) + t for K packets, t being the time that a memory takes for one.
// The paper's formula is alpha + beta m by Eq. 1 and 2, an upper bound on the latency of links.
#include <algorithm>

#include "collective/algorithms.h"
#include "collective/switches/groups.h"
#include "collective/switches/packet_times.h"
#include "collective/switches/tree_schedule.h"
#include "machine/hyperx.h"
#include "machine/routing.h"
#include "result/time_base.h"
#include "schedule/arithmetic.h"

namespace muster {
namespace {

std::optional<std::string> unsupported(const Request& request) {
  if (request.collective == Collective::barrier && request.count != 1) {
    return fmt::format("carries one word, got {}", request.count);
  }
  if (auto refusal = refuse_vectors_of_nodes(request)) return refusal;
  const Outcome<std::vector<EmbeddingPlan>> plans = plan_groups(request);
  if (!plans) return plans.reason();
  return std::nullopt;
}

/// A broadcast leaves the root's vector where it is, unless it is the only rank.
Buffer result_buffer(const Request& request, const EmbeddingPlan& plan) {
  const bool in_place =
      request.collective == Collective::broadcast && !is_alone(*as<HyperX>(request.machine), plan.nodes.nodes);
  return in_place ? Buffer::input : Buffer::output;
}

Schedule make(const Request& request, const Parameters&) {
  const HyperX& hyperx = *as<HyperX>(request.machine);
  const std::vector<EmbeddingPlan> plans = plan_groups(request).value();
  const bool in_place = result_buffer(request, plans.front()) == Buffer::input;
  ScheduleBuilder b({.nodes = node_count(hyperx), .count = request.count, .output = in_place ? 0 : request.count});
  const SpanId all = b.span({0, request.count});
  for (const EmbeddingPlan& plan : plans) {
    Contract contract{.collective = request.collective,
                      .ranks = cores_of(hyperx, participants_of(plan.nodes)),
                      .count = request.count};
    contract.to = result_buffer(request, plan);
    if (has_root(request.collective)) {
      const auto root = std::lower_bound(contract.ranks.begin(), contract.ranks.end(), request.root);
      contract.root = static_cast<std::int32_t>(root - contract.ranks.begin());
    }
    write_tree(b, hyperx, embed(hyperx, plan),
               {.collective = request.collective, .root = request.root, .elements = all, .to = contract.to});
    b.contract(std::move(contract));
  }
  return std::move(b).finish();
}

/// To a root whose memory gives and takes, from others that only give. Times of packets are maxima of lines, so the last write
/// waits for a first or for a last packet.
std::int64_t reduce_time(const PacketTimes& t, std::int64_t depth) {
  const std::int64_t first = std::max(t.shared, t.alone + depth);
  const std::int64_t last = std::max(
      {t.shared + t.spread(t.shared), t.alone + depth + t.spread(std::max(t.alone, t.link)), first + t.spread(t.link)});
  return std::max(first + t.spread(t.shared), last) + t.shared;
}

std::int64_t time_of(const Request& request, const EmbeddingPlan& plan) {
  const HyperX& hyperx = *as<HyperX>(request.machine);
  const PacketTimes t(hyperx, request.count);
  const std::int64_t depth = plan.depth.value();
  if (is_alone(hyperx, plan.nodes.nodes)) return t.through(t.shared, 0);
  if (request.collective == Collective::reduce) return reduce_time(t, depth);
  if (request.collective == Collective::broadcast) return t.through(t.alone, depth);
  return t.through(t.shared, 2 * depth);
}

Ticks cost(const Request& request, const Parameters&) {
  std::int64_t longest = 0;
  const std::vector<EmbeddingPlan> plans = plan_groups(request).value();
  for (const EmbeddingPlan& plan : plans) longest = std::max(longest, time_of(request, plan));
  return Ticks(longest);
}

/// Eq. 1 and 2, for the whole machine. The paper's link bandwidth is that of both directions.
Ticks paper_cost(const Request& request, const Parameters&) {
  const HyperX& hyperx = *as<HyperX>(request.machine);
  const auto dimensions = static_cast<double>(hyperx.shape.size());
  const double mesh_diameter = hyperx.core_columns - 1 + hyperx.core_rows - 1;
  const double latency =
      2 * (hyperx.node_latency.value() * dimensions + hyperx.socket_latency.value() * (dimensions + 1) +
           hyperx.core_latency.value() * mesh_diameter * (2 * dimensions + 1));
  const double bytes = static_cast<double>(request.count) * sizeof(Word);
  const double per_byte = std::max(2 / (2 * hyperx.link_bandwidth.value()), 2 / hyperx.memory_bandwidth.value());
  return picoseconds(latency + bytes * per_byte);
}

std::string summary_of(Collective collective) {
  switch (collective) {
    case Collective::reduce:
      return "switches combine the vectors on their way to the root";
    case Collective::broadcast:
      return "the root sends once; switches multicast the vector";
    case Collective::barrier:
      return "switches combine the tokens on the way to a central switch, which multicasts the answer";
    default:
      return "switches combine the vectors on the way to a central switch; the sum returns along the same tree";
  }
}

}  // namespace

Algorithm in_network(Collective collective) {
  Algorithm algorithm{
      .collective = collective,
      .name = "in-network",
      .family = "hyperx",
      .summary = summary_of(collective),
      .source = "Accelerating Allreduce with in-network reduction on Intel PIUMA, \"Allreduce Embedding\"",
      .parameters = {},
      .unsupported = unsupported,
      .make = make,
      .cost = cost,
      .cost_tolerance = {}};
  if (!has_root(collective)) algorithm.paper_cost = paper_cost;
  return algorithm;
}

}  // namespace muster

// In-network scan: rounds of broadcasts (scan_rounds.h), in which every core that takes a prefix has it combined with its own at its
// switch (scan_schedule.h).
//
// Reductions where paths meet, as an allreduce has them, would mix up the order of ranks: so there are log2 P rounds (Sklansky's,
// of 1960; the paper names the problem and leaves it open), each with a collective id of its own. A core's memory reads and
// writes the vector at most once per round.
//
// Cost (ours): in each round a taker waits for its giver and the way from it. Left out: that a switch may still be busy with an
// earlier round of its own, or with another group.
#include <algorithm>
#include <unordered_map>

#include "base/index.h"
#include "collective/algorithms.h"
#include "collective/switches/groups.h"
#include "collective/switches/packet_times.h"
#include "collective/switches/scan_rounds.h"
#include "collective/switches/scan_schedule.h"
#include "machine/hyperx.h"

namespace muster {
namespace {

constexpr std::int64_t kMostCores = 1 << 17;     ///< of a schedule; costs have no limit
constexpr std::int64_t kMostLookedAt = 1 << 10;  ///< blocks of a round, or cores, for its cost

/// Every so many of a list, so that about kMostLookedAt are looked at, and the last one.
template <class Visit>
void look_at_some(std::int64_t count, Visit visit) {
  const std::int64_t step = (count + kMostLookedAt - 1) / kMostLookedAt;
  for (std::int64_t i = 0; i < count; i += step) visit(i);
  if (count > 0) visit(count - 1);
}

/// When cores have their prefixes, round by round, if givers of a round are all as late as the latest one that was looked at.
class ScanTimes {
 public:
  ScanTimes(const HyperX& hyperx, std::span<const NodeId> cores, const PacketTimes& packet)
      : hyperx_(hyperx),
        cores_(cores),
        packet_(packet),
        has_default_routes_(!has_failures(hyperx) && std::ssize(cores) == rank_count(hyperx)),
        rounds_(scan_rounds(hyperx, cores)) {}

  std::int64_t last() {
    for (const ScanRound& round : rounds_) {
      std::int64_t latest = 0;
      look_at_some(std::ssize(round), [&](std::int64_t b) { latest = std::max(latest, end(round[at(b)].giver)); });
      ready_.push_back(latest);
    }
    std::int64_t latest = 0;
    look_at_some(std::ssize(cores_),
                 [&](std::int64_t i) { latest = std::max(latest, end(static_cast<std::int32_t>(i))); });
    return latest;
  }

 private:
  /// When a core is through with the rounds whose givers' times are known.
  std::int64_t end(std::int32_t index) {
    std::int64_t time = 0;
    for (std::size_t r = 0; r < ready_.size(); ++r) {
      const auto behind = std::partition_point(rounds_[r].begin(), rounds_[r].end(),
                                               [&](const ScanBlock& block) { return block.first <= index; });
      if (behind == rounds_[r].begin() || index >= (behind - 1)->end) continue;
      const std::int64_t first =
          std::max(ready_[r] + packet_.alone + latency(*(behind - 1), index), time + packet_.shared);
      time = first + packet_.spread(std::max(packet_.shared, packet_.link)) + packet_.shared;
    }
    return time;
  }

  /// Latency of the links from the giver of a block to a taker.
  std::int64_t latency(const ScanBlock& block, std::int32_t index) {
    const NodeId giver = cores_[at(block.giver)];
    const NodeId taker = cores_[at(index)];
    const bool is_near = coordinates_of(hyperx_, giver).node == coordinates_of(hyperx_, taker).node;
    if (has_default_routes_ || is_near) return route_latency(hyperx_, giver, taker).value();
    auto [known, is_new] = trees_.try_emplace(&block);
    if (is_new) known->second = tree_of(hyperx_, cores_, block);
    const Embedding& tree = known->second;
    const NodeId leaf = taker + rank_count(hyperx_);
    const auto found = std::lower_bound(tree.switches.begin(), tree.switches.end(), leaf);
    Ticks sum;
    for (auto i = static_cast<std::int32_t>(found - tree.switches.begin()); tree.parent[at(i)] != kNoNode;
         i = tree.parent[at(i)]) {
      sum += link_latency(hyperx_, tree.switches[at(i)], tree.switches[at(tree.parent[at(i)])]);
    }
    return sum.value();
  }

  const HyperX& hyperx_;
  std::span<const NodeId> cores_;
  const PacketTimes& packet_;
  bool has_default_routes_;
  std::vector<ScanRound> rounds_;
  std::unordered_map<const ScanBlock*, Embedding> trees_;  ///< where routes may be others than the default ones
  std::vector<std::int64_t> ready_;                        ///< by round: its givers
};

Ticks cost(const Request& request, const Parameters&) {
  const HyperX& hyperx = *as<HyperX>(request.machine);
  const PacketTimes packet(hyperx, request.count);
  std::int64_t longest = 0;
  const std::vector<std::vector<std::int32_t>> groups = groups_of(request).value();
  for (const std::vector<std::int32_t>& group : groups) {
    const std::vector<NodeId> cores = cores_of(hyperx, group);
    longest = std::max(longest, ScanTimes(hyperx, cores, packet).last());
  }
  return Ticks(longest);
}

std::optional<std::string> unsupported(const Request& request) {
  if (auto refusal = refuse_vectors_of_nodes(request)) return refusal;
  const HyperX& hyperx = *as<HyperX>(request.machine);
  const Outcome<std::vector<std::vector<std::int32_t>>> groups = groups_of(request);
  if (!groups) return groups.reason();
  std::int64_t cores = 0;
  for (const std::vector<std::int32_t>& group : groups.value()) {
    cores += std::ssize(group) * switches_per_node(hyperx);
    const Outcome<NodeTree> reach = tree_to(hyperx, group, group.front());
    if (!reach) return reach.reason();
  }
  return too_many_cores(cores, kMostCores, [&] { return cost(request, {}); });
}

Schedule make(const Request& request, const Parameters&) {
  const HyperX& hyperx = *as<HyperX>(request.machine);
  ScheduleBuilder b({.nodes = node_count(hyperx), .count = request.count, .output = 0});
  const SpanId all = b.span({0, request.count});
  const std::vector<std::vector<std::int32_t>> groups = groups_of(request).value();
  for (const std::vector<std::int32_t>& group : groups) {
    std::vector<NodeId> cores = cores_of(hyperx, group);
    write_scan(b, hyperx, cores, all);
    b.contract({.collective = Collective::scan,
                .ranks = std::move(cores),
                .count = request.count,
                .from = Buffer::input,
                .to = Buffer::input});
  }
  return std::move(b).finish();
}

}  // namespace

Algorithm scan_in_network() {
  return {.collective = Collective::scan,
          .name = "in-network",
          .family = "hyperx",
          .summary = "prefixes are broadcast in rounds, and switches combine them with the vectors of their cores",
          .source = "ours; Accelerating Allreduce with in-network reduction on Intel PIUMA names the problem",
          .parameters = {},
          .unsupported = unsupported,
          .make = make,
          .cost = cost,
          .cost_tolerance = {.fraction = 0.1}};
}

}  // namespace muster

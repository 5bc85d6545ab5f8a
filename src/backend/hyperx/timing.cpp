// Times from the values of a machine; rounded up, so that nothing is faster than its bandwidth.
#include "backend/hyperx/timing.h"

#include <algorithm>

#include "base/saturating.h"
#include "machine/hyperx.h"
#include "machine/routing.h"
#include "result/time_base.h"

namespace muster::hyperx {
namespace {

Time time_of(double seconds) { return picoseconds(seconds).value(); }

std::array<Time, 2> memory_times(const HyperX& network, double factor) {
  const double alone = factor * static_cast<double>(network.packet.value()) / network.memory_bandwidth.value();
  return {time_of(alone), time_of(2 * alone)};
}

}  // namespace

Timing::Timing(const Wiring& wiring, const HyperXOptions& options)
    : ports_(wiring.ports()), ranks_(rank_count(wiring.program().machine)) {
  const HyperX& network = wiring.program().network();
  packet_time_ = time_of(static_cast<double>(network.packet.value()) / network.link_bandwidth.value());
  buffer_ = network.buffer_packets;
  latency_ = {time_of(network.core_latency.value()), time_of(network.socket_latency.value()),
              time_of(network.node_latency.value())};
  memory_time_ = memory_times(network, 1);
  Time longest = std::max({packet_time_, memory_time_[1], latency_[0], latency_[1], latency_[2]});
  Time all = 0;
  for (const auto& [rank, factor] : options.slow) {
    slow_[rank] = memory_times(network, factor);
    longest = std::max(longest, slow_[rank][1]);
  }
  for (const auto& [rank, late] : options.late) {
    late_[rank] = time_of(late.value());
    all = std::max(all, late_[rank]);
  }
  // Nothing waits longer than all rows on one path and all packets one after another, with a round trip each.
  std::int64_t packets = static_cast<std::int64_t>(wiring.registers().rows.size());
  for (const Segment& segment : wiring.registers().segments) {
    packets_.push_back(packets_of(segment, network));
    packets = saturating_sum(packets, packets_.back());
  }
  all = saturating_sum(all, saturating_product(saturating_product(packets, 4), longest));
  if (all >= kMostTime) reject("the program may take more than 13 days; use a shorter vector");
}

Time Timing::memory_time(const Row& row, MemoryUse use) const {
  const std::size_t share = use.shares ? 1 : 0;
  if (slow_.empty()) return memory_time_[share];
  const auto found = slow_.find(row.at - ranks_);
  return found == slow_.end() ? memory_time_[share] : found->second[share];
}

Time Timing::start(NodeId at_switch) const {
  if (late_.empty()) return 0;
  const auto found = late_.find(at_switch - ranks_);
  return found == late_.end() ? 0 : found->second;
}

}  // namespace muster::hyperx

#include "collective/switches/host_time.h"

#include <algorithm>

#include "base/error.h"
#include "base/index.h"
#include "base/random.h"
#include "machine/hyperx.h"
#include "result/time_base.h"
#include "schedule/arithmetic.h"

namespace muster {
namespace {

constexpr std::int64_t kMostLookedAt = 1 << 13;

Ticks longest_latency(const HyperX& hyperx, std::span<const NodeId> cores, const HostRound& round) {
  Ticks longest;
  const std::int64_t looks = std::min(round.pairs, kMostLookedAt);
  for (std::int64_t i = 0; i < looks; ++i) {
    const auto drawn = static_cast<std::int64_t>(random_bits(1, at(i)) % at(round.pairs));
    const auto [a, b] = round.pair(round.pairs <= kMostLookedAt ? i : drawn);
    longest = std::max(longest, route_latency(hyperx, cores[at(a)], cores[at(b)]));
  }
  return longest;
}

}  // namespace

Ticks host_time(const HyperX& hyperx, std::span<const NodeId> cores, std::span<const HostRound> rounds) {
  MUSTER_ASSERT(hyperx.host, "a machine without [host]");
  const HyperX::Host& host = *hyperx.host;
  Ticks sum;
  for (const HostRound& round : rounds) {
    const double words = static_cast<double>(host.message_passes) * static_cast<double>(round.sent) +
                         static_cast<double>(host.reduction_passes) * static_cast<double>(round.combined);
    sum += picoseconds(host.round_overhead.value() + words * sizeof(Word) / hyperx.memory_bandwidth.value());
    sum += longest_latency(hyperx, cores, round) * host.traversals;
  }
  return sum;
}

}  // namespace muster

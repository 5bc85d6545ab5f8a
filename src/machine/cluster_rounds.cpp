// Both accountings. What ASTRA-sim 1.0 does was measured (tests/data/astra_1gib.csv).
#include "machine/cluster_rounds.h"

#include <algorithm>

#include "base/index.h"
#include "result/time_base.h"

namespace muster {
namespace {

constexpr double kNanosecondsPerSecond = 1e9;
constexpr std::int64_t kPicosecondsPerNanosecond = 1000;
constexpr std::int64_t kReductionPiece = 500'000;  ///< bytes; each full one of a message adds kReductionTime
constexpr std::int64_t kReductionTime = 3;         ///< ns
constexpr std::int64_t kWordBytes = 4;

std::int64_t bytes(std::int64_t words) { return words * kWordBytes; }

/// A round in whole nanoseconds: time that is left over is cut off.
std::int64_t astra_nanoseconds(const Cluster::Dimension& d, const Round& round) {
  constexpr double kMost = static_cast<double>(std::int64_t{1} << 42);  // an hour: sums of thousands of picoseconds fit
  const double latency =
      static_cast<double>(picoseconds(d.latency.value()).value()) / double{kPicosecondsPerNanosecond};
  const double sending = static_cast<double>(bytes(round.words)) / (d.bandwidth().value() / kNanosecondsPerSecond);
  return static_cast<std::int64_t>(std::min(latency + sending, kMost));
}

/// Around a ring, what comes both ways is one message to ASTRA-sim.
std::int64_t astra_reduction(const Cluster::Dimension& d, const Round& round) {
  const std::int64_t message = d.kind == Cluster::Kind::ring ? round.words : round.message;
  return kReductionTime * (bytes(message) / kReductionPiece);
}

}  // namespace

RoundTimes round_times(const Cluster& cluster, std::int32_t dimension, const Rounds& rounds, bool reduces) {
  const Cluster::Dimension& d = cluster.dimensions[at(dimension)];
  if (cluster.accounting == Cluster::Accounting::paper) {
    // What goes up to a switch that reduces comes down at the same time, over the other direction of the links.
    const std::int64_t words = std::max(rounds.words, rounds.switched);
    return {.sending = sending_time(d, Bytes(bytes(words))), .delay = waiting_time(d, rounds.count - rounds.relays)};
  }
  // The first reduction of pairwise exchanges through a switch is not counted.
  const std::size_t first_reduced = d.kind == Cluster::Kind::switched ? 1 : 0;
  std::int64_t time = 0;
  for (std::size_t r = 0; r < rounds.each.size(); ++r) {
    time += astra_nanoseconds(d, rounds.each[r]);
    if (reduces && r >= first_reduced) time += astra_reduction(d, rounds.each[r]);
  }
  return {.sending = Ticks(time * kPicosecondsPerNanosecond), .delay = Ticks(0)};
}

Ticks closing_time(const Cluster& cluster) {
  return Ticks(cluster.accounting == Cluster::Accounting::astra ? kPicosecondsPerNanosecond : 0);
}

}  // namespace muster

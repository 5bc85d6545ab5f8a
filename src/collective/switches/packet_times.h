// Times of packets at memories and links of a HyperX, in picoseconds.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/saturating.h"
#include "machine/hyperx.h"
#include "result/time_base.h"
#include "schedule/arithmetic.h"

namespace muster {

/// How long a packet takes, and how many there are.
struct PacketTimes {
  PacketTimes(const HyperX& hyperx, std::int64_t words) {
    const auto bytes = static_cast<double>(hyperx.packet.value());
    const double memory = hyperx.memory_bandwidth.value();
    link = picoseconds(bytes / hyperx.link_bandwidth.value()).value();
    alone = picoseconds(bytes / memory).value();
    shared = picoseconds(bytes / (memory / 2)).value();
    const std::int64_t size = hyperx.packet.value();
    const std::int64_t all = saturating_product(words, sizeof(Word));
    packets = all / size + (all % size == 0 ? 0 : 1);
  }
  /// From the first packet to the last one, if they are this far apart.
  [[nodiscard]] std::int64_t spread(std::int64_t spacing) const { return saturating_product(packets - 1, spacing); }

  /// From one memory to others over links of this total latency, if a memory takes this long for a packet.
  [[nodiscard]] std::int64_t through(std::int64_t memory, std::int64_t latency) const {
    return memory + latency + spread(std::max(memory, link)) + memory;
  }

  std::int64_t link = 0;
  std::int64_t alone = 0;   ///< of a memory that only reads, or only writes
  std::int64_t shared = 0;  ///< of one that does both
  std::int64_t packets = 0;
};

}  // namespace muster

// How long things take on a machine with reducing switches. All times are picoseconds.
//
// A packet of an id, k = 0, 1, ...: a row passes it on when
//   - its switch has begun the id,
//   - the packet time (packet / bandwidth of a link) has gone by since it passed on packet k - 1,
//   - every input has packet k: that of a link one latency after the row at its other end passed it on, that of the loop at
//     once, that of the memory when it was read,
//   - every output has a place in the buffer at its other end (`buffer_packets` for each id, channel and input): that of packet
//     k - buffer_packets is free, and the news of it has arrived, one latency after that packet was passed on from there.
// The memory reads one packet after another, each for its memory time (packet / share of the memory's bandwidth), into a buffer
// of buffer_packets: it begins with the id, and goes on where a place is free. It writes one packet after another, too, each for
// its memory time; the place is free when the write has ended. The share is half of the bandwidth where rows of the switch and
// id read and write. Links add their latency only: packets follow each other with the packet time between them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "backend/hyperx/wiring.h"

namespace muster::hyperx {

/// Picoseconds. Sums of all that a program does stay below kMostTime.
using Time = std::int64_t;
inline constexpr Time kMostTime = Time{1} << 60;

class Timing {
 public:
  /// Throws InputError for what may take more than kMostTime.
  Timing(const Wiring& wiring, const HyperXOptions& options);

  [[nodiscard]] Time packet_time() const { return packet_time_; }
  [[nodiscard]] std::int64_t buffer() const { return buffer_; }
  [[nodiscard]] std::int64_t packets(std::int32_t id) const { return packets_[at(id)]; }
  /// Between a port of a row and what is at its other end.
  [[nodiscard]] Time latency(Port port) const {
    return ports_.is_link(port) ? latency_[static_cast<std::size_t>(ports_.level(port))] : 0;
  }
  /// What a row's memory needs for a packet.
  [[nodiscard]] Time memory_time(const Row& row, MemoryUse use) const;
  /// When a switch begins its first id.
  [[nodiscard]] Time start(NodeId at) const;

 private:
  const Ports& ports_;
  NodeId ranks_ = 0;
  Time packet_time_ = 0;
  std::int64_t buffer_ = 0;
  std::array<Time, 3> latency_{};
  std::array<Time, 2> memory_time_{};  ///< alone, shared
  std::vector<std::int64_t> packets_;
  std::map<NodeId, std::array<Time, 2>> slow_;
  std::map<NodeId, Time> late_;
};

/// When a row worked.
struct RowTimes {
  Time first = 0;    ///< passed on its first packet
  Time last = 0;     ///< passed on its last packet
  Time written = 0;  ///< its last packet was written to memory; 0 if it writes none
  bool operator==(const RowTimes&) const = default;
  /// When it was through with everything.
  [[nodiscard]] Time end() const { return std::max(last, written); }
};

}  // namespace muster::hyperx

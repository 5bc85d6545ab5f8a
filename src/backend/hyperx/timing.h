// How long things take on a machine with reducing switches. All times are picoseconds.
//
// A row forwards packet k = 0, 1, ... of an id when
//   - its switch has started the id,
//   - the packet time (packet / bandwidth of a link) has passed since it forwarded packet k - 1,
//   - every input has packet k: from a link one latency after the row at the other end forwarded it, from the loop
//     immediately, from the memory when it was read,
//   - every output has a credit for the buffer at its other end (`buffer_packets` for each id, channel and input): the credit of
//     packet k - buffer_packets has returned, one latency after that packet was forwarded from there.
// The memory reads one packet after another, each for its memory time (packet / share of the memory's bandwidth), into a buffer
// of buffer_packets: it starts with the id, and continues while there is space. It writes one packet after another, too, each for
// its memory time; the buffer slot is free when the write has ended. The share is half of the bandwidth if rows of the switch and
// id both read and write. Links add their latency only: packets follow each other with the packet time between them.
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
  /// When a switch starts its first id.
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
  Time first = 0;    ///< forwarded its first packet
  Time last = 0;     ///< forwarded its last packet
  Time written = 0;  ///< its last packet was written to memory; 0 if it writes none
  bool operator==(const RowTimes&) const = default;
  /// When it had finished everything.
  [[nodiscard]] Time end() const { return std::max(last, written); }
};

}  // namespace muster::hyperx

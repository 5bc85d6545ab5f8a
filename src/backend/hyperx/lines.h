// The exact engine: the times of all packets of all rows at a cost that does not grow with the vector.
//
// Let d(r, k) be the time at which row r forwards packet k. timing.h says what that waits for, and its rules all have the form
//   d(r, k) >= d(q, k - n) + t   for k >= n,
// with n = 0 for data dependencies, n = buffer_packets for credits, n = 1 for the previous packet, and t a latency, the packet
// time or the memory time. So d is the least solution: the greatest weight of a walk along these rules that ends at (r, k).
//
// Rays. A ray is a half-line over the packet number k: value + slope * (k - from) for k >= from. Every rule maps a ray of q to a
// ray of r, shifted by n packets and the time t. The rule of the previous packet, repeated any number of times, raises the slope of
// a ray to at least the packet time, since a linear function is greatest at an end. The memory's rules, repeated, do the same with
// the memory time. Initially a row has the ray of its switch's start, or of its memory, which reads from then on.
// If, up to the last packet, every ray that a rule produces is below a ray that its row already has, then the greatest ray at
// (r, k) satisfies all rules, so it is at least d(r, k). Every ray is the weight of a walk, so it is at most d(r, k). Hence it is
// d(r, k).
//
// This terminates after few rays if buffers cover the round trip: a ray that goes along a link and back with the credit returns
// buffer_packets later and two latencies higher, so it is below the original ray if 2 x latency <= buffer_packets x packet time.
// Then a row keeps only rays that come from different rows, and most of these are below others.
// If there are too many rays, times are computed packet by packet (blocks.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "backend/hyperx/timing.h"

namespace muster::hyperx {

/// One id on all switches.
struct IdRun {
  const Wiring& wiring;
  const Timing& timing;
  std::int64_t packets = 0;            ///< at least one
  NodeId ranks = 0;                    ///< of the machine
  std::span<const std::int32_t> rows;  ///< in an order along data
  std::span<const Time> begin;         ///< of the switch of each rank
  [[nodiscard]] const Row& row(std::int32_t number) const { return wiring.registers().rows[at(number)]; }
  [[nodiscard]] Time begin_of(std::int32_t number) const { return begin[at(row(number).at - ranks)]; }
  /// The memory time of a row that uses its memory, else 0.
  [[nodiscard]] Time memory_time(std::int32_t number) const;
};

/// Sets the times of the id's rows and returns the number of rays evaluated; 0, with no time set, if there were more than
/// `most_each` per row.
std::int64_t follow_rays(const IdRun& run, std::int64_t most_each, std::span<RowTimes> times);

struct LineRun {
  std::vector<RowTimes> times;      ///< of each row
  std::int64_t effort = 0;          ///< rays and packets evaluated
  std::int64_t ids_in_blocks = 0;   ///< ids whose times were computed packet by packet
  std::int64_t ids_to_the_end = 0;  ///< those of them that found no period
};

/// With more rays per row, times are computed packet by packet.
inline constexpr std::int64_t kMostRays = 16;

/// Of registers that pass check().
LineRun run_lines(const Wiring& wiring, const RowOrder& order, const Timing& timing,
                  std::int64_t most_rays = kMostRays);

}  // namespace muster::hyperx

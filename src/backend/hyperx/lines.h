// The exact engine: the times of all packets of all rows at a cost that does not grow with the vector.
//
// Let d(r, k) be when row r passes on packet k. timing.h says what that waits for, and each of its rules has the same form:
//   d(r, k) >= d(q, k - n) + t   for k >= n,
// with n = 0 along data, n = buffer_packets where a place must be free, n = 1 for the packet before, and t a latency, the
// packet time or the memory time. So d is the least solution: the greatest weight of a walk along these rules that ends at (r, k).
//
// Rays. A ray is a function of packets: from packet `from` on, value + slope * (k - from). Every rule takes a ray of q to a ray
// of r: along an edge it is shifted. The rule of the packet before, repeated any number of times, turns a ray into the same one
// with a slope of at least the packet time, since what is linear is greatest at an end. The memory's rules, repeated, do the
// same with the memory time. At first a row has the ray of its switch's begin, or of its memory that reads from then on.
// If every ray that a rule makes lies, as far as the last packet, below one that its row has already, the greatest ray at (r, k)
// satisfies all rules, so it is not less than d(r, k); and every ray is the weight of a walk, so it is not more. It is d(r, k).
//
// That ends after few rays where buffers last for a round trip: a ray that goes along a link and back by the free place comes
// back buffer_packets later by two latencies higher, and lies below where it began if 2 x latency <= buffer_packets x packet
// time. Then a row keeps the rays that come from different rows, and most of these lie below others.
// Where there are too many rays, times are followed packet by packet (blocks.h).
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

/// Sets the times of the id's rows, and returns how many rays were looked at; 0 if there were more than `most_each` per row,
/// and no time is set.
std::int64_t follow_rays(const IdRun& run, std::int64_t most_each, std::span<RowTimes> times);

struct LineRun {
  std::vector<RowTimes> times;      ///< of each row
  std::int64_t effort = 0;          ///< rays and packets that were looked at
  std::int64_t ids_in_blocks = 0;   ///< ids whose times were followed packet by packet
  std::int64_t ids_to_the_end = 0;  ///< those of them that found no period
};

/// Rays per row, beyond which packets are followed instead.
inline constexpr std::int64_t kMostRays = 16;

/// Of registers that pass check().
LineRun run_lines(const Wiring& wiring, const RowOrder& order, const Timing& timing,
                  std::int64_t most_rays = kMostRays);

}  // namespace muster::hyperx

// Space-time: on a row whose messages all go towards its end, the root. Combining an element costs time, not combining
// it costs a link. The proof is in docs/wafer.md, "Lower bounds".
//
// If the root has everything at T, element e of the farthest PE (in the order of leaving it) can have been combined at
// no more than K(e) = floor((T - 1 - e - h (P - 1) - 2 T_R) / (2 T_R + 1)) PEs on its way; every other PE that it passes
// puts a second wavelet on the link behind that PE. Link i, i hops from the root, is of use for T - 2 T_R - h i cycles. So
// for every m, the m links behind PEs P - 2, P - 3, ..., P - 1 - m, which have the least time, must hold
//
//   m B + sum over e of max(0, m - K(e)) <= sum over these links of (T - 2 T_R - h i).
//
// The bound is the smallest T for which this is so. With T growing, the left side falls and the right side rises, so it
// is found by bisection, O(P) per try.
#include <algorithm>

#include "collective/bounds/bound.h"
#include "collective/grid/line.h"
#include "machine/mesh.h"

namespace muster {

namespace {

/// Sums of link times stay below 2^63 for any row on a wafer; a longer vector would not fit any memory.
constexpr std::int64_t kMostWords = std::int64_t{1} << 40;

struct Row {
  std::int64_t pes = 0;    ///< P, the root included
  std::int64_t words = 0;  ///< B
  std::int64_t hop = 1;    ///< h
  std::int64_t ramp = 2;   ///< T_R
};

/// Whether everything has space if the root is done at `end`, which is no earlier than distance and port allow.
bool has_room(const Row& row, std::int64_t end) {
  const std::int64_t slack = end - 1 - row.hop * (row.pes - 1) - 2 * row.ramp;  // for stops of element 0
  const std::int64_t stop = 2 * row.ramp + 1;
  std::int64_t capacity = 0;
  std::int64_t wavelets = 0;
  for (std::int64_t m = 1; m <= row.pes - 2; ++m) {
    const std::int64_t link = row.pes - 1 - m;
    const std::int64_t fewer_than_m_stops = std::clamp<std::int64_t>(row.words - 1 - slack + m * stop, 0, row.words);
    capacity += end - 2 * row.ramp - row.hop * link;
    wavelets += row.words + fewer_than_m_stops;
    if (wavelets > capacity) return false;
  }
  return true;
}

std::int64_t earliest_end(const Row& row) {
  std::int64_t impossible = row.words + row.hop * (row.pes - 1) + 2 * row.ramp - 1;
  std::int64_t possible = row.words + (2 * row.ramp + row.hop + 1) * (row.pes - 1);  // as a chain does it
  while (possible - impossible > 1) {
    const std::int64_t middle = impossible + (possible - impossible) / 2;
    (has_room(row, middle) ? possible : impossible) = middle;
  }
  return possible;
}

}  // namespace

std::optional<Bound> bound_space_time(const Request& request) {
  const auto line = line_of(request);
  if (request.collective != Collective::reduce || !line || request.count > kMostWords) return std::nullopt;
  const Mesh& mesh = *as<Mesh>(request.machine);
  const Row row{.pes = line->sides()[1].length,
                .words = request.count,
                .hop = mesh.hop_latency.value(),
                .ramp = mesh.ramp_latency.value()};
  if (row.pes < 3) return std::nullopt;
  return Bound{
      .name = "space-time",
      .proves =
          "any reduce along a line with messages towards the root; a PE on the way either combines, which takes "
          "time, or forwards, which puts one more message on the next link",
      .cycles = Cycles(earliest_end(row))};
}

}  // namespace muster

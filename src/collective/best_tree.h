// The fastest reduction trees of a line, to the cycle.
//
// Timing. All processors start at 0. Let start(p) be the earliest cycle in which the first of p neighbouring processors
// can begin to take the elements of its last child; then it has the sum of all p in memory at start(p) + B, and sends
// that sum from start(p) + 1 on, as it comes. A processor alone has its vector, and may send it, or take a child, at S. If the last child is
// place i, with the sum of the places [i, p), then
//
//   start(p) = min over i of max(stored(i) + S + gap, sent(p - i) + h i + 2 T_R)        stored = start + B, sent = start + 1
//
// since its elements travel i hops and two ramps, and the processor must be done with its earlier children. Smaller times
// are never worse, so this is the fastest tree in which no two edges overlap (reduction_tree.h). A root inside a line takes
// the children of both sides through one port, in whatever order is best: the same recursion over the places of both sides
// that it has the sum of, and the side of its last child, since to turn to the other side costs a cycle.
//
// Why it is linear (quadratic with a root inside): stored(i) grows with i. sent(p - i) + h i falls with i, since start
// grows by at least h per place: take a place away from the tree, on the side that is waited for. So the best
// split is where the two cross, and the crossing moves up with p.
#pragma once

#include <cstdint>
#include <vector>

#include "collective/line.h"
#include "collective/line_reduce.h"

namespace muster {

/// What a message costs on a line.
struct LineTiming {
  std::int64_t words = 1;  ///< B
  std::int64_t hop = 1;    ///< h: cycles per hop
  std::int64_t ramps = 0;  ///< 2 T_R: cycles from processor to router and back
  std::int64_t start = 0;  ///< S: cycles before each operation of a processor
  std::int64_t gap = 0;    ///< and more between two messages that it takes
  std::int64_t turn = 0;   ///< at least so many cycles between two messages from different sides
  bool operator==(const LineTiming&) const = default;

  /// When the sum is in memory, and when it can be sent, if the last child is taken from `begin` on.
  [[nodiscard]] std::int64_t stored(std::int64_t begin) const;
  [[nodiscard]] std::int64_t sent(std::int64_t begin) const;
  /// When the next child can be taken, if the one before it was taken from `begin` on.
  [[nodiscard]] std::int64_t ready(std::int64_t begin, bool turns = false) const;
  /// When the root can begin to take a child that is `hops` away and sends from `sends` on.
  [[nodiscard]] std::int64_t arrives(std::int64_t sends, std::int64_t hops) const;
};

LineTiming line_timing(const Request& request);

/// The fastest trees of 1, 2, ..., `places` places with the root at the end.
class SidePlan {
 public:
  SidePlan(std::int32_t places, const LineTiming& timing);
  /// When the root of p places has their sum in memory, and when it can begin to send it.
  [[nodiscard]] std::int64_t stored(std::int32_t p) const;
  [[nodiscard]] std::int64_t sent(std::int32_t p) const;
  [[nodiscard]] ReductionTree tree(std::int32_t p) const;

 private:
  LineTiming timing_;
  std::vector<std::int64_t> start_;  ///< of p >= 2 places
  std::vector<std::int32_t> split_;  ///< the root's last child
};

/// The fastest trees of a line, its root at an end or inside, and when the root has the sum in memory. Quadratic in the
/// line's length if the root is inside.
struct LinePlan {
  LineTrees trees;
  std::int64_t stored = 0;
};
LinePlan fastest_plan(const Line& line, const LineTiming& timing);

}  // namespace muster

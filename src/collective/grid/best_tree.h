// The fastest reduction trees of a line, to the cycle.
//
// Timing. All processors start at 0. Consider p neighbouring processors whose sum goes to the first of them. Let begin(p) be
// the earliest cycle in which that one can begin to take the elements of its last child: it sends the sum from
// begin(p) + 1 on, as it comes. Let stored(p) be the earliest cycle in which it can have the sum in memory. A processor
// alone has its vector, and may send it, at S. If the last child is at index i, with the sum of the indices [i, p), then
//
//   arrival = sent(p - i) + h i + 2 T_R                               sent = begin + 1, or S for one processor
//   begin(p) = min over i of max(stored(i) + pause, arrival)          pause = max(S + gap, between)
//   stored(p) = min over i of max(stored(i) + max(pause + waiting, between + message), arrival + message)
//
// since its elements travel i hops and two ramps, and the processor must be done with its earlier children. A message takes
// B cycles. Routers with a single buffer pass a word in h of h + 1 cycles only, so a message takes longer; but what is queued
// at the processor's ramp is received at full rate: `waiting` is what is left of a message that is late, and `between` what
// a child's first word needs to follow the last one of the previous child. Forwarding is at the slow rate again,
// whatever was queued. Smaller times are never worse, so this is the fastest tree in which no two edges overlap
// (reduction_tree.h). A root inside a line takes the children of both sides through one port, in the best order: the
// same recursion over the numbers of PEs of both sides that it has the sum of, and the side of its last child, since changing to
// the other side costs a cycle, but need not wait for the last word of this side to pass.
//
// Why it is linear (quadratic with a root inside): stored(i) grows with i. sent(p - i) + h i falls with i, since begin and
// stored grow by at least h per PE: remove a PE from the tree, on the side that is waited for. So the best
// split is where the two cross, and the crossing moves up with p.
#pragma once

#include <cstdint>
#include <vector>

#include "base/saturating.h"
#include "collective/grid/line.h"
#include "collective/grid/line_reduce.h"

namespace muster {

/// What a message costs on a line.
struct LineTiming {
  std::int64_t words = 1;         ///< B
  std::int64_t hop = 1;           ///< h: cycles per hop
  std::int64_t ramps = 0;         ///< 2 T_R: cycles from processor to router and back
  std::int64_t start = 0;         ///< S: cycles before each operation of a processor
  std::int64_t gap = 0;           ///< and more between two messages that it takes
  std::int64_t turn = 0;          ///< minimum cycles between two messages from different sides
  std::int64_t between = 0;       ///< and between two from one side
  std::int64_t slow = 0;          ///< cycles that a message takes beyond B
  std::int64_t slow_if_late = 0;  ///< and one that waits for the processor, which then takes faster what has piled up
  bool operator==(const LineTiming&) const = default;

  /// When a sum can be sent, if its last part is taken from `begin` on.
  [[nodiscard]] std::int64_t sent(std::int64_t begin) const;
  /// When the root can begin to take a child that is `hops` away and sends from `sends` on, and has it, if nothing else delays
  /// it.
  [[nodiscard]] std::int64_t arrives(std::int64_t sends, std::int64_t hops) const;
  [[nodiscard]] std::int64_t stored(std::int64_t arrival) const;
  /// When it can begin to take a child that is there, and has it, if it had the previous one in memory at `before`.
  [[nodiscard]] std::int64_t begins_after(std::int64_t before, bool turns = false) const;
  [[nodiscard]] std::int64_t stored_after(std::int64_t before, bool turns = false) const;
};

LineTiming line_timing(const Request& request);

/// The best last child of a root, and the time that it is best for.
struct Split {
  std::int64_t time = kMostCounted;
  std::int32_t last_child = 1;
};

/// The fastest trees of 1, 2, ..., `size` PEs with the root at the end.
class SidePlan {
 public:
  SidePlan(std::int32_t size, const LineTiming& timing);
  /// When the root of p PEs can have their sum in memory, and when it can begin to send it. These need not be one tree.
  [[nodiscard]] std::int64_t stored(std::int32_t p) const;
  [[nodiscard]] std::int64_t sent(std::int32_t p) const;
  /// The tree that has the sum first in memory, or sends it first.
  [[nodiscard]] ReductionTree storing_tree(std::int32_t p) const;
  [[nodiscard]] ReductionTree sending_tree(std::int32_t p) const;

 private:
  [[nodiscard]] ReductionTree tree(std::int32_t p, std::int32_t last_child) const;

  LineTiming timing_;
  std::vector<Split> begin_;  ///< of p >= 2 PEs
  std::vector<Split> stored_;
};

/// The fastest trees of a line, its root at an end or inside, and when the root has the sum in memory. Quadratic in the
/// line's length if the root is inside.
struct LinePlan {
  LineTrees trees;
  std::int64_t stored = 0;
};
LinePlan fastest_plan(const Line& line, const LineTiming& timing);

/// The same times for every position of the root in a line of that length. Quadratic.
std::vector<std::int64_t> fastest_by_root(std::int32_t length, const LineTiming& timing);

}  // namespace muster

// Phases: a sub-schedule with its own contract, used for all groups of one kind at once (all rows of a grid, all
// members of a dimension, one chunk of a vector). This keeps large systems small: each distinct part is verified
// once, and the composition on the contracts alone.
//
// Semantics. Phase p runs `part` once per group of its group set. Member i of a group plays node i of the part. Element
// e of the part is element on[e] + offset of the schedule's vectors, `on` being the group's span and `offset` the
// phase's: equal chunks at different offsets share their groups. Group sets are kept once, in a table, and named by
// index, as spans are. The part's buffers `from` and `to` (of its contract) are bound to `input` and
// `output` here; a part that works in place is bound to one buffer. Every phase has its own scratch. Phases run
// concurrently, except that at each node a phase begins when the phases in `after` have finished *at that node*; phases
// in `after` come earlier in the list, so no cycle of phases is possible. The vectors of a part that is a stencil have margins:
// its groups work on as many elements as the vector with both margins (vector_end() in contract.h). `model` is not bound: element
// e of the part's is element on[e] + offset of the schedule's.
//
// The list is run `repeat` times: at each node, all phases of one time are over before those of the next begin.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/schedule.h"

namespace muster {

/// More phases than that are refused by verify(), and by expand() counted with their repetitions.
inline constexpr std::size_t kMostPhases = 1 << 14;

struct Group {
  std::vector<NodeId> members;  ///< node i of the part is members[i]
  SpanId on = 0;                ///< as many elements as the part's contract, margins included
  bool operator==(const Group&) const = default;
};

struct Phase {
  std::int32_t part = 0;    ///< index into Schedule::parts
  std::int32_t groups = 0;  ///< index into Schedule::group_sets
  std::int64_t offset = 0;  ///< not negative; added to every element of the groups' spans
  Buffer input = Buffer::input;
  Buffer output = Buffer::output;
  std::vector<std::int32_t> after;  ///< earlier phases
  bool operator==(const Phase&) const = default;
};

inline const std::vector<Group>& groups_of(const Schedule& schedule, const Phase& phase) {
  return schedule.group_sets[static_cast<std::size_t>(phase.groups)];
}

/// The flat schedule that the phases stand for, with the same contracts. A flat schedule is returned as it is.
Schedule expand(const Schedule& schedule);

}  // namespace muster

// The text form of a schedule: versioned JSON that round-trips and can be piped. Node 2 of a chain of three sends to
// node 1, which adds its own vector first and forwards to node 0:
//
//   {
//     "schema": 1,
//     "kind": "muster-schedule",
//     "made_for": "mesh 3x1",
//     "nodes": 3,
//     "extent": {"input": 8, "output": 8, "scratch": 0},
//     "contracts": [
//       {"collective": "reduce", "ranks": [0, 1, 2], "root": 0, "count": 8, "from": "input", "to": "output"}
//     ],
//     "spans": [
//       [[0, 8]]
//     ],
//     "streams": [
//       {"from": 2, "to": [1], "span": 0},
//       {"from": 1, "to": [0], "span": 0, "route": [[1, 0]]}
//     ],
//     "lanes": [
//       {"node": 0, "steps": [
//         {"span": 0, "operands": ["own", 1], "own": "input", "store": "output"}
//       ]},
//       {"node": 1, "steps": [
//         {"span": 0, "operands": ["own", 0], "own": "input", "push": [1]}
//       ]},
//       {"node": 2, "steps": [
//         {"span": 0, "operands": ["own"], "own": "input", "push": [0]}
//       ]}
//     ]
//   }
//
// Spans are lists of [first, count]; they and streams are named by their index in their list, from 0. Lanes are listed
// by node; several lanes of a node run concurrently. A step's operands are streams and "own", in the order in which
// they combine. "own", "store" and "send_old" (an exchange) name a buffer, or ["buffer", span] where it is not the
// step's own span. "after": [[1, 0]] waits for step 0 of lane 1 of the same node ([node, lane, step]: of another node).
// A stream's "route" is a list of [from, to]; without one it takes the machine's default.
// "made_for" (optional) is the family and the shape of the machine whose nodes these are; another one is refused.
// A contract has "root" (an index into "ranks") if its collective has one: reduce, broadcast, scatter, gather. One for
// neighbours also has "neighbours": [[dx, dy], ...] and "columns". One that works on blocks (reduce-scatter, allgather, scatter,
// gather) may have "blocks": [[first, count], ...], one for each rank; without them the vector is cut evenly. A reduce may
// have "root_in_place": true: its root holds its vector in "to"; or "others_in_place": true: all but its root do.
//
// What is a linear combination has two more lists, before "streams" (in parts too):
//
//     "coefficients": [
//       {"name": "c0", "value": 0.25},
//       {"name": "v", "array": "model"}          one value per element; "extent" then has "model", too
//     ],
//     "terms": [
//       ["input", 3]                             elements of a buffer (span 3) that steps name as operands
//     ],
//
// An operand is then also {"term": 0}, and any operand X can have a factor: {"times": "c0", "of": X}. A contract of a stencil has
// "columns", "margin" and "terms": [{"of": "input", "offset": [dx, dy, dz], "times": "c0", "array": "v"}, ...], of which "times"
// and "array" may be left out, "steps" if they are more than 1, and "sources" and "receivers" if there are any: [{"rank": 3,
// "elements": [first, count], "first": 0}, ...]. "first" of an array, if it is not 0, is where element 0 has its value.
// "extent" then has "series" and "record", the elements of a page; "record_every": 10 beside "phases" lets ten share a page of "record".
//
// A schedule of phases has, instead of "streams" and "lanes":
//
//     "parts": [
//       {"nodes": ..., ...}                        as above, without "schema" and "kind"
//     ],
//     "group_sets": [
//       [
//         {"members": [0, 1, 2], "on": 0}          "on" names a span
//       ]
//     ],
//     "phases": [
//       {"part": 0, "groups": 0, "offset": 0, "input": "input", "output": "output", "after": []}
//     ]
//
// "repeat": 10 beside "phases" runs all of them 10 times. "groups" names a group set, or lists the groups itself; "offset" (0 if not said) is added to their elements.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "schedule/schedule.h"

namespace muster {

inline constexpr int kScheduleVersion = 1;

/// What a text may ask for at most: nodes of a schedule and its parts together, and elements of a vector.
inline constexpr std::int64_t kMostTextNodes = std::int64_t{1} << 22;
inline constexpr std::int64_t kMostTextElements = std::int64_t{1} << 48;

std::string to_text(const Schedule& schedule);

/// Throws InputError that names `file`, the location in the document ("streams[3].to"), the value and a remedy.
/// Accepts what has the right form: every key known, every number in range. verify() checks whether it is correct.
Schedule parse_schedule(std::string_view text, const std::string& file);

}  // namespace muster

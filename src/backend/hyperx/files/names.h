// What the writer and the readers of registers.json agree on:
//
//   {
//     "schema": 1,
//     "format": "muster registers",
//     "machine": "piuma",
//     "made_for": "hyperx 2 nodes, 1 socket of 2x1 cores",
//     "command": "muster emit ...",
//     "type": "f32",
//     "op": "sum",
//     "segments": [
//       {"id": 0, "first": 0, "count": 16, "from": "input", "to": "output"}
//     ],
//     "contracts": [
//       {"collective": "allreduce", "root": null, "count": 16, "from": "input", "to": "output", "ranks": ["0-3"]}
//     ],
//     "node_programs": [
//       [
//         {"socket": 0, "core": 0, "id": 0, "channel": "request", "inputs": ["east", "memory"], "outputs": ["node 0:1"], "operation": "sum"}
//       ]
//     ],
//     "program_of_node": [
//       0, -1
//     ]
//   }
//
// Nodes whose switches are configured alike share a node program; -1: no switch of the node is configured. Rows are sorted by socket,
// core, id and channel; ports, named as in ports.h, in their order, which is that of combination. "first" and "count" are words of
// 32 bits. "operation" is null where a row has one input, "root" (an index into the ranks) if a collective has none.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "backend/hyperx/program.h"

namespace muster::hyperx {

inline constexpr int kRegistersVersion = 1;
inline constexpr std::string_view kRegistersFormat = "muster registers";

/// What the registers of a machine depend on: "hyperx 4x4 nodes, 16 sockets of 4x2 cores".
std::string wiring_name(const Machine& machine);

std::optional<Channel> channel_from_name(std::string_view name);

}  // namespace muster::hyperx

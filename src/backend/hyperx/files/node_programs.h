// Nodes whose switches have the same registers: what keeps files small however many nodes there are.
#pragma once

#include <cstdint>
#include <vector>

#include "backend/hyperx/program.h"
#include "machine/hyperx.h"

namespace muster::hyperx {

/// Instead of a program: the switches of a node have no rows.
inline constexpr std::int32_t kNoProgram = -1;

struct NodePrograms {
  std::vector<Slice> programs;        ///< into Registers::rows: those of the first node that has it
  std::vector<std::int32_t> of_node;  ///< of every HyperX node: its program, or kNoProgram
};

/// Programs are numbered in the order of the first nodes that have them. The registers have passed check_form().
NodePrograms find_node_programs(const HyperXProgram& program);

}  // namespace muster::hyperx

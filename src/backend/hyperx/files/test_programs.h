// Random programs of registers for tests: trees and graphs with any numbers, buffers and contracts.
#pragma once

#include <utility>

#include "backend/hyperx/test_trees.h"
#include "machine/hyperx.h"

namespace muster::hyperx {

inline Contract any_contract(const HyperX& network) {
  Contract contract{.collective = static_cast<Collective>(any(0, static_cast<std::int32_t>(Collective::barrier)))};
  const NodeId ranks = rank_count(network);
  for (std::int32_t run = any(1, 3); run > 0; --run) {
    const NodeId first = any(0, ranks - 1);
    for (NodeId rank = first; rank <= any(first, ranks - 1); ++rank) contract.ranks.push_back(rank);
  }
  if (has_root(contract.collective)) contract.root = any(0, static_cast<std::int32_t>(contract.ranks.size()) - 1);
  contract.count = any(1, 1000);
  contract.from = static_cast<Buffer>(any(1, 3));
  contract.to = static_cast<Buffer>(any(1, 3));
  return contract;
}

/// Registers that pass check(); its contracts are random, and not kept.
inline HyperXProgram any_program() {
  const HyperX network = any_network();
  const std::int32_t ids = any(1, 4);
  HyperXProgram program = any(0, 3) == 0 ? program_of(network, registers_of(any_graph(network), any_segments(1)))
                                         : program_of(network, any_trees(network, ids), any_segments(ids));
  program.arithmetic = {.type = static_cast<ElementType>(any(0, 2)), .op = static_cast<Operator>(any(0, 3))};
  program.registers.type = program.arithmetic.type;
  program.registers.op = program.arithmetic.op;
  program.contracts.clear();
  for (std::int32_t contract = any(0, 2); contract > 0; --contract) program.contracts.push_back(any_contract(network));
  return program;
}

}  // namespace muster::hyperx

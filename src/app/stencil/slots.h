// What the busiest PE does in a time step: cycles of its datapath per cell, and words of its ramp. The busiest PE is the one in the middle:
// it has the most neighbours.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/stencil/description.h"
#include "machine/machine.h"

namespace muster::stencil {

/// How many neighbours the PE in the middle has.
struct Neighbours {
  std::int64_t west = 0;
  std::int64_t east = 0;
  std::int64_t north = 0;
  std::int64_t south = 0;
  [[nodiscard]] std::int64_t all() const { return west + east + north + south; }
  /// Directions in which somebody takes its words.
  [[nodiscard]] std::int64_t sends() const {
    return std::int64_t{west > 0} + std::int64_t{east > 0} + std::int64_t{north > 0} + std::int64_t{south > 0};
  }
};
Neighbours neighbours_in_the_middle(const Description& description);

/// A kind of operations of make_time_step(), per cell.
struct SlotsOf {
  std::string name;
  std::string what;             ///< in words
  std::int64_t slots = 0;       ///< of the datapath
  bool is_from_fabric = false;  ///< it takes from the fabric
  bool is_local = false;        ///< it neither takes nor sends
};
std::vector<SlotsOf> slots_of(const Description& description);

/// All of them.
std::int64_t slots_per_cell(const Description& description);

/// Cycles of all time steps, predicted. A slot takes a cycle, or the interval that the machine file gives. A block's r + 1 turns, in which
/// each PE sends and takes its words back, take longer than its slots if it is small. Otherwise the blocks of a step fill each other's
/// gaps, but for the last one, which waits for its neighbours' turns with nothing else to do: 5/4 r cycles per cell of a block, which is not
/// derived but read off simulations. With one neighbour there are no turns. prediction_test.cpp says how near that is.
std::int64_t predicted_cycles(const Description& description, std::int64_t block, const Machine& machine);

}  // namespace muster::stencil

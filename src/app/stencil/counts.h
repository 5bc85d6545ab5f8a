// What a stencil's program does per cell and step: operations, accesses to memory, words through the ramp.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace muster::stencil {

/// An instruction, with what each of its elements does.
struct Instruction {
  std::string_view name;
  std::int64_t per_cell = 0;  ///< elements per cell
  int operations = 0;         ///< of floating point
  int loads = 0;              ///< from memory
  int loads_per_block = 0;    ///< once per block: a coefficient that stays in a register
  int stores = 0;
  int received = 0;  ///< from the ramp
  int sent = 0;      ///< to the ramp
};

/// Per cell.
struct Counts {
  double cycles = 0;  ///< if each element takes one
  double operations = 0;
  double accesses = 0;  ///< loads and stores
  double received = 0;
  double sent = 0;

  bool operator==(const Counts&) const = default;
};

Counts counts_of(std::span<const Instruction> instructions, std::int64_t block);

/// The paper's algorithm for a radius: from each of four directions the neighbours' words and the PE's own, all multiplied, all added up;
/// along z fused; the field before subtracted. With what is sent: its words once in each direction.
std::vector<Instruction> instructions_of(int radius);

/// The program of time_step.h, in an inner PE: own words that nobody needs are taken and dropped, and the products are added without them.
std::vector<Instruction> program_instructions(int radius);

/// As Table IV of the paper counts: own words once, and nothing that is sent.
std::vector<Instruction> tabulated_instructions(int radius);

/// As the paper's text counts memory accesses: as the table, with a coefficient loaded for every product and sum from memory.
std::vector<Instruction> described_instructions(int radius);

/// Operations that the stencil needs: a product and a sum per neighbour and for the cell itself, and a difference.
constexpr std::int64_t needed_operations(int radius) { return 2 * (6 * std::int64_t{radius} + 1) + 1; }

}  // namespace muster::stencil

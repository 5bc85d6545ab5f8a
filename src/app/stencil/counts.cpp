#include "app/stencil/counts.h"

namespace muster::stencil {
namespace {

/// `products`: words that are received and multiplied, per cell.
std::vector<Instruction> computing(std::int64_t products, int radius) {
  return {
      {.name = "FMUL", .per_cell = products, .operations = 1, .loads_per_block = 1, .stores = 1, .received = 1},
      {.name = "FADD", .per_cell = products, .operations = 1, .loads = 2, .stores = 1},
      {.name = "FMA", .per_cell = 2 * radius, .operations = 2, .loads = 2, .loads_per_block = 1, .stores = 1},
      {.name = "FSUB", .per_cell = 1, .operations = 1, .loads = 2, .stores = 1},
  };
}

}  // namespace

Counts counts_of(std::span<const Instruction> instructions, std::int64_t block) {
  Counts counts;
  for (const Instruction& instruction : instructions) {
    const auto elements = static_cast<double>(instruction.per_cell);
    const double per_block = instruction.loads_per_block / static_cast<double>(block);
    counts.cycles += instruction.operations > 0 ? elements : 0;
    counts.operations += elements * instruction.operations;
    counts.accesses += elements * (instruction.loads + per_block + instruction.stores);
    counts.received += elements * instruction.received;
    counts.sent += elements * instruction.sent;
  }
  return counts;
}

std::vector<Instruction> instructions_of(int radius) {
  std::vector<Instruction> all = computing(4 * (std::int64_t{radius} + 1), radius);
  all.push_back({.name = "FMOV", .per_cell = 4, .loads = 1, .sent = 1});
  return all;
}

std::vector<Instruction> program_instructions(int radius) {
  const std::int64_t neighbours = 4 * std::int64_t{radius};
  const bool takes_back = radius > 1;  // a router with one neighbour returns nothing
  const std::int64_t products = neighbours + (takes_back ? 1 : 0);
  std::vector<Instruction> all{
      {.name = "FMUL", .per_cell = products, .operations = 1, .loads_per_block = 1, .stores = 1, .received = 1},
      {.name = "FADD", .per_cell = neighbours, .operations = 1, .loads = 2, .stores = 1},
      {.name = "FMA", .per_cell = 2 * radius, .operations = 2, .loads = 2, .loads_per_block = 1, .stores = 1},
      {.name = "FSUB", .per_cell = 1, .operations = 1, .loads = 2, .stores = 1},
      {.name = "FMOV", .per_cell = 4, .loads = 1, .sent = 1},
  };
  if (takes_back) {
    all.push_back({.name = "FMOV", .per_cell = 3, .stores = 1, .received = 1});
  } else {
    all.push_back({.name = "FMUL", .per_cell = 1, .operations = 1, .loads = 1, .loads_per_block = 1, .stores = 1});
  }
  return all;
}

std::vector<Instruction> tabulated_instructions(int radius) { return computing(4 * std::int64_t{radius} + 1, radius); }

std::vector<Instruction> described_instructions(int radius) {
  std::vector<Instruction> all = tabulated_instructions(radius);
  Instruction& product = all.front();
  product.loads += product.loads_per_block;
  for (Instruction& instruction : all) instruction.loads_per_block = 0;
  return all;
}

}  // namespace muster::stencil

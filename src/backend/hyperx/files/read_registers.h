// Registers from registers.json, which may come from anywhere.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "backend/hyperx/program.h"

namespace muster::hyperx {

/// What a text may ask for at most: rows of all nodes together, and ranks of all contracts together.
inline constexpr std::int64_t kMostTextRows = std::int64_t{1} << 25;
inline constexpr std::int64_t kMostTextRanks = std::int64_t{1} << 24;

/// Throws InputError that names `file`, the location in the document ("node_programs[0][3].inputs"), the value and a remedy; and
/// if the registers are invalid for `machine` (check_form()). check(), lift() and verify() decide whether they are correct.
HyperXProgram read_registers(std::string_view text, const std::string& file, const Machine& machine);

}  // namespace muster::hyperx

// The part of pe.csl that runs long lists: their operations lie in memory as a table, row by row, and a row's kind says
// which instruction works on its elements. So the text grows with the kinds, not with the length of the lists.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "backend/wafer/csl/program.h"

namespace muster::wafer {

/// How far own, store and sent move from turn to turn: the distinct ones; entry 0: not at all.
using CslSteps = std::array<std::int64_t, 3>;
std::vector<CslSteps> tabled_steps_of_loops(const CslProgram& csl);
std::size_t steps_of(const CslProgram& csl, const CslOperation& operation);

/// The rows of the PE's list, and the descriptors of its colors and its memory.
std::string tabled_starts(const CslProgram& csl);

/// The body of task `step`: the instruction of each kind, up to the end of the collective.
std::string tabled_steps(const CslProgram& csl);

/// Bytes that the rows take in a PE's memory.
std::int64_t tabled_bytes(const CslProgram& csl);

/// What the rows of a program would take, with its loops; nothing if its lists are short and have none, or cannot be written.
std::optional<std::int64_t> written_bytes(const WaferProgram& program);

}  // namespace muster::wafer

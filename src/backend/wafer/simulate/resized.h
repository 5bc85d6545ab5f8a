// Programs on grids whose columns and rows repeat: the same program on a smaller or a larger grid.
//
// Two columns are equal if their processors have equal classes, row by row. Where columns repeat with a period, some of them can be left
// out, or more of them added, so that every processor keeps its neighbourhood: the classes around it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "backend/wafer/program.h"
#include "base/error.h"

namespace muster::wafer {

/// Of each column and row of a grid: the one of another grid that it is like.
struct Likeness {
  std::vector<std::int32_t> columns;
  std::vector<std::int32_t> rows;
};

/// A number for each column and each row; equal ones have the same.
Likeness numbered_lines(const WaferProgram& program);

/// Lines [first, first + count) in which every one equals the one `period` further on, if that is among them.
struct Repeat {
  std::int32_t first = 0;
  std::int32_t count = 0;
  std::int32_t period = 1;
};

/// Disjoint repeats of at least `least_periods` periods, by position; the longest ones first choice.
std::vector<Repeat> repeats_of(std::span<const std::int32_t> lines, std::int32_t least_periods);

/// Why the program cannot be put on another grid: all processors have to do the same by the same contracts; empty if it can.
std::string beyond_resizing(const WaferProgram& program);

/// The program on a grid in which column x is the program's column like.columns[x], and rows likewise.
/// Precondition: beyond_resizing() is empty.
WaferProgram resized(const WaferProgram& program, const Likeness& like);

/// The program on the larger grid of `machine`: in the longest repeat of the columns, and of the rows, periods are added. What a processor
/// runs has to follow from the classes of those up to `reach` columns and rows away, as it does if no message goes further: every
/// processor of the answer has a neighbourhood of that size which the given program has as well (checked), so that it does what a direct
/// lowering gives it. A refusal if columns or rows do not repeat often enough, or not with that difference of sizes.
Outcome<WaferProgram> widened(const WaferProgram& program, const Machine& machine, std::int32_t reach);

}  // namespace muster::wafer

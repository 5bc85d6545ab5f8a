// Large grids whose columns and rows repeat, simulated on a small one: exactly, and found out while it runs.
//
// Columns with a period p of classes are cut out of the middle of a repeat, likewise rows, and the small grid is simulated with the number
// of every cell's history kept: which wavelets moved in which cycle, by which switch position (history.h). If columns c - 1 to c + p have
// the same histories as columns c - 1 + p to c + 2p, in every row, the large grid behaves as the small one with columns c to c + p - 1
// repeated. To every processor X of the large grid belongs one of the small grid, m(X). Proof that in every cycle X is in the state
// of m(X), and that the same wavelets move at both; by induction over cycles:
//   - In the first cycle they are, since they have the same class.
//   - What a processor and its router do in a cycle, and their next state, follows from their own state and from what the four
//     neighbouring routers do: the wavelets that they send here, and those that they take from the queues that lead to them. Data has no
//     influence. So two routers with the same class whose neighbours have the same histories have the same states for ever.
//   - By the choice of m, the neighbours of X are mapped to processors with the same histories as the neighbours of m(X): beside a seam,
//     those are columns c - 1 and c + p - 1, or c and c + p. By the induction hypothesis, the neighbours of X do until now what m of them
//     does, which is what the neighbours of m(X) do. So X goes on as m(X).
// The same for rows; m is a product, and the histories of two lines are compared over all of the small grid.
// Each history is a number of 64 bits: the probability that two that differ are taken for equal is below cells x 2^-63.
//
// If the borders reach further into the small grid, more of it is kept; if hardly anything could be cut out, the whole is simulated.
#pragma once

#include <optional>

#include "backend/simulator.h"
#include "backend/wafer/simulate/engine.h"
#include "backend/wafer/simulate/resized.h"

namespace muster::wafer {

/// How much is cut out: tests try small grids.
struct AlikeOptions {
  std::int64_t least_processors = 4096;  ///< of a grid that is worth it
  std::int64_t least_gain = 4;           ///< of the whole grid's processors, at most this part is simulated
  std::int32_t first_margin = 2;         ///< periods that are kept at first, beside those that are compared
  EngineOptions engine;                  ///< of the small grid; histories are always kept
};

/// The answer of simulate() for the whole program, without outputs; nothing if that is not possible this way, or not worth it.
std::optional<Result> simulate_alike(const WaferProgram& program, const SimulateOptions& options,
                                     const AlikeOptions& alike);

}  // namespace muster::wafer

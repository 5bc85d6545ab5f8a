// One time step of a stencil as a schedule: from u(n) and u(n-1) to u(n+1), with a column of cells along z at every node.
//
// A node has u(n) in the buffer `input` and u(n-1) in `output`, both with a margin of zeros at either end, and puts u(n+1) in the place of
// u(n-1). Its cells are worked on in blocks:
//
//   send      in each of the four directions, the block goes to as many nodes as the stencil has neighbours there, and back to the sender:
//             the router of a WSE-2 passes through its few switch positions only that way (backend/wafer/lower/periodic.h)
//   receive   what comes is multiplied on arrival. Blocks come in turns: the node with coordinate k along the direction sends in turn
//             k mod (neighbours + 1), so that no two broadcasts overlap
//   sum       products by distance, in the order west, east, north, south: not by arrival, which differs from node to node
//   along z   a multiply-add for each neighbour in the node's own column
//   time      u(n-1) is subtracted; with a velocity or damping per cell, the sum, u(n) and u(n-1) have factors of the cell
//   source    what sources add to some cells
//   record    what receivers take of some cells
//
// Bits: acc = c0 u; then acc = acc + round(c u') for the neighbours in that order; then acc = fma(c, u', acc) along z, from the
// lowest to the highest; then
//   u(n+1) = acc - u(n-1)                                 one velocity, which the weights contain
//   u(n+1) = fma(sum, acc, 2 u) - u(n-1)                  a velocity per cell: `sum` is an array
//   u(n+1) = fma(before, u(n-1), sum acc)                 one velocity and damping: arrays sum, before
//   u(n+1) = fma(before, u(n-1), fma(sum, acc, now u))    both: arrays sum, before, now
// and + series for each source, in their order. That is app/seismic/wafer_arithmetic.h. Nodes outside the grid are left out, cells above and below it are zeros.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/schedule.h"

namespace muster::stencil {

/// What neighbours are multiplied with; element m - 1 is for distance m. An axis may have none.
struct Weights {
  float centre = 0;
  std::vector<float> x;
  std::vector<float> y;
  std::vector<float> z;
};

/// The arrays of a cell, in the order in which they are in the buffer model.
enum class Factor : unsigned char { sum, before, now };

struct TimeStep {
  NodeId columns = 1;
  NodeId rows = 1;
  std::int64_t cells = 1;  ///< of a node
  std::int64_t block = 1;  ///< cells that are sent and worked on at a time; the last block may be smaller
  Weights weights;
  bool has_velocity = false;                  ///< per cell
  bool has_damping = false;                   ///< likewise
  std::vector<StencilPoints> sources = {};    ///< ranks are nodes; elements count from the margin's first
  std::vector<StencilPoints> receivers = {};  ///< likewise
  std::int64_t record_every = 1;              ///< steps; what is taken after the last of them stays
};

/// In the order of Factor.
std::vector<Factor> factors_of(const TimeStep& step);
/// Where element `margin` has its value, the first cell's, in the buffer model.
std::int64_t first_of(const TimeStep& step, Factor factor);

/// Elements of the buffer scratch: a block for each neighbour along x and y, one for what comes back in each direction, and one for the sum.
std::int64_t scratch_elements(const TimeStep& step);

/// Precondition: sizes and the block are positive.
Schedule make_time_step(const TimeStep& step);

/// So many time steps one after another, the buffers exchanged in between: a phase each, proven once for all.
Schedule make_time_steps(const TimeStep& step, std::int64_t steps);

}  // namespace muster::stencil

// How the processors of a wafer compute acoustic_iso_cd, operation by operation: what a program for a wafer must do to get the bits of a
// run with Arithmetic::wafer.
//
// All numbers are f32. Each operation below rounds once, to nearest and ties to even, and keeps denormal numbers; fma(a, b, c) rounds
// a b + c once. A cell with the value u, and u_before a step ago, gets in a step, with r half of the order:
//
//   acc = c.middle u
//   for the directions -x, +x, -y, +y, in this order, and the distances m = 1 ... r:
//     acc = acc + (c.x[m] or c.y[m]) u[m cells on in that direction]   the product rounds, then the sum; not done outside the grid
//   for o = -r ... -1, 1 ... r:
//     acc = fma(c.z[|o|], u[o cells on along z], acc)                  outside the grid u is +0
//   next = acc                                  in a medium of one velocity: the coefficients contain it
//   next = fma(v2, acc, u + u)                  in others; v2 is the propagator's parameter velocity_squared, (dt vp)^2
//   u_new = next - u_before
// and instead, for all cells, if a side of the grid has damping,
//   next = d acc, or fma(d v2, acc, (d + d) u)  d is the product (d.x d.y) d.z of the layers' factors, each 1 outside of its layers
//   u_new = fma(-(d d), u_before, next)
// where d v2, d + d and d d are numbers that a processor is given, rounded once: what they multiply is linear in the fields with one such
// factor at most, which is what a schedule can say and prove.
//
// Then each source, in the order of the shot, adds its amplitude times a weight, a product in f64 that is rounded to f32, to cells of u_new.
#pragma once

#include <optional>
#include <vector>

#include "app/seismic/propagators.h"
#include "app/seismic/shot.h"

namespace muster::seismic {

struct WaferCoefficients {
  bool has_velocity = false;  ///< the medium has one velocity, which the coefficients contain
  float middle = 0;
  PerAxis<std::vector<float>> away;  ///< at the distances 1 ... r
};

/// With w the central weights, h the spacing and s = velocity dt / h of an axis, all in f64 and rounded to f32 at the end: away w s s, and
/// middle 2 - 2 (sum over x, y, z of (s s) (sum of w)) if there is one velocity, in m/s; otherwise away w / (h h), and middle
/// -2 (sum over x, y, z of (sum of w) / (h h)).
WaferCoefficients wafer_coefficients(const GridOptions& options, std::optional<double> velocity);

/// What acc, u and u_before are multiplied with in a cell at the end of a step.
struct WaferFactors {
  float sum = 1;
  float now = 2;  ///< without meaning in a medium of one velocity
  float before = -1;
};

/// `squared` is v2, or nothing in a medium of one velocity.
inline WaferFactors wafer_factors(float damping, std::optional<float> squared) {
  return {.sum = squared ? damping * *squared : damping, .now = damping + damping, .before = -(damping * damping)};
}

/// vp in m/s, if all nodes have the same.
std::optional<double> one_velocity(const Model& model, const Extent& extent);

/// Throws InputError if the shot asks for Arithmetic::wafer and for something that it is not defined for: another propagator than
/// acoustic_iso_cd, f64, an adjoint run, sides that are neither zero nor damping, or other targets than one process on a CPU.
void check_arithmetic(const Shot& shot, const Target& target);

}  // namespace muster::seismic

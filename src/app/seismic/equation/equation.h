// How a wave equation is written down: once, for all targets.
//
// An equation has fields and parameters, each at a location of the cell, and phases that a time step runs in order. A phase is a
// list of updates that do not read what the phase writes, so that cells may be updated in any order. An update writes
// fields at one location:
//
//   output_i += sum over k of coefficient_ik * rate_k,   rate_k = sum of derivatives of fields,
//
// where the coefficients are parameters of the cell, times the time step. Which differences stand for a derivative follows from the
// locations: half a spacing apart, a staggered first derivative; at the same location, a central second one.
//
//   struct AcousticIso {
//     enum : int { p, vx, vy, vz };
//     static constexpr std::array kFields{Field{"p", kNode, Kind::pressure}, ...};
//     enum : int { bulk_modulus, buoyancy_x, ... };
//     static constexpr std::array kParameters{Parameter{"bulk_modulus", kNode, ...}, ...};
//     using Phases = List<Phase<Add<vx, buoyancy_x, D<p, Axis::x>>, ...>, Phase<Add<p, bulk_modulus, D<vx, Axis::x>, ...>>>;
//   };
//
// Kernels walk these types at compile time (advance-inl.h). Nothing here computes, so nothing here depends on a target.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "app/seismic/axis.h"
#include "app/seismic/medium.h"

namespace muster::seismic {

/// What a field is, which decides how it continues behind a free surface or a rigid wall.
enum class Kind : unsigned char { pressure, velocity_x, velocity_y, velocity_z, stress };

struct Field {
  std::string_view name;
  Location location;
  Kind kind = Kind::pressure;
  /// 1: the update adds to the field. 2: it adds to 2 * now - before, and both are kept.
  int time_order = 1;
};

/// A coefficient that is computed once from the medium at the nodes around its location (1, 2, 4 or 8 of them).
struct Parameter {
  std::string_view name;
  Location location;
  double (*value)(std::span<const Medium> nodes, double time_step);
};

/// A derivative of a field along an axis.
template <int FieldIndex, Axis Along>
struct D {
  static constexpr int kField = FieldIndex;
  static constexpr Axis kAxis = Along;
};

/// The sum of its derivatives.
template <class... Derivatives>
struct Rate {
  static constexpr std::size_t kCount = sizeof...(Derivatives);
};

template <class... Items>
struct List {
  static constexpr std::size_t kCount = sizeof...(Items);
};

template <class... Updates>
using Phase = List<Updates...>;

/// A step of an update: value[to] += parameter * value[from]. Values are numbered: the rates first, then intermediate ones, which
/// begin as zero, then the outputs. In reverse, with `to` and `from` exchanged, the steps are those of the adjoint.
struct Coupling {
  std::size_t to;
  std::size_t from;
  int parameter;
};

/// output += coefficient * (sum of derivatives).
template <int Output, int Coefficient, class... Derivatives>
struct Add {
  using Rates = List<Rate<Derivatives...>>;
  static constexpr std::size_t kIntermediate = 0;
  static constexpr std::array kOutputs{Output};
  static constexpr std::array kCouplings{Coupling{.to = 1, .from = 0, .parameter = Coefficient}};
};

/// How many derivatives an update, a phase or a list of phases has. Each has memory of its own in absorbing layers.
template <class T>
inline constexpr std::size_t kDerivatives = kDerivatives<typename T::Rates>;
template <class... Derivatives>
inline constexpr std::size_t kDerivatives<Rate<Derivatives...>> = sizeof...(Derivatives);
template <class... Items>
inline constexpr std::size_t kDerivatives<List<Items...>> = (0 + ... + kDerivatives<Items>);

}  // namespace muster::seismic

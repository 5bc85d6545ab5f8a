// How a wave equation is written down: once, for all targets.
//
// An equation has fields and parameters, each at a location of the cell, and phases that a time step runs in order. A phase is a
// list of updates that do not read what the phase writes, so that cells may be updated in any order. An update writes
// fields at one location:
//
//   output_i += sum over k of coefficient_ik * rate_k,   rate_k = sum of derivatives of fields,
//
// where the coefficients are parameters of the cell, times the time step. Which differences stand for a derivative follows from the
// locations: half a spacing apart, a staggered first derivative; at the same location, a central second one. Besides
// derivatives of fields, a rate may have derivatives of fields times parameters, and means of fields between their locations.
//
//   struct AcousticIso {
//     enum : int { p, vx, vy, vz };
//     static constexpr std::array kFields{Field{"p", kNode, Kind::stress}, ...};
//     enum : int { bulk_modulus, buoyancy_x, ... };
//     static constexpr std::array kParameters{Parameter{"bulk_modulus", kNode, ...}, ...};
//     using Phases = List<Phase<Add<vx, buoyancy_x, D<p, Axis::x>>, ...>, Phase<Add<p, bulk_modulus, D<vx, Axis::x>, ...>>>;
//   };
//
// Kernels walk these types at compile time (walk.h, cell.h). Nothing here computes, so nothing here depends on a target.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "app/seismic/axis.h"
#include "app/seismic/medium.h"

namespace muster::seismic {

/// What a field is, which decides how it continues behind a free surface or a rigid wall. Pressure counts as stress.
enum class Kind : unsigned char { stress, velocity };

struct Field {
  std::string_view name;
  Location location;
  Kind kind = Kind::stress;
  /// 0: the update sets the field. 1: it adds to the field. 2: it adds to 2 * now - before, and both are kept.
  int time_order = 1;
};

/// A coefficient that is computed once from the medium at the nodes around its location (1, 2, 4 or 8 of them).
struct Parameter {
  std::string_view name;
  Location location;
  double (*value)(std::span<const Node* const> nodes, double time_step);
};

template <class... Items>
struct List {
  static constexpr std::size_t kCount = sizeof...(Items);
};

/// A field times parameters of its own cell.
template <int FieldIndex, int... Parameters>
struct Term {
  static constexpr int kField = FieldIndex;
  static constexpr bool kHasParameters = sizeof...(Parameters) > 0;
};

/// The derivative of a sum of terms along an axis. All terms live at one location.
template <Axis Along, class First, class... Rest>
struct Derivative {
  static constexpr Axis kAxis = Along;
  static constexpr int kField = First::kField;  ///< of the first term
  using Terms = List<First, Rest...>;
};

template <int FieldIndex, Axis Along>
using D = Derivative<Along, Term<FieldIndex>>;

/// The mean of a field over the neighbours of a location: two along each axis in which the locations differ.
template <int FieldIndex>
struct Mean {
  static constexpr int kField = FieldIndex;
};

/// The sum of derivatives and means.
template <class... Items>
struct Rate {
  static constexpr std::size_t kCount = sizeof...(Items);
};

template <class... Updates>
using Phase = List<Updates...>;

/// A step of an update: value[to] += parameter * value[from]. Values are numbered: the rates first, then intermediate ones, which
/// begin as zero, then the outputs. In reverse, with `to` and `from` exchanged, the steps are those of the adjoint.
struct Coupling {
  std::size_t to;
  std::size_t from;
  int parameter;  ///< kOne: 1
};

inline constexpr int kOne = -1;

/// At a free surface the normal stress is 0. What an update gives it there is handed on to the other normal stresses, times
/// -numerator/denominator of two parameters: so the strain along the normal is the one that leaves no stress.
struct Condensation {
  int normal = 0;
  std::array<int, 2> others{};
  int numerator = 0;
  int denominator = 0;
};

/// output += coefficient * (sum of derivatives).
template <int Output, int Coefficient, class... Derivatives>
struct Add {
  using Rates = List<Rate<Derivatives...>>;
  static constexpr std::size_t kIntermediate = 0;
  static constexpr std::array kOutputs{Output};
  static constexpr std::array kCouplings{Coupling{.to = 1, .from = 0, .parameter = Coefficient}};
};

/// A share of all fields of a name.
struct NamedShare {
  std::string_view name;
  double share = 1;
};

/// What an isotropic medium's equation has nothing to say about: overridden where there is something.
struct Isotropic {
  static constexpr bool kIsAnisotropic = false;
  static constexpr std::array<Condensation, 0>
      kFreeSurface{};  ///< by axis, or none: the mirror image of stresses is enough
};
struct Anisotropic {
  static constexpr bool kIsAnisotropic = true;
  static constexpr std::array<Condensation, 0> kFreeSurface{};
};

/// How many items (derivatives and means) the rates of an update, a phase or a list of phases have. Each has memory of its own in absorbing
/// layers.
template <class T>
inline constexpr std::size_t kItems = kItems<typename T::Rates>;
template <class... Items>
inline constexpr std::size_t kItems<Rate<Items...>> = sizeof...(Items);
template <class... Items>
inline constexpr std::size_t kItems<List<Items...>> = (0 + ... + kItems<Items>);

}  // namespace muster::seismic

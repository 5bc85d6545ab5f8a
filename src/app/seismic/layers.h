// Absorbing layers at the sides of the grid: convolutional perfectly matched layers (CPML), multiaxial ones, and damping. They lie
// inside the grid.
//
// Some anisotropic waves travel into a layer while their phase travels out of it; a CPML makes them grow. A multiaxial layer
// damps the derivatives along all axes, those across by a ratio of the damping along its own: stable if the ratio is
// large enough, but no longer perfectly matched.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "app/seismic/axis.h"
#include "app/seismic/volume.h"

namespace muster::seismic {

/// `neighbour`: the grid goes on in another process.
enum class Boundary : unsigned char { cpml, damping, free_surface, periodic, rigid, zero, neighbour };

/// In shot files, in the order of Boundary.
inline constexpr std::array<std::string_view, 6> kBoundaryNames{"cpml",     "damping", "free-surface",
                                                                "periodic", "rigid",   "zero"};

constexpr bool absorbs(Boundary side) { return side == Boundary::cpml || side == Boundary::damping; }

/// The two sides of an axis.
struct Sides {
  Boundary low = Boundary::cpml;
  Boundary high = Boundary::cpml;

  constexpr bool operator==(const Sides&) const = default;
};

/// How much of an axis is layer: the cells from the low side on, and up to the high side.
struct Thickness {
  std::int64_t low = 0;
  std::int64_t high = 0;

  [[nodiscard]] bool any() const { return low + high > 0; }
};

/// What decides the strength of the layers.
struct LayerOptions {
  std::int64_t cells = 27;
  double reflection = 1e-6;  ///< of a wave at normal incidence, in the continuum
  double velocity = 0;       ///< of the fastest wave, in m/s
  double frequency = 0;      ///< at which the layer should still work for grazing waves, in Hz
  double time_step = 0;      ///< in s
  double ratio = 0;          ///< of a multiaxial layer's damping across to that along its axis; 0: CPML
  /// Cells at the layer's inner face that damp nothing: through them the medium becomes elliptical (elliptical.h).
  std::int64_t transition = 0;
  /// Cells inwards of the layer in which its terms still act: a stencil's radius where memory variables are differentiated.
  std::int64_t reach = 0;
};

/// Along one axis: CPML's recursion psi <- b psi + a d/dx, and the factor of damping, each at nodes [0] and half-way behind them [1].
template <class Real>
struct AxisProfiles {
  std::array<std::vector<Real>, 2> a;
  std::array<std::vector<Real>, 2> b;
  std::array<std::vector<Real>, 2> cross;  ///< of a multiaxial layer
  std::array<std::vector<Real>, 2> damping;
};

template <class Real>
struct Layers {
  PerAxis<Thickness> cpml;  ///< with `reach`
  /// Whether a layer goes on behind the sides of a part of the grid.
  PerAxis<bool> goes_on_low;
  PerAxis<bool> goes_on_high;
  bool has_damping = false;
  bool is_multiaxial = false;
  PerAxis<AxisProfiles<Real>> profiles;
};

/// Of the CPML or multiaxial layers of each axis, with `reach`.
PerAxis<Thickness> thickness_of(const PerAxis<Sides>& sides, const LayerOptions& options);

template <class Real>
Layers<Real> make_layers(const Extent& extent, const PerAxis<double>& spacing, const PerAxis<Sides>& sides,
                         const LayerOptions& options);

/// Whether an axis' layers lie on both sides of the cut before a cell.
bool goes_across(const Thickness& layer, std::int64_t extent, std::int64_t cell);

/// How much of an axis' layers lies in its cells from `first` up to `last`.
Thickness cut(const Thickness& layer, std::int64_t extent, std::int64_t first, std::int64_t last);

/// The layers as a part of the grid sees them.
template <class Real>
Layers<Real> cut(const Layers<Real>& layers, const Extent& extent, const Box& part);

extern template Layers<float> make_layers(const Extent&, const PerAxis<double>&, const PerAxis<Sides>&,
                                          const LayerOptions&);
extern template Layers<double> make_layers(const Extent&, const PerAxis<double>&, const PerAxis<Sides>&,
                                           const LayerOptions&);
extern template Layers<float> cut(const Layers<float>&, const Extent&, const Box&);
extern template Layers<double> cut(const Layers<double>&, const Extent&, const Box&);

}  // namespace muster::seismic

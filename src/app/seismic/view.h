// What kernels see of a state: pointers and numbers only, so that it can be handed to a GPU as it is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "app/seismic/axis.h"
#include "app/seismic/slab.h"

#ifdef __CUDACC__
#define MUSTER_EVERYWHERE __host__ __device__
#else
#define MUSTER_EVERYWHERE
#endif

namespace muster::seismic {

inline constexpr std::size_t kMostFields = 40;
inline constexpr std::size_t kMostParameters = 32;
inline constexpr std::size_t kMostItems = 80;
inline constexpr int kMostRadius = 8;

/// Along one axis: weights of the differences, profiles and thickness of the layers, and where their memory lies.
template <class Real>
struct AxisView {
  std::int64_t extent = 0;
  std::int64_t stride = 0;  ///< of fields and parameters
  Real staggered[kMostRadius] = {};
  Real central[kMostRadius] = {};
  Real central_middle = 0;
  std::int64_t layer_low = 0;  ///< cells of the CPML
  std::int64_t layer_high = 0;
  Slab slab;
  const Real* a[2] = {};  ///< at nodes, and half-way behind them
  const Real* b[2] = {};
  const Real* cross[2] = {};  ///< of a multiaxial layer: what b of the other axes is multiplied by
  const Real* damping[2] = {};
};

/// Pointers are to the first cell of the grid, or to the begin of the memory.
template <class Real>
struct View {
  int radius = 0;
  bool has_damping = false;
  bool is_multiaxial = false;
  PerAxis<AxisView<Real>> axes;
  Real* fields[kMostFields] = {};
  Real* before[kMostFields] = {};
  const Real* parameters[kMostParameters] = {};
  Real* psi[kMostItems] = {};
  Real* zeta[kMostItems] = {};

  [[nodiscard]] MUSTER_EVERYWHERE std::int64_t offset(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return x * axes.x.stride + y * axes.y.stride + z;
  }
  [[nodiscard]] MUSTER_EVERYWHERE bool is_in_layer(Axis axis, std::int64_t cell) const {
    const AxisView<Real>& along = axes[axis];
    return cell < along.layer_low || cell >= along.extent - along.layer_high;
  }
  /// The axis in whose slab a multiaxial cell has its memory: the first one in whose layers it is.
  [[nodiscard]] MUSTER_EVERYWHERE Axis slab_axis(std::int64_t x, std::int64_t y) const {
    return is_in_layer(Axis::x, x) ? Axis::x : is_in_layer(Axis::y, y) ? Axis::y : Axis::z;
  }
  /// The offset of a cell in the memory of a derivative that lies in the slab of `axis`.
  [[nodiscard]] MUSTER_EVERYWHERE std::int64_t memory_offset(Axis axis, std::int64_t x, std::int64_t y,
                                                             std::int64_t z) const {
    const AxisView<Real>& along = axes[axis];
    const std::int64_t cell = axis == Axis::x ? x : axis == Axis::y ? y : z;
    const std::int64_t shift = cell < along.layer_low ? 0 : along.slab.high_shift;
    return along.slab.first + shift + x * along.slab.stride.x + y * along.slab.stride.y + z;
  }
};

}  // namespace muster::seismic

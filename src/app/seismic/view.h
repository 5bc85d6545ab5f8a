// What kernels see of a state: pointers and numbers only, so that it can be handed to a GPU as it is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "app/seismic/axis.h"
#include "app/seismic/volume.h"

#ifdef __CUDACC__
#define MUSTER_EVERYWHERE __host__ __device__
#else
#define MUSTER_EVERYWHERE
#endif

namespace muster::seismic {

inline constexpr std::size_t kMostFields = 40;
inline constexpr std::size_t kMostParameters = 32;
inline constexpr std::size_t kMostDerivatives = 80;
inline constexpr int kMostRadius = 8;

/// Along one axis: weights of the differences, profiles and thickness of the layers.
template <class Real>
struct AxisView {
  std::int64_t extent = 0;
  std::int64_t stride = 0;  ///< of fields and parameters
  Real staggered[kMostRadius] = {};
  Real central[kMostRadius] = {};
  Real central_middle = 0;
  std::int64_t layer_low = 0;  ///< cells of the CPML
  std::int64_t layer_high = 0;
  Extent memory_stride;  ///< of memory in the layers of this axis
  const Real* a[2] = {};
  const Real* b[2] = {};
  const Real* damping[2] = {};
};

/// Pointers are to the first cell of the grid, or of the memory.
template <class Real>
struct View {
  int radius = 0;
  bool has_damping = false;
  PerAxis<AxisView<Real>> axes;
  Real* fields[kMostFields] = {};
  Real* before[kMostFields] = {};
  const Real* parameters[kMostParameters] = {};
  Real* psi[kMostDerivatives] = {};
  Real* zeta[kMostDerivatives] = {};

  [[nodiscard]] MUSTER_EVERYWHERE std::int64_t offset(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return x * axes.x.stride + y * axes.y.stride + z;
  }
  [[nodiscard]] MUSTER_EVERYWHERE bool is_in_layer(Axis axis, std::int64_t cell) const {
    const AxisView<Real>& along = axes[axis];
    return cell < along.layer_low || cell >= along.extent - along.layer_high;
  }
  /// The offset in the memory of a derivative along `axis`, of a cell in the layers of that axis. Between both layers lie their inner
  /// halos.
  [[nodiscard]] MUSTER_EVERYWHERE std::int64_t memory_offset(Axis axis, std::int64_t x, std::int64_t y,
                                                             std::int64_t z) const {
    const AxisView<Real>& along = axes[axis];
    const std::int64_t cell = axis == Axis::x ? x : axis == Axis::y ? y : z;
    const std::int64_t shift =
        cell < along.layer_low ? 0 : along.layer_low + 2 * radius + along.layer_high - along.extent;
    (axis == Axis::x ? x : axis == Axis::y ? y : z) += shift;
    return x * along.memory_stride.x + y * along.memory_stride.y + z;
  }
};

}  // namespace muster::seismic

// The four cells of a thread while it goes through planes of x: their differences, and the memory of CPMLs that they need. All sums are those
// of cell.h, in the same order.
#pragma once

#include <cstdint>

#include "app/seismic/cuda/plane_ring.cuh"
#include "app/seismic/cuda/tiles.cuh"
#include "app/seismic/cuda/vector.cuh"
#include "app/seismic/view.h"

namespace muster::seismic::constant_density {

/// Slots of the derivatives along x, y and z.
enum : int { kSlotX, kSlotY, kSlotZ };

/// b remembered + a value.
__device__ __forceinline__ Four recur(const Four& a, const Four& b, const Four& value, const Four& remembered) {
  return fused(a, value, b * remembered);
}
__device__ __forceinline__ Four recur(float a, float b, const Four& value, const Four& remembered) {
  return fused(a, value, b * remembered);
}

/// The staggered derivative of at(shift) to half-way behind the node, or back from there.
template <bool IsForward, class At>
__device__ __forceinline__ Four first_derivative(const float* weights, const At& at) {
  constexpr int kAhead = IsForward ? 0 : -1;
  constexpr int kBehind = IsForward ? 1 : 0;
  Four sum = weights[0] * (at(1 + kAhead) - at(kBehind - 1));
#pragma unroll
  for (int m = 2; m <= kRadius; ++m) sum = fused(weights[m - 1], at(m + kAhead) - at(kBehind - m), sum);
  return sum;
}

template <class At>
__device__ __forceinline__ Four second_derivative(const AxisView<float>& along, const At& at) {
  Four sum = along.central_middle * at(0);
#pragma unroll
  for (int m = 1; m <= kRadius; ++m) sum = fused(along.central[m - 1], at(m) + at(-m), sum);
  return sum;
}

/// value + derivative of psi, and zeta of that.
template <class Factor>
__device__ __forceinline__ Four stretch(const Four& value, const Four& of_psi, Four& zeta, const Factor& a,
                                        const Factor& b) {
  const Four stretched = value + of_psi;
  zeta = recur(a, b, stretched, zeta);
  return stretched + zeta;
}

/// Memory of the layers that a thread needs for a plane, loaded one plane ahead of its use.
template <bool IsInX, bool IsInYZ>
struct Remembered {
  Four psi_x;  ///< of plane x + 3
  Four zeta_x;
  Four zeta_y;
  Four psi_z;
  Four zeta_z;
};

/// The four cells of a thread.
template <bool IsInX, bool IsInYZ>
struct Column {
  static constexpr int kLead = IsInX ? 7 : 4;  ///< planes that the column reaches ahead
  static constexpr int kLength = kLead + kRadius + 1;

  const View<float>& view;
  const Ring& ring;
  int own;  ///< offset in a plane of the ring
  int y;
  int z;
  bool is_inside;
  int first_x;
  int last_x;
  Four values[kLength];  ///< of planes x - 4 to x + kLead
  Four psi[IsInX ? 8 : 1];  ///< along x, of planes x - 4 to x + 3
  bool is_in_y;
  bool is_in_z[4];
  bool is_any_in_z;

  __device__ __forceinline__ void find_layers() {
    is_in_y = IsInYZ && is_inside && view.is_in_layer(Axis::y, y);
    is_any_in_z = false;
    for (int i = 0; i < 4; ++i) {
      is_in_z[i] = IsInYZ && is_inside && z + i < view.axes.z.extent && view.is_in_layer(Axis::z, z + i);
      is_any_in_z |= is_in_z[i];
    }
  }

  [[nodiscard]] __device__ __forceinline__ bool has_psi_x(int plane) const {
    return IsInX && is_inside && plane >= first_x && plane < last_x;
  }
  [[nodiscard]] __device__ __forceinline__ std::int64_t offset_x(int plane) const {
    return view.memory_offset(Axis::x, plane, y, z);
  }
  [[nodiscard]] __device__ __forceinline__ std::int64_t offset_y(int x) const {
    return view.memory_offset(Axis::y, x, y, z);
  }
  /// A group that reaches out of the layer is at its inner face.
  [[nodiscard]] __device__ __forceinline__ std::int64_t offset_z(int x) const {
    const int inside = is_in_z[0] ? z : z + 3;
    return view.memory_offset(Axis::z, x, y, inside) - (inside - z);
  }

  [[nodiscard]] __device__ __forceinline__ Remembered<IsInX, IsInYZ> recall(int x) const {
    Remembered<IsInX, IsInYZ> memory;
    if (IsInX && has_psi_x(x + 3)) memory.psi_x = load_once(view.psi[kSlotX] + offset_x(x + 3));
    if (IsInX && has_psi_x(x)) memory.zeta_x = load_once(view.zeta[kSlotX] + offset_x(x));
    if (is_in_y) memory.zeta_y = load_once(view.zeta[kSlotY] + offset_y(x));
    if (is_any_in_z) {
      memory.psi_z = load_once(view.psi[kSlotZ] + offset_z(x));
      memory.zeta_z = load_once(view.zeta[kSlotZ] + offset_z(x));
    }
    return memory;
  }

  /// Asks for psi of y, which other threads read too, so that it is in the cache by its plane.
  __device__ __forceinline__ void prefetch_psi_y(int x) const {
    if (is_in_y) prefetch_line(view.psi[kSlotY] + offset_y(x));
  }

  __device__ __forceinline__ void push(int plane) {
#pragma unroll
    for (int k = 0; k + 1 < kLength; ++k) values[k] = values[k + 1];
    if (plane >= ring.last) return;
    ring.wait(plane);
    values[kLength - 1] = load<4>(ring[plane] + own);
  }

  /// psi of plane x + 3, from what it was.
  __device__ __forceinline__ void push_psi(int x, const Four& remembered) {
#pragma unroll
    for (int k = 0; k < 7; ++k) psi[k] = psi[k + 1];
    psi[7] = all<4>(0);
    const int plane = x + 3;
    if (!has_psi_x(plane)) return;
    const AxisView<float>& along = view.axes.x;
    const Four slope = first_derivative<true>(along.staggered, [&](int m) { return values[4 + 3 + m]; });
    psi[7] = recur(along.a[1][plane], along.b[1][plane], slope, remembered);
    store_once(view.psi[kSlotX] + offset_x(plane), psi[7]);
  }

  __device__ __forceinline__ Four along_x(int x, Four& zeta) const {
    const AxisView<float>& along = view.axes.x;
    const Four value = second_derivative(along, [&](int m) { return values[4 + m]; });
    if constexpr (!IsInX) {
      return value;
    } else {
      if (!is_inside) return value;
      const Four of_psi = first_derivative<false>(along.staggered, [&](int m) { return psi[4 + m]; });
      const Four sum = stretch(value, of_psi, zeta, along.a[0][x], along.b[0][x]);
      store_once(view.zeta[kSlotX] + offset_x(x), zeta);
      return sum;
    }
  }

  /// The derivative of psi along y.
  [[nodiscard]] __device__ __forceinline__ Four slope_of_psi_y(int x) const {
    const AxisView<float>& along = view.axes.y;
    const float* memory = view.psi[kSlotY] + offset_y(x);
    return first_derivative<false>(along.staggered,
                                   [&](int m) { return load<4>(memory + m * static_cast<int>(along.slab.stride.y)); });
  }

  __device__ __forceinline__ Four along_y(int x, const float* plane, const Four& of_psi, Four& zeta) const {
    const AxisView<float>& along = view.axes.y;
    const Four value =
        second_derivative(along, [&](int m) { return m == 0 ? values[4] : load<4>(plane + own + m * kTileRow); });
    if (!is_in_y) return value;
    const Four sum = stretch(value, of_psi, zeta, along.a[0][y], along.b[0][y]);
    store_once(view.zeta[kSlotY] + offset_y(x), zeta);
    return sum;
  }

  __device__ __forceinline__ Four along_z(int x, const float* plane, Remembered<IsInX, IsInYZ>& memory) const {
    const AxisView<float>& along = view.axes.z;
    const Window<4> row([&](int shift) { return shift == 0 ? values[4] : load<4>(plane + own + shift); });
    const Four value = second_derivative(along, [&](int m) { return row.shifted(m); });
    if constexpr (!IsInYZ) {
      return value;
    } else {
      return in_layer_of_z(x, row, value, memory);
    }
  }

  /// All threads of a warp come here: they exchange psi with those of the same row.
  __device__ __forceinline__ Four in_layer_of_z(int x, const Window<4>& row, const Four& value,
                                                Remembered<IsInX, IsInYZ>& memory) const {
    const AxisView<float>& along = view.axes.z;
    Four psi_here = all<4>(0);
    if (is_any_in_z) {
      const Four slope = first_derivative<true>(along.staggered, [&](int m) { return row.shifted(m); });
      psi_here = recur(load<4>(along.a[1] + z), load<4>(along.b[1] + z), slope, memory.psi_z);
      store_once(view.psi[kSlotZ] + offset_z(x), psi_here);
    }
    Four before;
    Four behind;
    const int lane = static_cast<int>(threadIdx.x);
    for (int i = 0; i < 4; ++i) {
      const float from_before = __shfl_up_sync(~0U, psi_here[i], 1, kTileZ / 4);
      const float from_behind = __shfl_down_sync(~0U, psi_here[i], 1, kTileZ / 4);
      before[i] = lane == 0 ? 0 : from_before;
      behind[i] = lane == kTileZ / 4 - 1 ? 0 : from_behind;
    }
    if (!is_any_in_z) return value;
    const Window<4> psi_row([&](int shift) { return shift < 0 ? before : shift > 0 ? behind : psi_here; });
    const Four of_psi = first_derivative<false>(along.staggered, [&](int m) { return psi_row.shifted(m); });
    const Four stretched = stretch(value, of_psi, memory.zeta_z, load<4>(along.a[0] + z), load<4>(along.b[0] + z));
    store_once(view.zeta[kSlotZ] + offset_z(x), memory.zeta_z);
    return each<4>([&](int i) { return is_in_z[i] ? stretched[i] : value[i]; });
  }
};

}  // namespace muster::seismic::constant_density

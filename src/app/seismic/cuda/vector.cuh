// Cells that follow each other along z, as one value: what a thread loads and stores at once.
#pragma once

namespace muster::seismic {

template <int Width>
struct alignas(4 * Width) Vector {
  float at[Width];

  __device__ __forceinline__ float& operator[](int i) { return at[i]; }
  __device__ __forceinline__ const float& operator[](int i) const { return at[i]; }
};

using Four = Vector<4>;

/// result[i] = compute(i).
template <int Width, class Compute>
__device__ __forceinline__ Vector<Width> each(const Compute& compute) {
  Vector<Width> result;
#pragma unroll
  for (int i = 0; i < Width; ++i) result[i] = compute(i);
  return result;
}

template <int Width>
__device__ __forceinline__ Vector<Width> load(const float* from) {
  if constexpr (Width == 4) {
    const float4 v = *reinterpret_cast<const float4*>(from);
    return {{v.x, v.y, v.z, v.w}};
  } else {
    static_assert(Width == 2, "loads of 8 or 16 bytes");
    const float2 v = *reinterpret_cast<const float2*>(from);
    return {{v.x, v.y}};
  }
}
template <int Width>
__device__ __forceinline__ void store(float* to, const Vector<Width>& v) {
  if constexpr (Width == 4) {
    *reinterpret_cast<float4*>(to) = {v[0], v[1], v[2], v[3]};
  } else {
    static_assert(Width == 2, "stores of 8 or 16 bytes");
    *reinterpret_cast<float2*>(to) = {v[0], v[1]};
  }
}
/// Of values that no other thread reads soon.
__device__ __forceinline__ Four load_once(const float* from) {
  const float4 v = __ldcs(reinterpret_cast<const float4*>(from));
  return {{v.x, v.y, v.z, v.w}};
}
__device__ __forceinline__ void store_once(float* to, const Four& v) {
  __stcs(reinterpret_cast<float4*>(to), float4{v[0], v[1], v[2], v[3]});
}

/// Asks for the line of the cache around an address.
__device__ __forceinline__ void prefetch_line(const float* from) {
  asm volatile("prefetch.global.L2 [%0];" ::"l"(from));
}

template <int Width>
__device__ __forceinline__ Vector<Width> all(float value) {
  return each<Width>([&](int) { return value; });
}
template <int Width>
__device__ __forceinline__ Vector<Width> operator+(const Vector<Width>& a, const Vector<Width>& b) {
  return each<Width>([&](int i) { return a[i] + b[i]; });
}
template <int Width>
__device__ __forceinline__ Vector<Width> operator-(const Vector<Width>& a, const Vector<Width>& b) {
  return each<Width>([&](int i) { return a[i] - b[i]; });
}
template <int Width>
__device__ __forceinline__ Vector<Width> operator*(const Vector<Width>& a, const Vector<Width>& b) {
  return each<Width>([&](int i) { return a[i] * b[i]; });
}
template <int Width>
__device__ __forceinline__ Vector<Width> operator*(float a, const Vector<Width>& b) {
  return each<Width>([&](int i) { return a * b[i]; });
}
template <int Width>
__device__ __forceinline__ Vector<Width> fused(const Vector<Width>& a, const Vector<Width>& b, const Vector<Width>& c) {
  return each<Width>([&](int i) { return fmaf(a[i], b[i], c[i]); });
}
template <int Width>
__device__ __forceinline__ Vector<Width> fused(float a, const Vector<Width>& b, const Vector<Width>& c) {
  return each<Width>([&](int i) { return fmaf(a, b[i], c[i]); });
}

/// Values along z: a thread's own, and the four before and behind them.
template <int Width>
struct Window {
  float at[Width + 8];

  /// `load_at(shift)` are the values that many cells further on: a multiple of the width.
  template <class LoadAt>
  __device__ __forceinline__ explicit Window(const LoadAt& load_at) {
#pragma unroll
    for (int first = 0; first < Width + 8; first += Width) {
      const Vector<Width> values = load_at(first - 4);
#pragma unroll
      for (int i = 0; i < Width; ++i) at[first + i] = values[i];
    }
  }
  /// The values `shift` cells further on, -4 to 4.
  [[nodiscard]] __device__ __forceinline__ Vector<Width> shifted(int shift) const {
    return each<Width>([&](int i) { return at[4 + shift + i]; });
  }
};

}  // namespace muster::seismic

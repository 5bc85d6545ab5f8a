// What the derivatives along x of a thread's cells read, while the thread goes through planes of x: each value is loaded, and each product
// computed, once. A thread has a column of its own in shared memory, so that no thread waits for another.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "app/seismic/cuda/vector.cuh"
#include "app/seismic/equation/walk.h"

namespace muster::seismic {

/// Which items of an update are derivatives along x.
template <class Update>
constexpr std::array<bool, kItems<Update>> items_along_x() {
  std::array<bool, kItems<Update>> is_along_x{};
  for_each_item<Update, 0>([&]<class Item, std::size_t I>() {
    if constexpr (!kIsMean<Item>) is_along_x[I] = Item::kAxis == Axis::x;
  });
  return is_along_x;
}

/// How many of the first `count` items are.
template <class Update>
constexpr int count_along_x(std::size_t count = kItems<Update>) {
  const std::array<bool, kItems<Update>> is_along_x = items_along_x<Update>();
  int sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += is_along_x[i] ? 1 : 0;
  return sum;
}

/// Whether an update has derivatives of fields times parameters.
template <class Update>
constexpr bool has_products() {
  bool has = false;
  for_each_item<Update, 0>([&]<class Item, std::size_t I>() {
    for_each_term<Item>([&]<class Term>() { has |= Term::kHasParameters; });
  });
  return has;
}

/// The planes that a derivative reads.
inline constexpr int kQueuedPlanes = 8;

template <int Width, int Threads>
struct PlaneQueue {
  static constexpr int kBytesOfOne = kQueuedPlanes * Threads * Width * 4;  ///< of one derivative, for all threads

  float* own;  ///< of this thread
  int oldest = 0;

  /// 0 is the latest plane, 7 the oldest.
  [[nodiscard]] __device__ __forceinline__ Vector<Width> at(int number, int planes_before) const {
    return load<Width>(place(number, (oldest + kQueuedPlanes - 1 - planes_before) % kQueuedPlanes));
  }
  /// The next plane takes the place of the oldest one: for all derivatives, then advance().
  __device__ __forceinline__ void replace_oldest(int number, const Vector<Width>& next) const {
    store(place(number, oldest), next);
  }
  __device__ __forceinline__ void advance() { oldest = (oldest + 1) % kQueuedPlanes; }

  [[nodiscard]] __device__ __forceinline__ float* place(int number, int slot) const {
    return own + (number * kQueuedPlanes + slot) * (Threads * Width);
  }
};

}  // namespace muster::seismic

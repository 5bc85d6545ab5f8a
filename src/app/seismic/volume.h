// Three-dimensional arrays. z runs fastest, as in a depth trace; rows begin at multiples of 128 bytes. Around the cells lies a
// halo, at least as wide as a stencil's radius: what a stencil reads outside the grid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "app/seismic/axis.h"
#include "app/seismic/large_memory.h"

namespace muster::seismic {

using Extent = PerAxis<std::int64_t>;

constexpr std::int64_t cells_of(const Extent& extent) { return extent.x * extent.y * extent.z; }

/// The cells from `first` up to, not including, `last`.
struct Box {
  Extent first;
  Extent last;

  constexpr bool operator==(const Box&) const = default;
};

constexpr Box whole(const Extent& extent) { return {.first = {}, .last = extent}; }

/// Rows begin at multiples of this many values: a line of a GPU's cache has 128 bytes, 32 of f32.
inline constexpr std::int64_t kRow = 32;

/// Where the cells of an array lie in memory.
class Layout {
 public:
  Layout() = default;
  Layout(const Extent& extent, std::int64_t halo) : extent_(extent), halo_(halo) {
    const auto round_up = [](std::int64_t value) { return (value + kRow - 1) / kRow * kRow; };
    front_ = round_up(halo);
    stride_.z = 1;
    stride_.y = front_ + round_up(extent.z + halo);
    // Rows a multiple of 4 KiB apart would share few sets of the cache.
    if (stride_.y % 512 == 0) stride_.y += kRow;
    stride_.x = stride_.y * (extent.y + 2 * halo);
    size_ = stride_.x * (extent.x + 2 * halo) + kRow;
  }

  [[nodiscard]] const Extent& extent() const { return extent_; }
  [[nodiscard]] std::int64_t halo() const { return halo_; }
  [[nodiscard]] std::int64_t stride(Axis axis) const { return stride_[axis]; }
  /// How many values an array has, halo and padding included.
  [[nodiscard]] std::int64_t size() const { return size_; }
  [[nodiscard]] std::int64_t offset(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return (x + halo_) * stride_.x + (y + halo_) * stride_.y + front_ + z;
  }

 private:
  Extent extent_;
  std::int64_t halo_ = 0;
  std::int64_t front_ = 0;
  Extent stride_;
  std::int64_t size_ = 0;
};

/// A flat array of zeros that begins at a multiple of 128 bytes.
template <class Real>
class Array {
 public:
  Array() = default;
  explicit Array(std::int64_t size) : size_(size), memory_(bytes()), values_(static_cast<Real*>(memory_.data())) {
    std::uninitialized_fill_n(values_, size, Real{0});
  }

  [[nodiscard]] Real* data() { return values_; }
  [[nodiscard]] const Real* data() const { return values_; }
  [[nodiscard]] std::span<Real> values() { return {values_, static_cast<std::size_t>(size_)}; }
  [[nodiscard]] std::span<const Real> values() const { return {values_, static_cast<std::size_t>(size_)}; }
  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(size_) * sizeof(Real); }

 private:
  std::int64_t size_ = 0;
  LargeMemory memory_;
  Real* values_ = nullptr;
};

/// An array of zeros with a layout.
template <class Real>
class Volume {
 public:
  Volume() = default;
  explicit Volume(const Layout& layout) : layout_(layout), array_(layout.size()) {}

  [[nodiscard]] const Layout& layout() const { return layout_; }
  [[nodiscard]] Real* data() { return array_.data(); }
  [[nodiscard]] const Real* data() const { return array_.data(); }
  [[nodiscard]] std::span<Real> values() { return array_.values(); }
  [[nodiscard]] std::span<const Real> values() const { return array_.values(); }
  [[nodiscard]] Real& at(std::int64_t x, std::int64_t y, std::int64_t z) { return data()[layout_.offset(x, y, z)]; }
  [[nodiscard]] Real at(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return data()[layout_.offset(x, y, z)];
  }
  [[nodiscard]] std::size_t bytes() const { return array_.bytes(); }

 private:
  Layout layout_;
  Array<Real> array_;
};

}  // namespace muster::seismic

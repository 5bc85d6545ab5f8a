// Axes of the grid, and where in its cell a value lives.
#pragma once

#include <array>
#include <cstddef>

namespace muster::seismic {

enum class Axis : unsigned char { x, y, z };

inline constexpr std::array kAxes{Axis::x, Axis::y, Axis::z};

constexpr std::size_t index_of(Axis axis) { return static_cast<std::size_t>(axis); }

/// At the node of its cell, or half a spacing further along some axes.
struct Location {
  bool half_x = false;
  bool half_y = false;
  bool half_z = false;

  [[nodiscard]] constexpr bool is_half(Axis axis) const {
    return axis == Axis::x ? half_x : axis == Axis::y ? half_y : half_z;
  }
  /// The location half a spacing away along `axis`.
  [[nodiscard]] constexpr Location across(Axis axis) const {
    Location other = *this;
    (axis == Axis::x ? other.half_x : axis == Axis::y ? other.half_y : other.half_z) ^= true;
    return other;
  }
  constexpr bool operator==(const Location&) const = default;
};

inline constexpr Location kNode{};
inline constexpr Location kHalfX{.half_x = true};
inline constexpr Location kHalfY{.half_y = true};
inline constexpr Location kHalfZ{.half_z = true};
inline constexpr Location kHalfXY{.half_x = true, .half_y = true};
inline constexpr Location kHalfXZ{.half_x = true, .half_z = true};
inline constexpr Location kHalfYZ{.half_y = true, .half_z = true};
inline constexpr Location kHalfXYZ{.half_x = true, .half_y = true, .half_z = true};

/// A value for each axis.
template <class T>
struct PerAxis {
  T x{};
  T y{};
  T z{};

  constexpr T& operator[](Axis axis) { return axis == Axis::x ? x : axis == Axis::y ? y : z; }
  constexpr const T& operator[](Axis axis) const { return axis == Axis::x ? x : axis == Axis::y ? y : z; }
  constexpr bool operator==(const PerAxis&) const = default;
};

}  // namespace muster::seismic

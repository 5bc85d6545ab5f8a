// Columns and rows, which meshes and tori have.
#pragma once

#include <compare>
#include <cstdint>

namespace muster {

/// Column and row on a mesh or a torus.
struct Coordinates {
  std::int32_t x = 0;
  std::int32_t y = 0;
  auto operator<=>(const Coordinates&) const = default;
};

}  // namespace muster

// Measurements of a 25-point stencil on a CS-2 with SDK 0.3.0, 850 MHz: "Massively scalable stencil algorithm" (2022).
#pragma once

#include <array>
#include <cstdint>

namespace muster::stencil {

struct PublishedRun {
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::int64_t cells = 0;  ///< along z
  std::int64_t block = 0;
  std::int64_t steps = 0;
  double seconds = 0;
  double cells_per_second = 0;
};

/// Table II: a GPU (A100) on the largest grid, in the same number of steps.
inline constexpr double kGpuSeconds = 17.4186;

/// Table II: 1,000 steps. Its blocks are those of Table III.
inline constexpr std::array<PublishedRun, 8> kWeakScaling{{
    {200, 200, 1000, 334, 1000, 0.0750, 533.64e9},
    {400, 400, 1000, 334, 1000, 0.0763, 2097.60e9},
    {600, 600, 1000, 334, 1000, 0.0761, 4731.53e9},
    {755, 500, 1000, 334, 1000, 0.0762, 4956.17e9},
    {755, 600, 1000, 334, 1000, 0.0762, 5945.40e9},
    {755, 900, 1000, 334, 1000, 0.0762, 8922.08e9},
    {755, 990, 1000, 334, 1000, 0.0764, 9782.14e9},
    {755, 994, 1000, 334, 1000, 0.0761, 9862.78e9},
}};

/// Table III: 100,000 steps.
inline constexpr std::array<PublishedRun, 7> kColumns{{
    {755, 994, 100, 100, 100'000, 0.8637, 8688.76e9},
    {755, 994, 200, 200, 100'000, 1.6133, 9303.26e9},
    {755, 994, 300, 300, 100'000, 2.3716, 9492.89e9},
    {755, 994, 400, 400, 100'000, 3.1223, 9614.15e9},
    {755, 994, 500, 250, 100'000, 3.8342, 9786.51e9},
    {755, 994, 700, 350, 100'000, 5.3143, 9885.04e9},
    {755, 994, 1000, 334, 100'000, 7.5524, 9936.79e9},
}};

}  // namespace muster::stencil

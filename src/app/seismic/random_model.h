// A medium for tests and benchmarks.
#pragma once

#include <cstdint>

#include "app/seismic/model.h"
#include "base/random.h"

namespace muster::seismic {

/// A medium that differs from node to node in everything.
class RandomModel final : public Model {
 public:
  explicit RandomModel(std::uint64_t seed) : seed_(seed) {}
  [[nodiscard]] Medium at(const Extent& node) const override {
    const auto unit = [&](std::uint64_t which) {
      const auto index = static_cast<std::uint64_t>((node.x * 1000 + node.y) * 1000 + node.z);
      return static_cast<double>(random_bits(seed_, index, which) >> 11U) * 0x1p-53;
    };
    const double delta = 0.1 * unit(3);
    return {.vp = 2000 + 1000 * unit(0),
            .vs = 500 + 800 * unit(1),
            .rho = 1 + unit(2),
            .epsilon = delta + 0.1 * unit(4),
            .delta = delta,
            .gamma = 0.1 * unit(5),
            .theta = unit(6),
            .phi = 6 * unit(7)};
  }

 private:
  std::uint64_t seed_;
};

}  // namespace muster::seismic

// What moved through every router, and when, as a number per cell (a color at a router): two cells have the same number if the
// same wavelets moved in the same cycles, and otherwise with a probability of about 2^-64. Kept only where it is asked for.
#pragma once

#include <cstdint>
#include <vector>

#include "backend/wafer/simulate/fabric.h"

namespace muster::wafer {

/// That of the cells of a strip.
class History {
 public:
  History(std::int32_t first_cell, std::size_t cells) : first_cell_(first_cell), of_cell_(cells, 1) {}

  /// A wavelet leaves a cell in cycle `now`, by its present switch position.
  void moves(std::int32_t cell, Position position, Tick now) {
    std::uint64_t& sum = of_cell_[static_cast<std::size_t>(cell - first_cell_)];
    const auto sides = static_cast<std::uint64_t>(position.from) << 8U | position.to;
    sum = mixed(sum ^ mixed(sides << 32U | static_cast<std::uint32_t>(now)));
  }
  [[nodiscard]] std::uint64_t of_cell(std::int32_t cell) const {
    return of_cell_[static_cast<std::size_t>(cell - first_cell_)];
  }

  /// A bijection of 64 bits without pattern (the finalizer of SplitMix64).
  static constexpr std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ x >> 30U) * 0xbf58476d1ce4e5b9U;
    x = (x ^ x >> 27U) * 0x94d049bb133111ebU;
    return x ^ x >> 31U;
  }

 private:
  std::int32_t first_cell_;
  std::vector<std::uint64_t> of_cell_;
};

}  // namespace muster::wafer

// What the benchmarks compare with: a straightforward port of Minimod's acoustic_iso_cd, as its paper describes it (algorithm 2): plain
// loops over the cells, threads over x, one loop body for the inner cells and one for those in the damping layer. Its layer is a damping alone, with
// a division per cell; the paper does not print Minimod's. Compiled with -O3 -march=native -ffast-math. g++ 12 leaves such loops scalar; marked with
// `omp simd`, it makes vectors of them.
#pragma once

#include <cstdint>
#include <vector>

namespace muster {

class MinimodPort {
 public:
  /// A cube of `cells` along each axis, `layer` of them at each side in the layer; `courant` is velocity * time step / spacing.
  MinimodPort(std::int64_t cells, std::int64_t layer, float courant);

  enum class Loops : unsigned char { plain, marked };
  void step(int threads, Loops loops);

  [[nodiscard]] float& at(std::int64_t x, std::int64_t y, std::int64_t z) { return now_[index(x, y, z)]; }

 private:
  template <Loops Kind>
  void step_with(int threads);
  [[nodiscard]] std::size_t index(std::int64_t x, std::int64_t y, std::int64_t z) const;

  std::int64_t cells_;
  std::int64_t layer_;
  std::int64_t row_;    ///< distance of cells next to each other along y
  std::int64_t plane_;  ///< along x
  std::vector<float> now_;
  std::vector<float> before_;
  std::vector<float> velocity_;  ///< squared, times the time step squared
  std::vector<float> eta_;       ///< of the damping, times the time step
};

}  // namespace muster

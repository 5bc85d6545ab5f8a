#include "minimod_port.h"

#include <algorithm>
#include <utility>

namespace muster {
namespace {

using Loops = MinimodPort::Loops;

constexpr std::int64_t kHalo = 4;
constexpr float kMiddle = -205.0F / 72 * 3;
constexpr float kFirst = 8.0F / 5;
constexpr float kSecond = -1.0F / 5;
constexpr float kThird = 8.0F / 315;
constexpr float kFourth = -1.0F / 560;
constexpr float kStrongest = 0.15F;  ///< damping at the outer side of the layer

/// Written out, as Minimod has it: compilers make vectors of it.
inline float laplacian(const float* u, std::int64_t y, std::int64_t x) {
  return kMiddle * u[0] +                                                          //
         kFirst * (u[1] + u[-1] + u[y] + u[-y] + u[x] + u[-x]) +                   //
         kSecond * (u[2] + u[-2] + u[2 * y] + u[-2 * y] + u[2 * x] + u[-2 * x]) +  //
         kThird * (u[3] + u[-3] + u[3 * y] + u[-3 * y] + u[3 * x] + u[-3 * x]) +   //
         kFourth * (u[4] + u[-4] + u[4 * y] + u[-4 * y] + u[4 * x] + u[-4 * x]);
}

/// A row of the arrays.
struct Row {
  const float* now;
  float* before;
  const float* velocity;
  const float* eta;
  std::int64_t y;  ///< distance of cells next to each other along y
  std::int64_t x;
};

template <Loops Kind>
void inner(const Row& row, std::int64_t first, std::int64_t last) {
  const float* __restrict u = row.now;
  float* __restrict v = row.before;
  const float* __restrict velocity = row.velocity;
  const std::int64_t y = row.y;
  const std::int64_t x = row.x;
  if constexpr (Kind == Loops::marked) {
#pragma omp simd
    for (std::int64_t z = first; z < last; ++z) v[z] = 2 * u[z] - v[z] + velocity[z] * laplacian(u + z, y, x);
  } else {
    for (std::int64_t z = first; z < last; ++z) v[z] = 2 * u[z] - v[z] + velocity[z] * laplacian(u + z, y, x);
  }
}

/// u_tt + 2 eta u_t + eta^2 u = velocity^2 laplacian(u), with central differences in time.
template <Loops Kind>
void damped(const Row& row, std::int64_t first, std::int64_t last) {
  const float* __restrict u = row.now;
  float* __restrict v = row.before;
  const float* __restrict velocity = row.velocity;
  const float* __restrict eta = row.eta;
  const std::int64_t y = row.y;
  const std::int64_t x = row.x;
  if constexpr (Kind == Loops::marked) {
#pragma omp simd
    for (std::int64_t z = first; z < last; ++z) {
      const float e = eta[z];
      v[z] = ((2 - e * e) * u[z] - (1 - e) * v[z] + velocity[z] * laplacian(u + z, y, x)) / (1 + e);
    }
  } else {
    for (std::int64_t z = first; z < last; ++z) {
      const float e = eta[z];
      v[z] = ((2 - e * e) * u[z] - (1 - e) * v[z] + velocity[z] * laplacian(u + z, y, x)) / (1 + e);
    }
  }
}

}  // namespace

MinimodPort::MinimodPort(std::int64_t cells, std::int64_t layer, float courant)
    : cells_(cells), layer_(layer), row_(cells + 2 * kHalo), plane_(row_ * row_) {
  const auto size = static_cast<std::size_t>(plane_ * row_);
  now_.resize(size);
  before_.resize(size);
  velocity_.resize(size, courant * courant);
  eta_.resize(size);
  const auto depth = [&](std::int64_t i) {
    const std::int64_t inside = std::max(layer - i, i - (cells - 1 - layer));
    const float share = static_cast<float>(std::max<std::int64_t>(inside, 0)) / static_cast<float>(layer);
    return share * share * kStrongest;
  };
  for (std::int64_t x = 0; x < cells; ++x) {
    for (std::int64_t y = 0; y < cells; ++y) {
      for (std::int64_t z = 0; z < cells; ++z) eta_[index(x, y, z)] = depth(x) + depth(y) + depth(z);
    }
  }
}

std::size_t MinimodPort::index(std::int64_t x, std::int64_t y, std::int64_t z) const {
  return static_cast<std::size_t>((x + kHalo) * plane_ + (y + kHalo) * row_ + z + kHalo);
}

void MinimodPort::step(int threads, Loops loops) {
  if (loops == Loops::marked) {
    step_with<Loops::marked>(threads);
  } else {
    step_with<Loops::plain>(threads);
  }
}

template <MinimodPort::Loops Kind>
void MinimodPort::step_with(int threads) {
  const std::int64_t end = cells_ - layer_;
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t x = 0; x < cells_; ++x) {
    for (std::int64_t y = 0; y < cells_; ++y) {
      const std::size_t at = index(x, y, 0);
      const Row row{&now_[at], &before_[at], &velocity_[at], &eta_[at], row_, plane_};
      if (x < layer_ || x >= end || y < layer_ || y >= end) {
        damped<Kind>(row, 0, cells_);
      } else {
        damped<Kind>(row, 0, layer_);
        inner<Kind>(row, layer_, end);
        damped<Kind>(row, end, cells_);
      }
    }
  }
  std::swap(now_, before_);
}

}  // namespace muster

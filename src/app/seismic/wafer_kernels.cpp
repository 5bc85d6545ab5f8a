#include "app/seismic/wafer_kernels.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/seismic/equation/acoustic_iso_cd.h"
#include "app/seismic/wafer_arithmetic.h"
#include "base/parallel.h"

namespace muster::seismic {
namespace {

using Equation = AcousticIsoCd;

/// The cells of a row along z, from a first one on.
struct Row {
  std::int64_t x = 0;
  std::int64_t y = 0;
  std::int64_t first = 0;
  std::int64_t count = 0;
};

/// A part of a row that stays in the nearest cache, with its sums.
constexpr std::int64_t kMostCells = 1024;

class WaferKernels final : public Kernels<float> {
 public:
  WaferKernels(WaferCoefficients coefficients, int threads)
      : coefficients_(std::move(coefficients)), threads_(static_cast<unsigned>(threads)) {}

  void update_memory(const View<float>& /*view*/, std::size_t /*phase*/, const Box& /*box*/) const override {}

  void update(const View<float>& view, std::size_t /*phase*/, const Box& box) const override {
    if (threads_ == 1) {
      for (std::int64_t x = box.first.x; x < box.last.x; ++x) update_plane(view, box, x);
      return;
    }
    for_each_index(static_cast<std::size_t>(box.last.x - box.first.x),
                   [&](std::size_t x) { update_plane(view, box, box.first.x + static_cast<std::int64_t>(x)); },
                   {.threads = threads_, .progress = {}});
  }

 private:
  void update_plane(const View<float>& view, const Box& box, std::int64_t x) const {
    std::vector<float> sums(kMostCells);
    for (std::int64_t y = box.first.y; y < box.last.y; ++y) {
      for (std::int64_t z = box.first.z; z < box.last.z; z += kMostCells) {
        const Row row{.x = x, .y = y, .first = z, .count = std::min(kMostCells, box.last.z - z)};
        accumulate(view, row, sums.data());
        finish(view, row, sums.data());
      }
    }
  }

  void accumulate(const View<float>& view, const Row& row, float* sums) const {
    const float* values = view.fields[Equation::p] + view.offset(row.x, row.y, row.first);
    for (std::int64_t i = 0; i < row.count; ++i) sums[i] = coefficients_.middle * values[i];
    add_direction(view, row, Axis::x, -1, sums);
    add_direction(view, row, Axis::x, 1, sums);
    add_direction(view, row, Axis::y, -1, sums);
    add_direction(view, row, Axis::y, 1, sums);
    for (int o = -view.radius; o <= view.radius; ++o) {
      if (o == 0) continue;
      const float coefficient = coefficients_.away.z[static_cast<std::size_t>(std::abs(o)) - 1];
      for (std::int64_t i = 0; i < row.count; ++i) sums[i] = std::fma(coefficient, values[i + o], sums[i]);
    }
  }

  void add_direction(const View<float>& view, const Row& row, Axis axis, std::int64_t sign, float* sums) const {
    const std::int64_t cell = axis == Axis::x ? row.x : row.y;
    const float* values = view.fields[Equation::p] + view.offset(row.x, row.y, row.first);
    for (std::int64_t m = 1; m <= view.radius; ++m) {
      if (cell + sign * m < 0 || cell + sign * m >= view.axes[axis].extent) return;
      const float coefficient = coefficients_.away[axis][static_cast<std::size_t>(m) - 1];
      const float* away = values + sign * m * view.axes[axis].stride;
      for (std::int64_t i = 0; i < row.count; ++i) sums[i] += coefficient * away[i];
    }
  }

  /// `before` takes what is new.
  void finish(const View<float>& view, const Row& row, float* sums) const {
    if (view.has_damping) return finish_damped(view, row, sums);
    const std::int64_t offset = view.offset(row.x, row.y, row.first);
    float* before = view.before[Equation::p] + offset;
    if (!coefficients_.has_velocity) {
      const float* now = view.fields[Equation::p] + offset;
      const float* squared = view.parameters[Equation::velocity_squared] + offset;
      for (std::int64_t i = 0; i < row.count; ++i) sums[i] = std::fma(squared[i], sums[i], now[i] + now[i]);
    }
    for (std::int64_t i = 0; i < row.count; ++i) before[i] = sums[i] - before[i];
  }

  void finish_damped(const View<float>& view, const Row& row, const float* sums) const {
    const std::int64_t offset = view.offset(row.x, row.y, row.first);
    float* before = view.before[Equation::p] + offset;
    const float* now = view.fields[Equation::p] + offset;
    const float* squared = view.parameters[Equation::velocity_squared] + offset;
    const float across = view.axes.x.damping[0][row.x] * view.axes.y.damping[0][row.y];
    const float* along = view.axes.z.damping[0] + row.first;
    const bool has_velocity = coefficients_.has_velocity;
    for (std::int64_t i = 0; i < row.count; ++i) {
      const WaferFactors f = wafer_factors(across * along[i], has_velocity ? std::nullopt : std::optional(squared[i]));
      const float next = has_velocity ? f.sum * sums[i] : std::fma(f.sum, sums[i], f.now * now[i]);
      before[i] = std::fma(f.before, before[i], next);
    }
  }

  WaferCoefficients coefficients_;
  unsigned threads_;
};

}  // namespace

std::unique_ptr<Kernels<float>> make_wafer_kernels(const GridOptions& options, const Model& model, int threads) {
  return std::make_unique<WaferKernels>(wafer_coefficients(options, one_velocity(model, options.extent)), threads);
}

}  // namespace muster::seismic

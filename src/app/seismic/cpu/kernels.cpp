// Compiled once per instruction set: foreach_target.h includes this file again for each.
#include "app/seismic/cpu/kernels.h"

#include <algorithm>

#include "app/seismic/denormals.h"
#include "app/seismic/equation/equations.h"

// Without fused operations the bits would differ from the reference's; vectors whose length is unknown to the compiler cannot be kept in
// arrays.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "app/seismic/cpu/kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
//
#include "app/seismic/cpu/row-inl.h"

HWY_BEFORE_NAMESPACE();
namespace muster::seismic::HWY_NAMESPACE {

/// Rows of y that a thread goes through before the next x: what their stencils read should stay in the cache of a core.
inline std::int64_t rows_at_once(std::int64_t row_bytes, int radius, std::size_t fields) {
  constexpr std::int64_t kCache = 768 * 1024;
  const std::int64_t planes = 2 * radius + 1;
  const std::int64_t rows = kCache / (row_bytes * planes * static_cast<std::int64_t>(fields)) - 2 * radius;
  return std::max<std::int64_t>(rows, 8);
}

template <class Equation, class Real>
class CpuKernels final : public Kernels<Real> {
 public:
  explicit CpuKernels(int threads) : threads_(threads) {}

  void update_memory(const View<Real>& view, std::size_t phase, const Box& box) const override {
    for_phase(phase, typename Equation::Phases{}, [&]<class Phase, std::size_t Slot>() {
      for_each_second<Equation, Slot>(Phase{}, [&]<class Derivative, std::size_t DerivativeSlot>() {
        remember<Derivative>(view, DerivativeSlot, box);
      });
    });
  }

  void update(const View<Real>& view, std::size_t phase, const Box& box) const override {
    if (view.radius == 4) {
      update_rows<4>(view, phase, box);
    } else {
      update_rows<0>(view, phase, box);
    }
  }

 private:
  template <int Radius>
  void update_rows(const View<Real>& view, std::size_t phase, const Box& box) const {
    const std::int64_t rows = rows_at_once(view.axes.y.stride * static_cast<std::int64_t>(sizeof(Real)), view.radius,
                                           std::min<std::size_t>(Equation::kFields.size(), 6));
    for_phase(phase, typename Equation::Phases{}, [&]<class Phase, std::size_t Slot>() {
      for_each_row(box, rows,
                   [&](std::int64_t x, std::int64_t y) { update_row<Phase, Slot, Radius>(view, box, x, y); });
    });
  }

  template <class Phase, std::size_t Slot, int Radius>
  static void update_row(const View<Real>& view, const Box& box, std::int64_t x, std::int64_t y) {
    const bool is_across = view.is_in_layer(Axis::x, x) || view.is_in_layer(Axis::y, y);
    for_each_segment(view, box, [&](std::int64_t first, std::int64_t last, bool is_in_layer) {
      if (!is_across && !is_in_layer) {
        if (view.has_damping) {
          update_segment<Phase, Slot, CellTraits{Radius, LayerKind::none, true}>(view, {x, y, first}, last);
        } else {
          update_segment<Phase, Slot, CellTraits{Radius, LayerKind::none, false}>(view, {x, y, first}, last);
        }
      } else if (!view.is_multiaxial) {
        update_segment<Phase, Slot, CellTraits{Radius, LayerKind::axial, true}>(view, {x, y, first}, last);
      } else if constexpr (Equation::kIsAnisotropic) {
        update_segment<Phase, Slot, CellTraits{Radius, LayerKind::multiaxial, true}>(view, {x, y, first}, last);
      }
    });
  }

  template <class Phase, std::size_t Slot, CellTraits Traits>
  static void update_segment(const View<Real>& view, const Extent& from, std::int64_t last) {
    for_each_update<Slot>(Phase{}, [&]<class Update, std::size_t First>() {
      Row<Equation, Real, Traits>(view, from.x, from.y).template update<Update, First>(from.z, last);
    });
  }

  template <class Derivative>
  void remember(const View<Real>& view, std::size_t slot, const Box& box) const {
    using AnyRow = Row<Equation, Real, CellTraits{0, LayerKind::axial, false}>;
    for_each_row(box, box.last.y - box.first.y, [&](std::int64_t x, std::int64_t y) {
      if (Derivative::kAxis == Axis::x && !view.is_in_layer(Axis::x, x)) return;
      if (Derivative::kAxis == Axis::y && !view.is_in_layer(Axis::y, y)) return;
      for_each_segment(view, box, [&](std::int64_t first, std::int64_t last, bool is_in_layer) {
        if (Derivative::kAxis == Axis::z && !is_in_layer) return;
        AnyRow(view, x, y).template remember<Derivative>(slot, first, last);
      });
    });
  }

  /// Calls visit(first, last, is in a layer of z) for the parts of a row.
  template <class Visit>
  static void for_each_segment(const View<Real>& view, const Box& box, const Visit& visit) {
    const AxisView<Real>& along = view.axes.z;
    const std::int64_t low = std::clamp(along.layer_low, box.first.z, box.last.z);
    const std::int64_t high = std::clamp(along.extent - along.layer_high, low, box.last.z);
    if (box.first.z < low) visit(box.first.z, low, true);
    if (low < high) visit(low, high, false);
    if (high < box.last.z) visit(high, box.last.z, true);
  }

  /// Each thread has a range of x of its own.
  template <class Visit>
  void for_each_row(const Box& box, std::int64_t rows, const Visit& visit) const {
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (int thread = 0; thread < threads_; ++thread) {
      const FlushDenormals flush;
      const std::int64_t width = box.last.x - box.first.x;
      const std::int64_t first_x = box.first.x + width * thread / threads_;
      const std::int64_t last_x = box.first.x + width * (thread + 1) / threads_;
      for (std::int64_t block = box.first.y; block < box.last.y; block += rows) {
        for (std::int64_t x = first_x; x < last_x; ++x) {
          for (std::int64_t y = block; y < std::min(block + rows, box.last.y); ++y) visit(x, y);
        }
      }
    }
  }

  int threads_;
};

template <class Real>
std::unique_ptr<Kernels<Real>> make(std::string_view propagator, int threads) {
  std::unique_ptr<Kernels<Real>> kernels;
  for_each_equation([&]<class Equation>() {
    if (Equation::kName == propagator) kernels = std::make_unique<CpuKernels<Equation, Real>>(threads);
  });
  return kernels;
}

// A table of function pointers per instruction set takes no templates.
std::unique_ptr<Kernels<float>> make_f32(std::string_view propagator, int threads) {
  return make<float>(propagator, threads);
}
std::unique_ptr<Kernels<double>> make_f64(std::string_view propagator, int threads) {
  return make<double>(propagator, threads);
}

}  // namespace muster::seismic::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace muster::seismic {

HWY_EXPORT(make_f32);
HWY_EXPORT(make_f64);

namespace {
bool has_fused_operations() {
  constexpr auto kFused = HWY_AVX2 | HWY_AVX3 | HWY_NEON;
  return (hwy::SupportedTargets() & kFused) != 0;
}
}  // namespace

template <>
std::unique_ptr<Kernels<float>> make_cpu_kernels(std::string_view propagator, int threads) {
  return has_fused_operations() ? HWY_DYNAMIC_DISPATCH(make_f32)(propagator, threads) : nullptr;
}

template <>
std::unique_ptr<Kernels<double>> make_cpu_kernels(std::string_view propagator, int threads) {
  return has_fused_operations() ? HWY_DYNAMIC_DISPATCH(make_f64)(propagator, threads) : nullptr;
}

}  // namespace muster::seismic
#endif  // HWY_ONCE

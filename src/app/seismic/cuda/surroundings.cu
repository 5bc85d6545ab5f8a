#include "app/seismic/cuda/surroundings.h"

#include "app/seismic/cuda/check.cuh"
#include "app/seismic/mirrors.h"

namespace muster::seismic {
namespace {

constexpr unsigned kThreads = 128;

/// The lines of cells along an axis.
struct Lines {
  std::int64_t outer_first = 0;
  std::int64_t inner_first = 0;
  std::int64_t outer_stride = 0;
  std::int64_t inner_stride = 0;
  std::int64_t outer_count = 0;
  std::int64_t inner_count = 0;
  std::int64_t extent = 0;  ///< along the axis
  std::int64_t stride = 0;

  /// Also of the halos of these other axes.
  Lines(const Layout& layout, Axis axis, const PerAxis<bool>& with_halo) {
    const Axis outer = axis == Axis::x ? Axis::y : Axis::x;
    const Axis inner = axis == Axis::z ? Axis::y : Axis::z;
    const auto halo_of = [&](Axis other) { return with_halo[other] ? layout.halo() : 0; };
    outer_first = -halo_of(outer);
    inner_first = -halo_of(inner);
    outer_stride = layout.stride(outer);
    inner_stride = layout.stride(inner);
    outer_count = layout.extent()[outer] + 2 * halo_of(outer);
    inner_count = layout.extent()[inner] + 2 * halo_of(inner);
    extent = layout.extent()[axis];
    stride = layout.stride(axis);
  }

  [[nodiscard]] unsigned blocks() const {
    return static_cast<unsigned>((outer_count * inner_count + kThreads - 1) / kThreads);
  }
  /// The offset of the line of this thread; false: it has none.
  __device__ bool find(std::int64_t& offset) const {
    const std::int64_t line = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
    if (line >= outer_count * inner_count) return false;
    offset = (outer_first + line / inner_count) * outer_stride + (inner_first + line % inner_count) * inner_stride;
    return true;
  }
};

/// What continues a field behind the two sides of an axis.
struct Continuation {
  bool is_periodic = false;
  int low_sign = 0;  ///< of a mirror image; 0: none
  int high_sign = 0;
  bool is_half = false;
};

/// Mirrors a line at the node to which `plane` points; `out` is 1 if the outside is ahead, -1 if it is behind.
__device__ void mirror(float* plane, std::int64_t out, std::int64_t stride, int sign, bool is_half, std::int64_t halo) {
  const std::int64_t step = out * stride;
  if (!is_half) {
    for (std::int64_t k = 1; k <= halo; ++k) plane[k * step] = static_cast<float>(sign) * plane[-k * step];
    return;
  }
  const std::int64_t first = out > 0 ? 0 : -1;
  for (std::int64_t k = 0; k < halo; ++k) {
    plane[(first + out * k) * stride] = static_cast<float>(sign) * plane[(first - out * (k + 1)) * stride];
  }
}

__global__ void __launch_bounds__(kThreads)
    fill_lines(float* field, const Lines lines, const Continuation continuation, std::int64_t halo) {
  std::int64_t offset = 0;
  if (!lines.find(offset)) return;
  float* line = field + offset;
  if (continuation.is_periodic) {
    for (std::int64_t k = 1; k <= halo; ++k) {
      line[-k * lines.stride] = line[(lines.extent - k) * lines.stride];
      line[(lines.extent - 1 + k) * lines.stride] = line[(k - 1) * lines.stride];
    }
  }
  if (continuation.low_sign != 0) {
    mirror(line, -1, lines.stride, continuation.low_sign, continuation.is_half, halo);
  }
  if (continuation.high_sign != 0) {
    mirror(line + (lines.extent - 1) * lines.stride, 1, lines.stride, continuation.high_sign, continuation.is_half, halo);
  }
}

/// A plane of nodes in which a normal stress is handed on to the others, if there are, and then 0.
struct Plane {
  float* normal = nullptr;
  float* others[2] = {};
  const float* numerator = nullptr;
  const float* denominator = nullptr;
};

__global__ void __launch_bounds__(kThreads) settle(const Plane plane, const Lines lines, std::int64_t shift) {
  std::int64_t cell = 0;
  if (!lines.find(cell)) return;
  cell += shift;
  if (plane.numerator != nullptr) {
    const float taken = plane.numerator[cell] / plane.denominator[cell] * plane.normal[cell];
    plane.others[0][cell] -= taken;
    plane.others[1][cell] -= taken;
  }
  plane.normal[cell] = 0;
}

}  // namespace

void fill_halo_on_device(float* field, const Layout& layout, const Field& description, const Read& read,
                         const PerAxis<Sides>& sides) {
  const auto fill = [&](Axis axis, const Continuation& continuation, const PerAxis<bool>& with_halo) {
    const Lines lines(layout, axis, read.is_diagonal ? with_halo : PerAxis<bool>{});
    fill_lines<<<lines.blocks(), kThreads>>>(field, lines, continuation, layout.halo());
    check_launch("fill_lines");
  };
  const auto sign = [&](Boundary side) { return mirrors(side) ? mirror_sign(description.kind, side) : 0; };
  for (const Axis axis : kAxes) {
    const Continuation continuation{.is_periodic = false,
                                    .low_sign = sign(sides[axis].low),
                                    .high_sign = sign(sides[axis].high),
                                    .is_half = description.location.is_half(axis)};
    if (!read.reach[axis].any() || (continuation.low_sign == 0 && continuation.high_sign == 0)) continue;
    fill(axis, continuation, {axis > Axis::x, axis > Axis::y, false});
  }
  for (const Axis axis : kAxes) {
    if (!read.reach[axis].any() || sides[axis].low != Boundary::periodic) continue;
    fill(axis, {.is_periodic = true}, {axis != Axis::x, axis != Axis::y, axis != Axis::z});
  }
}

void settle_mirrors_on_device(const View<float>& view, const Layout& layout, const Description& equation,
                              std::span<const int> fields, const PerAxis<Sides>& sides) {
  for (const ZeroPlane& zero : zero_planes(equation, fields, sides, layout.extent())) {
    Plane plane{.normal = view.fields[zero.field]};
    if (zero.rule != nullptr) {
      plane.others[0] = view.fields[zero.rule->others[0]];
      plane.others[1] = view.fields[zero.rule->others[1]];
      plane.numerator = view.parameters[zero.rule->numerator];
      plane.denominator = view.parameters[zero.rule->denominator];
    }
    const Lines lines(layout, zero.axis, PerAxis<bool>{});
    settle<<<lines.blocks(), kThreads>>>(plane, lines, zero.plane * lines.stride);
    check_launch("settle");
  }
}

}  // namespace muster::seismic

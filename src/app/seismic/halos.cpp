#include "app/seismic/halos.h"

#include <algorithm>
#include <array>
#include <vector>

#include "app/seismic/mirrors.h"

namespace muster::seismic {
namespace {

/// Calls visit(offset of the cell 0 of the axis) for every line of cells along `axis`, also of the halos of these other axes.
template <class Visit>
void for_each_line(const Layout& layout, Axis axis, const PerAxis<bool>& with_halo, const Visit& visit) {
  const Axis outer = axis == Axis::x ? Axis::y : Axis::x;
  const Axis inner = axis == Axis::z ? Axis::y : Axis::z;
  const auto halo_of = [&](Axis other) { return with_halo[other] ? layout.halo() : 0; };
  for (std::int64_t i = -halo_of(outer); i < layout.extent()[outer] + halo_of(outer); ++i) {
    for (std::int64_t j = -halo_of(inner); j < layout.extent()[inner] + halo_of(inner); ++j) {
      visit(layout.offset(0, 0, 0) + i * layout.stride(outer) + j * layout.stride(inner));
    }
  }
}

/// What lies outside is a copy of what lies inside, or its opposite.
struct Copy {
  template <class Real>
  void operator()(Real& outside, const Real& inside, int sign) const {
    outside = static_cast<Real>(sign) * inside;
  }
};

/// The transpose of a copy.
struct AddBack {
  template <class Real>
  void operator()(Real& outside, Real& inside, int sign) const {
    inside += static_cast<Real>(sign) * outside;
    outside = 0;
  }
};

/// Mirrors a line at the node with index `plane`; `out` is 1 if the outside is ahead, -1 if it is behind.
template <class Real, class Visit>
void mirror(Real* plane, std::int64_t out, std::int64_t stride, bool is_half, std::int64_t halo, const Visit& visit) {
  const std::int64_t step = out * stride;
  if (!is_half) {
    for (std::int64_t k = 1; k <= halo; ++k) visit(plane[k * step], plane[-k * step]);
    return;
  }
  // Index i is half a spacing behind node i: the first value outside has index 0 on a high side, -1 on a low one.
  const std::int64_t first = out > 0 ? 0 : -1;
  for (std::int64_t k = 0; k < halo; ++k) {
    visit(plane[(first + out * k) * stride], plane[(first - out * (k + 1)) * stride]);
  }
}

/// A field whose halo is filled, or whose adjoint's halo is added back.
template <class Real, class Operation>
struct Halo {
  Volume<Real>& field;
  const Field& description;
  const Read& read;
  const PerAxis<Sides>& sides;

  void mirror_side(Axis axis, bool is_high) const {
    const Boundary side = is_high ? sides[axis].high : sides[axis].low;
    if (!mirrors(side) || !read.reach[axis].any()) return;
    const Layout& layout = field.layout();
    const std::int64_t stride = layout.stride(axis);
    const std::int64_t plane = is_high ? (layout.extent()[axis] - 1) * stride : 0;
    const PerAxis<bool> before{read.is_diagonal && axis > Axis::x, read.is_diagonal && axis > Axis::y, false};
    const int sign = mirror_sign(description.kind, side);
    for_each_line(layout, axis, before, [&](std::int64_t line) {
      mirror(field.data() + line + plane, is_high ? 1 : -1, stride, description.location.is_half(axis), layout.halo(),
             [&](Real& outside, Real& inside) { Operation{}(outside, inside, sign); });
    });
  }

  void wrap(Axis axis) const {
    if (sides[axis].low != Boundary::periodic || !read.reach[axis].any()) return;
    const Layout& layout = field.layout();
    const std::int64_t extent = layout.extent()[axis];
    const std::int64_t stride = layout.stride(axis);
    const PerAxis<bool> others{read.is_diagonal && axis != Axis::x, read.is_diagonal && axis != Axis::y,
                               read.is_diagonal && axis != Axis::z};
    for_each_line(layout, axis, others, [&](std::int64_t offset) {
      Real* line = field.data() + offset;
      for (std::int64_t k = 1; k <= layout.halo(); ++k) {
        Operation{}(line[-k * stride], line[(extent - k) * stride], 1);
        Operation{}(line[(extent - 1 + k) * stride], line[(k - 1) * stride], 1);
      }
    });
  }
};

constexpr std::array kReversedAxes{Axis::z, Axis::y, Axis::x};

template <class Real>
void clear_halo(Volume<Real>& field) {
  const Layout& layout = field.layout();
  const Extent& extent = layout.extent();
  const std::int64_t halo = layout.halo();
  for (std::int64_t x = -halo; x < extent.x + halo; ++x) {
    for (std::int64_t y = -halo; y < extent.y + halo; ++y) {
      const bool is_inside = x >= 0 && x < extent.x && y >= 0 && y < extent.y;
      Real* row = &field.at(x, y, 0);
      std::fill(row - halo, row + (is_inside ? 0 : extent.z), Real{0});
      std::fill(row + extent.z, row + extent.z + halo, Real{0});
    }
  }
}

/// Hands the normal stress in a plane of nodes on to the others.
template <class Real>
void condense(State<Real>& state, const Condensation& rule, Axis axis, std::int64_t plane) {
  const auto data = [](Volume<Real>& volume) { return volume.data(); };
  const auto at = [](int index) { return static_cast<std::size_t>(index); };
  const Real* normal = data(state.fields[at(rule.normal)]);
  Real* first = data(state.fields[at(rule.others[0])]);
  Real* second = data(state.fields[at(rule.others[1])]);
  const Real* numerator = data(state.parameters[at(rule.numerator)]);
  const Real* denominator = data(state.parameters[at(rule.denominator)]);
  for_each_line(state.layout, axis, PerAxis<bool>{}, [&](std::int64_t line) {
    const std::int64_t cell = line + plane * state.layout.stride(axis);
    const Real taken = numerator[cell] / denominator[cell] * normal[cell];
    first[cell] -= taken;
    second[cell] -= taken;
  });
}

/// The transpose of condense(), with the normal stress 0 behind it.
template <class Real>
void transpose_condense(State<Real>& state, const Condensation& rule, Axis axis, std::int64_t plane) {
  const auto data = [](Volume<Real>& volume) { return volume.data(); };
  const auto at = [](int index) { return static_cast<std::size_t>(index); };
  Real* normal = data(state.fields[at(rule.normal)]);
  const Real* first = data(state.fields[at(rule.others[0])]);
  const Real* second = data(state.fields[at(rule.others[1])]);
  const Real* numerator = data(state.parameters[at(rule.numerator)]);
  const Real* denominator = data(state.parameters[at(rule.denominator)]);
  for_each_line(state.layout, axis, PerAxis<bool>{}, [&](std::int64_t line) {
    const std::int64_t cell = line + plane * state.layout.stride(axis);
    normal[cell] = -(numerator[cell] / denominator[cell]) * (first[cell] + second[cell]);
  });
}

template <class Real>
void set_to_zero(State<Real>& state, const ZeroPlane& plane) {
  Volume<Real>& values = state.fields[static_cast<std::size_t>(plane.field)];
  for_each_line(state.layout, plane.axis, PerAxis<bool>{},
                [&](std::int64_t line) { values.data()[line + plane.plane * state.layout.stride(plane.axis)] = 0; });
}

}  // namespace

template <class Real>
void settle_mirrors(State<Real>& state, const Description& equation, std::span<const int> fields,
                    const PerAxis<Sides>& sides) {
  for (const ZeroPlane& plane : zero_planes(equation, fields, sides, state.layout.extent())) {
    if (plane.rule != nullptr) condense(state, *plane.rule, plane.axis, plane.plane);
    set_to_zero(state, plane);
  }
}

template <class Real>
void transpose_settle_mirrors(State<Real>& state, const Description& equation, std::span<const int> fields,
                              const PerAxis<Sides>& sides) {
  std::vector<ZeroPlane> planes = zero_planes(equation, fields, sides, state.layout.extent());
  std::ranges::reverse(planes);
  for (const ZeroPlane& plane : planes) {
    set_to_zero(state, plane);
    if (plane.rule != nullptr) transpose_condense(state, *plane.rule, plane.axis, plane.plane);
  }
}

template <class Real>
void fill_halo(Volume<Real>& field, const Field& description, const Read& read, const PerAxis<Sides>& sides) {
  const Halo<Real, Copy> halo{field, description, read, sides};
  // Mirrors come first, and periodic sides copy what they made: so do the neighbours of a part of the grid.
  for (const Axis axis : kAxes) {
    halo.mirror_side(axis, false);
    halo.mirror_side(axis, true);
  }
  for (const Axis axis : kAxes) halo.wrap(axis);
}

template <class Real>
void transpose_fill_halo(Volume<Real>& field, const Field& description, const Read& read, const PerAxis<Sides>& sides) {
  const Halo<Real, AddBack> halo{field, description, read, sides};
  for (const Axis axis : kReversedAxes) halo.wrap(axis);
  for (const Axis axis : kReversedAxes) {
    halo.mirror_side(axis, true);
    halo.mirror_side(axis, false);
  }
  clear_halo(field);
}

template void transpose_fill_halo(Volume<float>&, const Field&, const Read&, const PerAxis<Sides>&);
template void transpose_fill_halo(Volume<double>&, const Field&, const Read&, const PerAxis<Sides>&);
template void transpose_settle_mirrors(State<float>&, const Description&, std::span<const int>, const PerAxis<Sides>&);
template void transpose_settle_mirrors(State<double>&, const Description&, std::span<const int>, const PerAxis<Sides>&);
template void fill_halo(Volume<float>&, const Field&, const Read&, const PerAxis<Sides>&);
template void fill_halo(Volume<double>&, const Field&, const Read&, const PerAxis<Sides>&);
template void settle_mirrors(State<float>&, const Description&, std::span<const int>, const PerAxis<Sides>&);
template void settle_mirrors(State<double>&, const Description&, std::span<const int>, const PerAxis<Sides>&);

}  // namespace muster::seismic

#include "app/seismic/halos.h"

#include <algorithm>

namespace muster::seismic {
namespace {

bool mirrors(Boundary side) { return side == Boundary::free_surface || side == Boundary::rigid; }

/// The sign of a field's mirror image.
int mirror_sign(Kind kind, Boundary boundary) {
  return (kind == Kind::velocity) == (boundary == Boundary::rigid) ? -1 : 1;
}

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

/// Mirrors a line at the node with index `plane`; `out` is 1 if the outside is ahead, -1 if it is behind.
template <class Real>
void mirror(Real* plane, std::int64_t out, std::int64_t stride, int sign, bool is_half, std::int64_t halo) {
  const std::int64_t step = out * stride;
  if (!is_half) {
    for (std::int64_t k = 1; k <= halo; ++k) plane[k * step] = static_cast<Real>(sign) * plane[-k * step];
    return;
  }
  // Index i is half a spacing behind node i: the first value outside has index 0 on a high side, -1 on a low one.
  const std::int64_t first = out > 0 ? 0 : -1;
  for (std::int64_t k = 0; k < halo; ++k) {
    plane[(first + out * k) * stride] = static_cast<Real>(sign) * plane[(first - out * (k + 1)) * stride];
  }
}

template <class Real>
void mirror_axis(Volume<Real>& field, const Field& description, Axis axis, const Sides& sides,
                 const PerAxis<bool>& with_halo) {
  const Layout& layout = field.layout();
  const std::int64_t stride = layout.stride(axis);
  const bool is_half = description.location.is_half(axis);
  const auto mirror_side = [&](Boundary side, std::int64_t plane, std::int64_t out) {
    if (!mirrors(side)) return;
    for_each_line(layout, axis, with_halo, [&](std::int64_t line) {
      mirror(field.data() + line + plane * stride, out, stride, mirror_sign(description.kind, side), is_half,
             layout.halo());
    });
  };
  mirror_side(sides.low, 0, -1);
  mirror_side(sides.high, layout.extent()[axis] - 1, 1);
}

template <class Real>
void wrap_axis(Volume<Real>& field, Axis axis, const PerAxis<bool>& with_halo) {
  const Layout& layout = field.layout();
  const std::int64_t extent = layout.extent()[axis];
  const std::int64_t stride = layout.stride(axis);
  for_each_line(layout, axis, with_halo, [&](std::int64_t offset) {
    Real* line = field.data() + offset;
    for (std::int64_t k = 1; k <= layout.halo(); ++k) {
      line[-k * stride] = line[(extent - k) * stride];
      line[(extent - 1 + k) * stride] = line[(k - 1) * stride];
    }
  });
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

template <class Real>
void settle_plane(State<Real>& state, const Description& equation, int field, Axis axis, std::int64_t plane) {
  if (!equation.free_surface.empty() && equation.free_surface[index_of(axis)].normal == field) {
    condense(state, equation.free_surface[index_of(axis)], axis, plane);
  }
  Volume<Real>& values = state.fields[static_cast<std::size_t>(field)];
  for_each_line(state.layout, axis, PerAxis<bool>{},
                [&](std::int64_t line) { values.data()[line + plane * state.layout.stride(axis)] = 0; });
}

}  // namespace

template <class Real>
void settle_mirrors(State<Real>& state, const Description& equation, std::span<const int> fields,
                    const PerAxis<Sides>& sides) {
  for (const Axis axis : kAxes) {
    for (const int number : fields) {
      const Field& field = equation.fields[static_cast<std::size_t>(number)];
      if (field.location.is_half(axis) || !equation.is_read_along(number, axis)) continue;
      const auto changes_sign = [&](Boundary side) { return mirrors(side) && mirror_sign(field.kind, side) < 0; };
      const std::int64_t last = state.layout.extent()[axis] - 1;
      if (changes_sign(sides[axis].low)) settle_plane(state, equation, number, axis, 0);
      if (changes_sign(sides[axis].high)) settle_plane(state, equation, number, axis, last);
    }
  }
}

template <class Real>
void fill_halo(Volume<Real>& field, const Field& description, const Read& read, const PerAxis<Sides>& sides) {
  // Mirrors come first, and periodic sides copy what they made: so do the neighbours of a part of the grid.
  for (const Axis axis : kAxes) {
    const PerAxis<bool> before{axis > Axis::x, axis > Axis::y, false};
    if (read.reach[axis].any()) {
      mirror_axis(field, description, axis, sides[axis], read.is_diagonal ? before : PerAxis<bool>{});
    }
  }
  for (const Axis axis : kAxes) {
    const PerAxis<bool> others{axis != Axis::x, axis != Axis::y, axis != Axis::z};
    if (read.reach[axis].any() && sides[axis].low == Boundary::periodic) {
      wrap_axis(field, axis, read.is_diagonal ? others : PerAxis<bool>{});
    }
  }
}

template void fill_halo(Volume<float>&, const Field&, const Read&, const PerAxis<Sides>&);
template void fill_halo(Volume<double>&, const Field&, const Read&, const PerAxis<Sides>&);
template void settle_mirrors(State<float>&, const Description&, std::span<const int>, const PerAxis<Sides>&);
template void settle_mirrors(State<double>&, const Description&, std::span<const int>, const PerAxis<Sides>&);

}  // namespace muster::seismic

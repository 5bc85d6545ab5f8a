// One update of one cell: one operation after another, as the equation says. The order of all sums is fixed, and products are
// fused into them, so that all targets can give the same bits.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "app/seismic/equation/walk.h"
#include "app/seismic/view.h"

namespace muster::seismic {

/// The absorbing layers in which cells may be.
enum class LayerKind : unsigned char { none, axial, multiaxial };

/// What is known about all cells when the kernel is compiled.
struct CellTraits {
  int radius = 0;  ///< of the stencils; 0: only the view knows
  LayerKind layers = LayerKind::axial;
  bool has_damping = true;
};

template <class Real, CellTraits Traits = CellTraits{}>
struct Cell {
  const View<Real>& view;
  std::int64_t x;
  std::int64_t y;
  std::int64_t z;

  [[nodiscard]] MUSTER_EVERYWHERE std::int64_t coordinate(Axis axis) const {
    return axis == Axis::x ? x : axis == Axis::y ? y : z;
  }

  [[nodiscard]] MUSTER_EVERYWHERE int radius() const { return Traits.radius > 0 ? Traits.radius : view.radius; }

  /// Whether a derivative along `axis` has memory here.
  [[nodiscard]] MUSTER_EVERYWHERE bool is_in_layer(Axis axis) const {
    if constexpr (Traits.layers == LayerKind::none) return false;
    if constexpr (Traits.layers == LayerKind::axial) return view.is_in_layer(axis, coordinate(axis));
    return view.is_in_layer(Axis::x, x) || view.is_in_layer(Axis::y, y) || view.is_in_layer(Axis::z, z);
  }

  /// The offset of this cell in the memory of a derivative along `axis`.
  [[nodiscard]] MUSTER_EVERYWHERE std::int64_t memory_offset(Axis axis) const {
    return view.memory_offset(Traits.layers == LayerKind::multiaxial ? view.slab_axis(x, y) : axis, x, y, z);
  }

  /// The staggered derivative along `axis` of at(shift), to a location half a spacing further on, or back.
  template <class At>
  [[nodiscard]] MUSTER_EVERYWHERE Real first(const At& at, std::int64_t stride, Axis axis, bool is_forward) const {
    const Real* weights = view.axes[axis].staggered;
    const std::int64_t ahead = is_forward ? 0 : -1;
    const std::int64_t behind = is_forward ? 1 : 0;
    Real sum = weights[0] * (at((1 + ahead) * stride) - at((behind - 1) * stride));
    for (int m = 2; m <= radius(); ++m) {
      sum = std::fma(weights[m - 1], at((m + ahead) * stride) - at((behind - m) * stride), sum);
    }
    return sum;
  }

  template <class At>
  [[nodiscard]] MUSTER_EVERYWHERE Real second(const At& at, std::int64_t stride, Axis axis) const {
    const AxisView<Real>& along = view.axes[axis];
    Real sum = along.central_middle * at(0);
    for (int m = 1; m <= radius(); ++m) sum = std::fma(along.central[m - 1], at(m * stride) + at(-m * stride), sum);
    return sum;
  }

  /// remembered <- b remembered + a value, at a location.
  MUSTER_EVERYWHERE Real remember(Real& remembered, Real value, Axis axis, Location where) const {
    if constexpr (Traits.layers == LayerKind::multiaxial) {
      const Real b = factor(Axis::x, axis, where) * factor(Axis::y, axis, where) * factor(Axis::z, axis, where);
      remembered = std::fma(b - 1, value, b * remembered);
    } else {
      const AxisView<Real>& along = view.axes[axis];
      const bool is_half = where.is_half(axis);
      const std::int64_t i = coordinate(axis);
      remembered = std::fma(along.a[is_half][i], value, along.b[is_half][i] * remembered);
    }
    return remembered;
  }

  /// psi of the first derivative that a second one needs, half-way behind the node: only in layers of its axis.
  template <class Equation, class Derivative>
  MUSTER_EVERYWHERE void differentiate(std::size_t slot) const {
    constexpr Axis kAxis = Derivative::kAxis;
    constexpr Location kBehind = location_of<Equation, Derivative::kField>().across(kAxis);
    if (!is_in_layer(kAxis)) return;
    const Real value = first(values_of<Derivative>(), view.axes[kAxis].stride, kAxis, true);
    remember(view.psi[slot][memory_offset(kAxis)], value, kAxis, kBehind);
  }

  template <class Equation, class Update, class Item>
  MUSTER_EVERYWHERE Real item(std::size_t slot) const {
    constexpr Difference kDifference = difference_of<Equation, Update, Item>();
    if constexpr (kDifference == Difference::mean) {
      return mean<Equation, Update, Item>();
    } else if constexpr (kDifference == Difference::second) {
      return second_derivative<Item>(slot, where_of<Equation, Update>());
    } else {
      return first_derivative<Item>(slot, where_of<Equation, Update>());
    }
  }

  /// The factor of damping at a location.
  [[nodiscard]] MUSTER_EVERYWHERE Real damping(Location where) const {
    if (!Traits.has_damping) return 1;
    return view.axes.x.damping[where.half_x][x] * view.axes.y.damping[where.half_y][y] *
           view.axes.z.damping[where.half_z][z];
  }

  template <class Equation, class Update, std::size_t Slot>
  MUSTER_EVERYWHERE void update() const {
    constexpr std::size_t kFirstOutput = Update::Rates::kCount + Update::kIntermediate;
    constexpr auto kEachOutput = std::make_index_sequence<Update::kOutputs.size()>();
    Real values[kFirstOutput + Update::kOutputs.size()] = {};
    collect_rates<Equation, Update, Slot>(values, typename Update::Rates{});
    const Real damped = damping(where_of<Equation, Update>());
    const std::int64_t offset = view.offset(x, y, z);
    begin<Equation, Update>(values + kFirstOutput, offset, damped, kEachOutput);
    couple<Update>(values, offset, std::make_index_sequence<Update::kCouplings.size()>());
    end<Equation, Update>(values + kFirstOutput, offset, damped, kEachOutput);
  }

 private:
  /// Of a multiaxial layer: what damping along `axis` gives to a derivative along `of`.
  [[nodiscard]] MUSTER_EVERYWHERE Real factor(Axis axis, Axis of, Location where) const {
    const AxisView<Real>& along = view.axes[axis];
    return (axis == of ? along.b : along.cross)[where.is_half(axis)][coordinate(axis)];
  }

  template <class Derivative>
  MUSTER_EVERYWHERE Real first_derivative(std::size_t slot, Location where) const {
    constexpr Axis kAxis = Derivative::kAxis;
    const Real value = first(values_of<Derivative>(), view.axes[kAxis].stride, kAxis, where.is_half(kAxis));
    if (!is_in_layer(kAxis)) return value;
    return value + remember(view.psi[slot][memory_offset(kAxis)], value, kAxis, where);
  }

  template <class Derivative>
  MUSTER_EVERYWHERE Real second_derivative(std::size_t slot, Location where) const {
    constexpr Axis kAxis = Derivative::kAxis;
    const Real value = second(values_of<Derivative>(), view.axes[kAxis].stride, kAxis);
    if (!is_in_layer(kAxis)) return value;
    const std::int64_t offset = memory_offset(kAxis);
    const Real* psi = view.psi[slot] + offset;
    const auto at = [psi](std::int64_t shift) { return psi[shift]; };
    const Real stretched = value + first(at, view.axes[kAxis].slab.stride[kAxis], kAxis, false);
    return stretched + remember(view.zeta[slot][offset], stretched, kAxis, where);
  }

  /// Neighbours in pairs, first along x, then y, then z.
  template <class Equation, class Update, class Item>
  MUSTER_EVERYWHERE Real mean() const {
    constexpr Location kFrom = location_of<Equation, Item::kField>();
    constexpr Location kTo = where_of<Equation, Update>();
    const Real* at = view.fields[Item::kField] + view.offset(x, y, z);
    const auto along = [&](Axis axis, bool from, bool to, const auto& values, std::int64_t shift) {
      if (from == to) return values(shift);
      const std::int64_t stride = view.axes[axis].stride;
      return Real{0.5} * (values(shift) + values(shift + (to ? stride : -stride)));
    };
    const auto plain = [&](std::int64_t shift) { return at[shift]; };
    const auto in_x = [&](std::int64_t shift) { return along(Axis::x, kFrom.half_x, kTo.half_x, plain, shift); };
    const auto in_y = [&](std::int64_t shift) { return along(Axis::y, kFrom.half_y, kTo.half_y, in_x, shift); };
    return along(Axis::z, kFrom.half_z, kTo.half_z, in_y, 0);
  }

  /// The values that a derivative is taken of, as a function of the shift from this cell.
  template <class Derivative>
  [[nodiscard]] MUSTER_EVERYWHERE auto values_of() const {
    const std::int64_t offset = view.offset(x, y, z);
    return [this, offset](std::int64_t shift) { return sum_of(offset + shift, typename Derivative::Terms{}); };
  }

  template <class First, class... Rest>
  [[nodiscard]] MUSTER_EVERYWHERE Real sum_of(std::int64_t offset, List<First, Rest...> /*terms*/) const {
    Real sum = product_of(offset, First{});
    ((sum = add_product(sum, offset, Rest{})), ...);
    return sum;
  }

  template <int FieldIndex, int... Parameters>
  [[nodiscard]] MUSTER_EVERYWHERE Real product_of(std::int64_t offset, Term<FieldIndex, Parameters...> /*term*/) const {
    Real product = view.fields[FieldIndex][offset];
    ((product *= view.parameters[Parameters][offset]), ...);
    return product;
  }

  /// The last product is fused into the sum.
  template <int FieldIndex, int Last, int... Parameters>
  [[nodiscard]] MUSTER_EVERYWHERE Real add_product(Real sum, std::int64_t offset,
                                                   Term<FieldIndex, Last, Parameters...> /*term*/) const {
    const Real product = product_of(offset, Term<FieldIndex, Parameters...>{});
    return std::fma(product, view.parameters[Last][offset], sum);
  }

  template <int FieldIndex>
  [[nodiscard]] MUSTER_EVERYWHERE Real add_product(Real sum, std::int64_t offset, Term<FieldIndex> /*term*/) const {
    return sum + view.fields[FieldIndex][offset];
  }

  template <class Equation, class Update, std::size_t Slot, class... Rates>
  MUSTER_EVERYWHERE void collect_rates(Real* values, List<Rates...> /*rates*/) const {
    std::size_t slot = Slot;
    ((*values++ = rate<Equation, Update>(slot, Rates{}), slot += kItems<Rates>), ...);
  }

  template <class Equation, class Update, class First, class... Rest>
  MUSTER_EVERYWHERE Real rate(std::size_t slot, Rate<First, Rest...> /*sum*/) const {
    Real sum = item<Equation, Update, First>(slot);
    ((sum += item<Equation, Update, Rest>(++slot)), ...);
    return sum;
  }

  // Devices know what is static in an equation only in constant expressions, so loops over it are unrolled here.

  /// What the update adds to.
  template <class Equation, class Update, std::size_t... I>
  MUSTER_EVERYWHERE void begin(Real* outputs, std::int64_t offset, Real damped,
                               std::index_sequence<I...> /*all*/) const {
    const auto start = [&](int output, int order) {
      if (order == 0) return Real{0};
      const Real now = view.fields[output][offset];
      return order == 2 ? std::fma(-damped, view.before[output][offset], now + now) : now;
    };
    ((outputs[I] = start(std::integral_constant<int, Update::kOutputs[I]>(),
                         std::integral_constant<int, time_order<Equation, Update::kOutputs[I]>()>())),
     ...);
  }

  template <class Update, std::size_t... I>
  MUSTER_EVERYWHERE void couple(Real* values, std::int64_t offset, std::index_sequence<I...> /*all*/) const {
    (couple_once<Update::kCouplings[I].to, Update::kCouplings[I].from, Update::kCouplings[I].parameter>(values, offset),
     ...);
  }

  template <std::size_t To, std::size_t From, int Parameter>
  MUSTER_EVERYWHERE void couple_once(Real* values, std::int64_t offset) const {
    if constexpr (Parameter == kOne) {
      values[To] += values[From];
    } else {
      values[To] = std::fma(view.parameters[Parameter][offset], values[From], values[To]);
    }
  }

  template <class Equation, class Update, std::size_t... I>
  MUSTER_EVERYWHERE void end(const Real* outputs, std::int64_t offset, Real damped,
                             std::index_sequence<I...> /*all*/) const {
    (write<Equation, Update::kOutputs[I]>(outputs[I], offset, damped), ...);
  }

  template <class Equation, int Output>
  MUSTER_EVERYWHERE void write(Real value, std::int64_t offset, Real damped) const {
    constexpr int kOrder = time_order<Equation, Output>();
    (kOrder == 2 ? view.before : view.fields)[Output][offset] = kOrder == 0 ? value : damped * value;
  }
};

}  // namespace muster::seismic

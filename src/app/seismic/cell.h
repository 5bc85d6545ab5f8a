// One update of one cell: one operation after another, as the equation says. The order of all sums is fixed, and products are
// fused into them, so that all targets can give the same bits.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "app/seismic/equation/walk.h"
#include "app/seismic/view.h"

namespace muster::seismic {

/// What is known about all cells when the kernel is compiled.
struct CellTraits {
  int radius = 0;           ///< of the stencils; 0: only the view knows
  bool has_layers = true;   ///< cells may be in a CPML
  bool has_damping = true;  ///< or in a damping layer
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

  /// Known to be false where the kernel has no layers.
  [[nodiscard]] MUSTER_EVERYWHERE bool is_in_layer(Axis axis) const {
    return Traits.has_layers && view.is_in_layer(axis, coordinate(axis));
  }

  /// The staggered derivative of values at `at`, to a location half a spacing further on, or back.
  [[nodiscard]] MUSTER_EVERYWHERE Real first(const Real* at, std::int64_t stride, Axis axis, bool is_forward) const {
    const Real* weights = view.axes[axis].staggered;
    const std::int64_t ahead = is_forward ? 0 : -1;
    const std::int64_t behind = is_forward ? 1 : 0;
    Real sum = weights[0] * (at[(1 + ahead) * stride] - at[(behind - 1) * stride]);
    for (int m = 2; m <= radius(); ++m) {
      sum = std::fma(weights[m - 1], at[(m + ahead) * stride] - at[(behind - m) * stride], sum);
    }
    return sum;
  }

  [[nodiscard]] MUSTER_EVERYWHERE Real second(const Real* at, std::int64_t stride, Axis axis) const {
    const AxisView<Real>& along = view.axes[axis];
    Real sum = along.central_middle * at[0];
    for (int m = 1; m <= radius(); ++m) sum = std::fma(along.central[m - 1], at[m * stride] + at[-m * stride], sum);
    return sum;
  }

  /// remembered <- b remembered + a value.
  MUSTER_EVERYWHERE Real remember(Real& remembered, Real value, Axis axis, bool is_half) const {
    const AxisView<Real>& along = view.axes[axis];
    const std::int64_t i = coordinate(axis);
    remembered = std::fma(along.a[is_half][i], value, along.b[is_half][i] * remembered);
    return remembered;
  }

  /// psi of the first derivative that a second one needs, half-way behind the node: only in layers of its axis.
  template <class Derivative>
  MUSTER_EVERYWHERE void differentiate(std::size_t slot) const {
    constexpr Axis kAxis = Derivative::kAxis;
    if (!is_in_layer(kAxis)) return;
    const Real value =
        first(view.fields[Derivative::kField] + view.offset(x, y, z), view.axes[kAxis].stride, kAxis, true);
    remember(view.psi[slot][view.memory_offset(kAxis, x, y, z)], value, kAxis, true);
  }

  template <class Equation, class Update, class Derivative>
  MUSTER_EVERYWHERE Real derivative(std::size_t slot) const {
    constexpr Axis kAxis = Derivative::kAxis;
    const Real* at = view.fields[Derivative::kField] + view.offset(x, y, z);
    const std::int64_t stride = view.axes[kAxis].stride;
    if constexpr (is_second<Equation, Update, Derivative>()) {
      const Real value = second(at, stride, kAxis);
      if (!is_in_layer(kAxis)) return value;
      const std::int64_t offset = view.memory_offset(kAxis, x, y, z);
      const std::int64_t memory_stride = view.axes[kAxis].memory_stride[kAxis];
      const Real stretched = value + first(view.psi[slot] + offset, memory_stride, kAxis, false);
      return stretched + remember(view.zeta[slot][offset], stretched, kAxis, false);
    } else {
      constexpr bool kIsHalf = where_of<Equation, Update>().is_half(kAxis);
      const Real value = first(at, stride, kAxis, kIsHalf);
      if (!is_in_layer(kAxis)) return value;
      return value + remember(view.psi[slot][view.memory_offset(kAxis, x, y, z)], value, kAxis, kIsHalf);
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
  template <class Equation, class Update, std::size_t Slot, class... Rates>
  MUSTER_EVERYWHERE void collect_rates(Real* values, List<Rates...> /*rates*/) const {
    std::size_t slot = Slot;
    ((*values++ = rate<Equation, Update>(slot, Rates{}), slot += kDerivatives<Rates>), ...);
  }

  template <class Equation, class Update, class First, class... Rest>
  MUSTER_EVERYWHERE Real rate(std::size_t slot, Rate<First, Rest...> /*sum*/) const {
    Real sum = derivative<Equation, Update, First>(slot);
    ((sum += derivative<Equation, Update, Rest>(++slot)), ...);
    return sum;
  }

  // Devices know what is static in an equation only in constant expressions, so loops over it are unrolled here.

  /// What the update adds to.
  template <class Equation, class Update, std::size_t... I>
  MUSTER_EVERYWHERE void begin(Real* outputs, std::int64_t offset, Real damped,
                               std::index_sequence<I...> /*all*/) const {
    const auto start = [&](int output, bool is_second_order) {
      const Real now = view.fields[output][offset];
      return is_second_order ? std::fma(-damped, view.before[output][offset], now + now) : now;
    };
    ((outputs[I] = start(std::integral_constant<int, Update::kOutputs[I]>(),
                         std::bool_constant<is_second_order<Equation, Update::kOutputs[I]>()>())),
     ...);
  }

  template <class Update, std::size_t... I>
  MUSTER_EVERYWHERE void couple(Real* values, std::int64_t offset, std::index_sequence<I...> /*all*/) const {
    const auto add = [&](Coupling coupling) {
      values[coupling.to] =
          std::fma(view.parameters[coupling.parameter][offset], values[coupling.from], values[coupling.to]);
    };
    (add(Coupling{.to = std::integral_constant<std::size_t, Update::kCouplings[I].to>(),
                  .from = std::integral_constant<std::size_t, Update::kCouplings[I].from>(),
                  .parameter = std::integral_constant<int, Update::kCouplings[I].parameter>()}),
     ...);
  }

  template <class Equation, class Update, std::size_t... I>
  MUSTER_EVERYWHERE void end(const Real* outputs, std::int64_t offset, Real damped,
                             std::index_sequence<I...> /*all*/) const {
    ((target<Equation, Update::kOutputs[I]>()[offset] = damped * outputs[I]), ...);
  }

  template <class Equation, int Output>
  [[nodiscard]] MUSTER_EVERYWHERE Real* target() const {
    return is_second_order<Equation, Output>() ? view.before[Output] : view.fields[Output];
  }
};

}  // namespace muster::seismic

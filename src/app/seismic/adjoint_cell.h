// The transpose of cell.h: what an update of one cell does to adjoint fields. Where the update reads a value, the transpose adds to
// it; everything happens in reverse.
//
// A cell adds to cells at most a radius away, so neighbours are visited one after another.
#pragma once

#include <cstdint>
#include <utility>

#include "app/seismic/equation/walk.h"
#include "app/seismic/view.h"

namespace muster::seismic {

template <class Real>
struct AdjointCell {
  const View<Real>& view;
  std::int64_t x;
  std::int64_t y;
  std::int64_t z;

  /// The transpose of an update. Of fields of second order in time, `fields` has the adjoint of the new values, and becomes that of
  /// the values before; `before` has the adjoint of the present values, and keeps it.
  template <class Equation, class Update, std::size_t Slot>
  void update() const {
    constexpr std::size_t kFirstOutput = Update::Rates::kCount + Update::kIntermediate;
    Real values[kFirstOutput + Update::kOutputs.size()] = {};
    const std::int64_t offset = view.offset(x, y, z);
    const Real damped = damping(where_of<Equation, Update>());
    for (std::size_t i = 0; i < Update::kOutputs.size(); ++i) {
      values[kFirstOutput + i] = take(Update::kOutputs[i], order_of<Equation>(Update::kOutputs[i]), offset, damped);
    }
    for (std::size_t i = Update::kCouplings.size(); i-- > 0;) {
      const Coupling& coupling = Update::kCouplings[i];
      const Real factor = coupling.parameter == kOne ? Real{1} : view.parameters[coupling.parameter][offset];
      values[coupling.from] += factor * values[coupling.to];
    }
    std::size_t rate = 0;
    spread_rates<Equation, Update, Slot>(values, rate, typename Update::Rates{});
  }

  /// The transpose of Cell::differentiate(): comes after all updates of a phase.
  template <class Equation, class Derivative>
  void differentiate(std::size_t slot) const {
    constexpr Axis kAxis = Derivative::kAxis;
    constexpr Location kBehind = location_of<Equation, Derivative::kField>().across(kAxis);
    if (!view.is_in_layer(kAxis, coordinate(kAxis))) return;
    Real& psi = view.psi[slot][memory_offset(kAxis)];
    const auto [a, b] = recursion(kAxis, kBehind);
    const Real value = a * psi;
    psi *= b;
    spread_first(target<Equation, Derivative>(), view.axes[kAxis].stride, kAxis, true, value);
  }

 private:
  [[nodiscard]] std::int64_t coordinate(Axis axis) const { return axis == Axis::x ? x : axis == Axis::y ? y : z; }

  template <class Equation>
  static constexpr int order_of(int field) {
    return Equation::kFields[static_cast<std::size_t>(field)].time_order;
  }

  [[nodiscard]] Real damping(Location where) const {
    return view.axes.x.damping[where.half_x][x] * view.axes.y.damping[where.half_y][y] *
           view.axes.z.damping[where.half_z][z];
  }

  /// The adjoint of what an update has summed up for an output.
  Real take(int output, int order, std::int64_t offset, Real damped) const {
    Real& now = view.fields[output][offset];
    if (order == 0) return std::exchange(now, Real{0});
    const Real value = damped * now;
    if (order == 1) return now = value;
    view.before[output][offset] += 2 * value;
    now = -damped * value;
    return value;
  }

  template <class Equation, class Update, std::size_t Slot, class... Rates>
  void spread_rates(const Real* values, std::size_t& rate, List<Rates...> /*rates*/) const {
    std::size_t slot = Slot;
    (spread_rate<Equation, Update>(values[rate++], slot, Rates{}), ...);
  }

  template <class Equation, class Update, class... Items>
  void spread_rate(Real value, std::size_t& slot, Rate<Items...> /*sum*/) const {
    (spread_item<Equation, Update, Items>(value, slot++), ...);
  }

  template <class Equation, class Update, class Item>
  void spread_item(Real value, std::size_t slot) const {
    constexpr Difference kDifference = difference_of<Equation, Update, Item>();
    if constexpr (kDifference == Difference::mean) {
      spread_mean<Equation, Update, Item>(value);
    } else if constexpr (kDifference == Difference::second) {
      spread_second_derivative<Equation, Item>(value, slot, where_of<Equation, Update>());
    } else {
      constexpr Location kWhere = where_of<Equation, Update>();
      constexpr Axis kAxis = Item::kAxis;
      if (has_memory(kAxis)) {
        Real& psi = view.psi[slot][memory_offset(kAxis)];
        const auto [a, b] = recursion(kAxis, kWhere);
        const Real remembered = psi + value;
        value += a * remembered;
        psi = b * remembered;
      }
      spread_first(target<Equation, Item>(), view.axes[kAxis].stride, kAxis, kWhere.is_half(kAxis), value);
    }
  }

  template <class Equation, class Derivative>
  void spread_second_derivative(Real value, std::size_t slot, Location where) const {
    constexpr Axis kAxis = Derivative::kAxis;
    const AxisView<Real>& along = view.axes[kAxis];
    if (view.is_in_layer(kAxis, coordinate(kAxis))) {
      const std::int64_t offset = memory_offset(kAxis);
      const auto [a, b] = recursion(kAxis, where);
      const Real remembered = view.zeta[slot][offset] + value;
      value += a * remembered;
      view.zeta[slot][offset] = b * remembered;
      Real* psi = view.psi[slot] + offset;
      const std::int64_t stride = along.slab.stride[kAxis];
      // Outside the layers psi is 0 and stays so.
      const auto add = [&](std::int64_t shift, Real part) {
        const std::int64_t cell = coordinate(kAxis) + shift / stride;
        if (cell >= 0 && cell < along.extent && view.is_in_layer(kAxis, cell)) psi[shift] += part;
      };
      spread_first(add, stride, kAxis, false, value);
    }
    const auto add = target<Equation, Derivative>();
    add(0, along.central_middle * value);
    for (int m = 1; m <= view.radius; ++m) {
      const Real part = along.central[m - 1] * value;
      add(m * along.stride, part);
      add(-m * along.stride, part);
    }
  }

  /// The transpose of Cell::first().
  template <class Add>
  void spread_first(const Add& add, std::int64_t stride, Axis axis, bool is_forward, Real value) const {
    const std::int64_t ahead = is_forward ? 0 : -1;
    const std::int64_t behind = is_forward ? 1 : 0;
    for (int m = 1; m <= view.radius; ++m) {
      const Real part = view.axes[axis].staggered[m - 1] * value;
      add((m + ahead) * stride, part);
      add((behind - m) * stride, -part);
    }
  }

  template <class Equation, class Update, class Item>
  void spread_mean(Real value) const {
    constexpr Location kFrom = location_of<Equation, Item::kField>();
    constexpr Location kTo = where_of<Equation, Update>();
    Real* at = view.fields[Item::kField] + view.offset(x, y, z);
    // The shift of the second neighbour along each axis; 0: there is none.
    PerAxis<std::int64_t> shift;
    for (const Axis axis : kAxes) {
      if (kFrom.is_half(axis) == kTo.is_half(axis)) continue;
      shift[axis] = kTo.is_half(axis) ? view.axes[axis].stride : -view.axes[axis].stride;
      value /= 2;
    }
    for (const int i : {0, 1}) {
      for (const int j : {0, 1}) {
        for (const int k : {0, 1}) {
          if ((i == 1 && shift.x == 0) || (j == 1 && shift.y == 0) || (k == 1 && shift.z == 0)) continue;
          at[i * shift.x + j * shift.y + k * shift.z] += value;
        }
      }
    }
  }

  /// Adds to what a derivative is taken of, at a shift from this cell.
  template <class Equation, class Derivative>
  [[nodiscard]] auto target() const {
    const std::int64_t offset = view.offset(x, y, z);
    return [this, offset](std::int64_t shift, Real value) {
      for_each_term<Derivative>([&]<class OfTerm>() { add_to<Equation>(offset + shift, value, OfTerm{}); });
    };
  }

  template <class Equation, int FieldIndex, int... Parameters>
  void add_to(std::int64_t offset, Real value, Term<FieldIndex, Parameters...> /*term*/) const {
    ((value *= view.parameters[Parameters][offset]), ...);
    (order_of<Equation>(FieldIndex) == 2 ? view.before : view.fields)[FieldIndex][offset] += value;
  }

  [[nodiscard]] bool has_memory(Axis axis) const {
    if (!view.is_multiaxial) return view.is_in_layer(axis, coordinate(axis));
    return view.is_in_layer(Axis::x, x) || view.is_in_layer(Axis::y, y) || view.is_in_layer(Axis::z, z);
  }

  [[nodiscard]] std::int64_t memory_offset(Axis axis) const {
    return view.memory_offset(view.is_multiaxial ? view.slab_axis(x, y) : axis, x, y, z);
  }

  struct Recursion {
    Real a;
    Real b;
  };
  [[nodiscard]] Recursion recursion(Axis axis, Location where) const {
    const auto factor = [&](Axis along, const auto& profile) {
      return profile[where.is_half(along)][coordinate(along)];
    };
    if (!view.is_multiaxial) return {factor(axis, view.axes[axis].a), factor(axis, view.axes[axis].b)};
    Real b = 1;
    for (const Axis along : kAxes) {
      b *= factor(along, along == axis ? view.axes[along].b : view.axes[along].cross);
    }
    return {b - 1, b};
  }
};

}  // namespace muster::seismic

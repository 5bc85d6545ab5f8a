// One row of cells along z, updated a vector at a time. Included once per instruction set (Highway's foreach_target), so it has no include
// guard; what it computes, and in which order, is that of cell.h.

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "app/seismic/equation/walk.h"
#include "app/seismic/view.h"

HWY_BEFORE_NAMESPACE();
namespace muster::seismic::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// `Radius` is that of the stencils, or 0: known at run time only. `IsLayered`: a part of the row is in a CPML.
template <class Equation, class Real, int Radius, bool IsLayered, bool IsDamped>
class Row {
 public:
  using Tag = hn::ScalableTag<Real>;
  using V = hn::Vec<Tag>;

  HWY_INLINE Row(const View<Real>& view, std::int64_t x, std::int64_t y)
      : view_(view), x_(x), y_(y), offset_(view.offset(x, y, 0)) {}

  /// Updates the cells from `first` up to `last`, which are all in the layers of z, or none of them.
  template <class Update, std::size_t Slot>
  HWY_INLINE void update(std::int64_t first, std::int64_t last) const {
    constexpr Location kWhere = where_of<Equation, Update>();
    const Tag tag;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(tag));
    const Real across = IsDamped ? factor(Axis::x, kWhere, x_) * factor(Axis::y, kWhere, y_) : Real{1};
    const Real* along = view_.axes.z.damping[kWhere.half_z];
    for (std::int64_t z = first; z < last; z += lanes) {
      const V damping = IsDamped ? hn::Mul(hn::Set(tag, across), hn::LoadU(tag, along + z)) : hn::Set(tag, Real{1});
      update_vector<Update, Slot>(z, last - z, damping);
    }
  }

  /// psi of the first derivatives that second ones need, for the cells from `first` up to `last`.
  template <class Derivative>
  HWY_INLINE void remember(std::size_t slot, std::int64_t first, std::int64_t last) const {
    constexpr Axis kAxis = Derivative::kAxis;
    const Tag tag;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(tag));
    for (std::int64_t z = first; z < last; z += lanes) {
      const Real* at = view_.fields[Derivative::kField] + offset_ + z;
      const V value = staggered<kAxis>(at, view_.axes[kAxis].stride, true);
      recall<kAxis>(view_.psi[slot] + view_.memory_offset(kAxis, x_, y_, z), value, z, true, last - z);
    }
  }

 private:
  [[nodiscard]] HWY_INLINE int radius() const { return Radius > 0 ? Radius : view_.radius; }

  [[nodiscard]] HWY_INLINE Real factor(Axis axis, Location where, std::int64_t i) const {
    return view_.axes[axis].damping[where.is_half(axis)][i];
  }

  template <Axis kAxis>
  [[nodiscard]] HWY_INLINE std::int64_t coordinate(std::int64_t z) const {
    return kAxis == Axis::x ? x_ : kAxis == Axis::y ? y_ : z;
  }

  template <Axis kAxis>
  [[nodiscard]] HWY_INLINE V staggered(const Real* at, std::int64_t stride, bool is_forward) const {
    const Tag tag;
    const Real* weights = view_.axes[kAxis].staggered;
    const std::int64_t ahead = is_forward ? 0 : -1;
    const std::int64_t behind = is_forward ? 1 : 0;
    V sum = hn::Mul(hn::Set(tag, weights[0]),
                    hn::Sub(hn::LoadU(tag, at + (1 + ahead) * stride), hn::LoadU(tag, at + (behind - 1) * stride)));
    for (int m = 2; m <= radius(); ++m) {
      const V difference =
          hn::Sub(hn::LoadU(tag, at + (m + ahead) * stride), hn::LoadU(tag, at + (behind - m) * stride));
      sum = hn::MulAdd(hn::Set(tag, weights[m - 1]), difference, sum);
    }
    return sum;
  }

  template <Axis kAxis>
  [[nodiscard]] HWY_INLINE V central(const Real* at, std::int64_t stride) const {
    const Tag tag;
    const AxisView<Real>& along = view_.axes[kAxis];
    V sum = hn::Mul(hn::Set(tag, along.central_middle), hn::LoadU(tag, at));
    for (int m = 1; m <= radius(); ++m) {
      const V both = hn::Add(hn::LoadU(tag, at + m * stride), hn::LoadU(tag, at - m * stride));
      sum = hn::MulAdd(hn::Set(tag, along.central[m - 1]), both, sum);
    }
    return sum;
  }

  /// remembered <- b remembered + a value, in the first `count` cells.
  template <Axis kAxis>
  HWY_INLINE V recall(Real* remembered, V value, std::int64_t z, bool is_half, std::int64_t count) const {
    const Tag tag;
    const Real* a_at = view_.axes[kAxis].a[is_half] + coordinate<kAxis>(z);
    const Real* b_at = view_.axes[kAxis].b[is_half] + coordinate<kAxis>(z);
    const V a = kAxis == Axis::z ? hn::LoadU(tag, a_at) : hn::Set(tag, *a_at);
    const V b = kAxis == Axis::z ? hn::LoadU(tag, b_at) : hn::Set(tag, *b_at);
    const V next = hn::MulAdd(a, value, hn::Mul(b, hn::LoadU(tag, remembered)));
    store(next, remembered, count);
    return next;
  }

  HWY_INLINE void store(V value, Real* to, std::int64_t count) const {
    const Tag tag;
    if (count >= static_cast<std::int64_t>(hn::Lanes(tag))) {
      hn::StoreU(value, tag, to);
    } else {
      hn::BlendedStore(value, hn::FirstN(tag, static_cast<std::size_t>(count)), tag, to);
    }
  }

  template <class Update, class Derivative>
  [[nodiscard]] HWY_INLINE V derivative(std::size_t slot, std::int64_t z, std::int64_t count) const {
    constexpr Axis kAxis = Derivative::kAxis;
    const Real* at = view_.fields[Derivative::kField] + offset_ + z;
    const std::int64_t stride = kAxis == Axis::z ? 1 : view_.axes[kAxis].stride;
    if constexpr (is_second<Equation, Update, Derivative>()) {
      const V value = central<kAxis>(at, stride);
      if (!IsLayered || !view_.is_in_layer(kAxis, coordinate<kAxis>(z))) return value;
      const std::int64_t offset = view_.memory_offset(kAxis, x_, y_, z);
      const std::int64_t memory_stride = kAxis == Axis::z ? 1 : view_.axes[kAxis].memory_stride[kAxis];
      const V stretched = hn::Add(value, staggered<kAxis>(view_.psi[slot] + offset, memory_stride, false));
      return hn::Add(stretched, recall<kAxis>(view_.zeta[slot] + offset, stretched, z, false, count));
    } else {
      constexpr bool kIsHalf = where_of<Equation, Update>().is_half(kAxis);
      const V value = staggered<kAxis>(at, stride, kIsHalf);
      if (!IsLayered || !view_.is_in_layer(kAxis, coordinate<kAxis>(z))) return value;
      Real* psi = view_.psi[slot] + view_.memory_offset(kAxis, x_, y_, z);
      return hn::Add(value, recall<kAxis>(psi, value, z, kIsHalf, count));
    }
  }

  template <class Update, class First, class... Rest>
  [[nodiscard]] HWY_INLINE V rate(Rate<First, Rest...> /*sum*/, std::size_t slot, std::int64_t z,
                                  std::int64_t count) const {
    V sum = derivative<Update, First>(slot, z, count);
    ((sum = hn::Add(sum, derivative<Update, Rest>(++slot, z, count))), ...);
    return sum;
  }

  template <class Update, std::size_t Slot>
  HWY_INLINE void update_vector(std::int64_t z, std::int64_t count, V damping) const {
    constexpr std::size_t kFirstOutput = Update::Rates::kCount + Update::kIntermediate;
    constexpr std::size_t kOutputs = Update::kOutputs.size();
    V values[kFirstOutput + kOutputs];
    collect_rates<Update, Slot>(values, z, count, typename Update::Rates{});
    const Tag tag;
    for (std::size_t i = Update::Rates::kCount; i < kFirstOutput; ++i) values[i] = hn::Zero(tag);
    for (std::size_t i = 0; i < kOutputs; ++i) {
      const auto output = static_cast<std::size_t>(Update::kOutputs[i]);
      const V now = hn::LoadU(tag, view_.fields[output] + offset_ + z);
      values[kFirstOutput + i] =
          Equation::kFields[output].time_order == 2
              ? hn::NegMulAdd(damping, hn::LoadU(tag, view_.before[output] + offset_ + z), hn::Add(now, now))
              : now;
    }
    couple<Update>(values, z, std::make_index_sequence<Update::kCouplings.size()>());
    for (std::size_t i = 0; i < kOutputs; ++i) {
      const auto output = static_cast<std::size_t>(Update::kOutputs[i]);
      Real* target = (Equation::kFields[output].time_order == 2 ? view_.before : view_.fields)[output];
      const V value = values[kFirstOutput + i];
      store(IsDamped ? hn::Mul(damping, value) : value, target + offset_ + z, count);
    }
  }

  template <class Update, std::size_t Slot, class... Rates>
  HWY_INLINE void collect_rates(V* values, std::int64_t z, std::int64_t count, List<Rates...> /*rates*/) const {
    std::size_t slot = Slot;
    ((*values++ = rate<Update>(Rates{}, slot, z, count), slot += kDerivatives<Rates>), ...);
  }

  template <class Update, std::size_t... C>
  HWY_INLINE void couple(V* values, std::int64_t z, std::index_sequence<C...> /*all*/) const {
    (couple_once<Update::kCouplings[C].to, Update::kCouplings[C].from, Update::kCouplings[C].parameter>(values, z),
     ...);
  }

  template <std::size_t To, std::size_t From, int Parameter>
  HWY_INLINE void couple_once(V* values, std::int64_t z) const {
    const V coefficient = hn::LoadU(Tag(), view_.parameters[Parameter] + offset_ + z);
    values[To] = hn::MulAdd(coefficient, values[From], values[To]);
  }

  const View<Real>& view_;
  std::int64_t x_;
  std::int64_t y_;
  std::int64_t offset_;  ///< of the row's first cell
};

}  // namespace muster::seismic::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

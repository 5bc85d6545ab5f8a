// One row of cells along z, updated a vector at a time. Included once per instruction set (Highway's foreach_target), so it has no include
// guard; what it computes, and in which order, is that of cell.h.

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "app/seismic/cell.h"
#include "app/seismic/equation/walk.h"
#include "app/seismic/view.h"

HWY_BEFORE_NAMESPACE();
namespace muster::seismic::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// What is known is that of all cells of a row.
template <class Equation, class Real, CellTraits Traits>
class Row {
 public:
  using Tag = hn::ScalableTag<Real>;
  using V = hn::Vec<Tag>;

  HWY_INLINE Row(const View<Real>& view, std::int64_t x, std::int64_t y)
      : view_(view), x_(x), y_(y), offset_(view.offset(x, y, 0)), slab_(view.slab_axis(x, y)) {}

  /// Updates the cells from `first` up to `last`, which are all in the layers of z, or none of them.
  template <class Update, std::size_t Slot>
  HWY_NOINLINE void update(std::int64_t first, std::int64_t last) const {
    constexpr Location kWhere = where_of<Equation, Update>();
    const Tag tag;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(tag));
    const Real across = Traits.has_damping ? factor(Axis::x, kWhere, x_) * factor(Axis::y, kWhere, y_) : Real{1};
    const Real* along = view_.axes.z.damping[kWhere.half_z];
    for (std::int64_t z = first; z < last; z += lanes) {
      const V damping =
          Traits.has_damping ? hn::Mul(hn::Set(tag, across), hn::LoadU(tag, along + z)) : hn::Set(tag, Real{1});
      update_vector<Update, Slot>(z, last - z, damping);
    }
  }

  /// psi of the first derivatives that second ones need, for the cells from `first` up to `last`.
  template <class Derivative>
  HWY_INLINE void remember(std::size_t slot, std::int64_t first, std::int64_t last) const {
    constexpr Axis kAxis = Derivative::kAxis;
    constexpr Location kBehind = location_of<Equation, Derivative::kField>().across(kAxis);
    const Tag tag;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(tag));
    for (std::int64_t z = first; z < last; z += lanes) {
      const V value = staggered<kAxis>(values_of<Derivative>(z), stride<kAxis>(), true);
      recall<kAxis, kBehind>(view_.psi[slot] + memory_offset<kAxis>(z), value, z, last - z);
    }
  }

 private:
  [[nodiscard]] HWY_INLINE int radius() const { return Traits.radius > 0 ? Traits.radius : view_.radius; }

  [[nodiscard]] HWY_INLINE Real factor(Axis axis, Location where, std::int64_t i) const {
    return view_.axes[axis].damping[where.is_half(axis)][i];
  }

  template <Axis kAxis>
  [[nodiscard]] HWY_INLINE std::int64_t coordinate(std::int64_t z) const {
    return kAxis == Axis::x ? x_ : kAxis == Axis::y ? y_ : z;
  }

  template <Axis kAxis>
  [[nodiscard]] HWY_INLINE std::int64_t stride() const {
    return kAxis == Axis::z ? 1 : view_.axes[kAxis].stride;
  }

  /// Whether a derivative along the axis has memory in the cells from z on.
  template <Axis kAxis>
  [[nodiscard]] HWY_INLINE bool is_in_layer(std::int64_t z) const {
    if constexpr (Traits.layers == LayerKind::none) return false;
    if constexpr (Traits.layers == LayerKind::multiaxial) return true;
    return view_.is_in_layer(kAxis, coordinate<kAxis>(z));
  }

  template <Axis kAxis>
  [[nodiscard]] HWY_INLINE std::int64_t memory_offset(std::int64_t z) const {
    return view_.memory_offset(Traits.layers == LayerKind::multiaxial ? slab_ : kAxis, x_, y_, z);
  }

  template <Axis kAxis, class At>
  [[nodiscard]] HWY_INLINE V staggered(const At& at, std::int64_t stride, bool is_forward) const {
    const Tag tag;
    const Real* weights = view_.axes[kAxis].staggered;
    const std::int64_t ahead = is_forward ? 0 : -1;
    const std::int64_t behind = is_forward ? 1 : 0;
    V sum = hn::Mul(hn::Set(tag, weights[0]), hn::Sub(at((1 + ahead) * stride), at((behind - 1) * stride)));
    for (int m = 2; m <= radius(); ++m) {
      const V difference = hn::Sub(at((m + ahead) * stride), at((behind - m) * stride));
      sum = hn::MulAdd(hn::Set(tag, weights[m - 1]), difference, sum);
    }
    return sum;
  }

  template <Axis kAxis, class At>
  [[nodiscard]] HWY_INLINE V central(const At& at, std::int64_t stride) const {
    const Tag tag;
    const AxisView<Real>& along = view_.axes[kAxis];
    V sum = hn::Mul(hn::Set(tag, along.central_middle), at(0));
    for (int m = 1; m <= radius(); ++m) {
      const V both = hn::Add(at(m * stride), at(-m * stride));
      sum = hn::MulAdd(hn::Set(tag, along.central[m - 1]), both, sum);
    }
    return sum;
  }

  /// A profile along an axis: a value per cell along z, the same for the whole row along x and y.
  template <Axis kAxis>
  [[nodiscard]] HWY_INLINE V along(const Real* profile, std::int64_t z) const {
    return kAxis == Axis::z ? hn::LoadU(Tag(), profile + z) : hn::Set(Tag(), profile[coordinate<kAxis>(z)]);
  }

  template <Axis kAxis, Axis kOf, Location kWhere>
  [[nodiscard]] HWY_INLINE V cross(std::int64_t z) const {
    const AxisView<Real>& view = view_.axes[kAxis];
    return along<kAxis>((kAxis == kOf ? view.b : view.cross)[kWhere.is_half(kAxis)], z);
  }

  /// remembered <- b remembered + a value, in the first `count` cells.
  template <Axis kAxis, Location kWhere>
  HWY_INLINE V recall(Real* remembered, V value, std::int64_t z, std::int64_t count) const {
    const Tag tag;
    V a;
    V b;
    if constexpr (Traits.layers == LayerKind::multiaxial) {
      b = hn::Mul(hn::Mul(cross<Axis::x, kAxis, kWhere>(z), cross<Axis::y, kAxis, kWhere>(z)),
                  cross<Axis::z, kAxis, kWhere>(z));
      a = hn::Sub(b, hn::Set(tag, Real{1}));
    } else {
      constexpr bool kIsHalf = kWhere.is_half(kAxis);
      a = along<kAxis>(view_.axes[kAxis].a[kIsHalf], z);
      b = along<kAxis>(view_.axes[kAxis].b[kIsHalf], z);
    }
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

  template <class Update, class Item>
  [[nodiscard]] HWY_INLINE V item(std::size_t slot, std::int64_t z, std::int64_t count) const {
    constexpr Difference kDifference = difference_of<Equation, Update, Item>();
    if constexpr (kDifference == Difference::mean) {
      return mean<Update, Item>(z);
    } else if constexpr (kDifference == Difference::second) {
      return second_derivative<Update, Item>(slot, z, count);
    } else {
      return first_derivative<Update, Item>(slot, z, count);
    }
  }

  template <class Update, class Derivative>
  [[nodiscard]] HWY_INLINE V first_derivative(std::size_t slot, std::int64_t z, std::int64_t count) const {
    constexpr Axis kAxis = Derivative::kAxis;
    constexpr Location kWhere = where_of<Equation, Update>();
    const V value = staggered<kAxis>(values_of<Derivative>(z), stride<kAxis>(), kWhere.is_half(kAxis));
    if (!is_in_layer<kAxis>(z)) return value;
    return hn::Add(value, recall<kAxis, kWhere>(view_.psi[slot] + memory_offset<kAxis>(z), value, z, count));
  }

  template <class Update, class Derivative>
  [[nodiscard]] HWY_INLINE V second_derivative(std::size_t slot, std::int64_t z, std::int64_t count) const {
    constexpr Axis kAxis = Derivative::kAxis;
    const V value = central<kAxis>(values_of<Derivative>(z), stride<kAxis>());
    if (!is_in_layer<kAxis>(z)) return value;
    const std::int64_t offset = memory_offset<kAxis>(z);
    const std::int64_t memory_stride = kAxis == Axis::z ? 1 : view_.axes[kAxis].slab.stride[kAxis];
    const Real* psi = view_.psi[slot] + offset;
    const auto at = [psi](std::int64_t shift) { return hn::LoadU(Tag(), psi + shift); };
    const V stretched = hn::Add(value, staggered<kAxis>(at, memory_stride, false));
    constexpr Location kWhere = where_of<Equation, Update>();
    return hn::Add(stretched, recall<kAxis, kWhere>(view_.zeta[slot] + offset, stretched, z, count));
  }

  template <class Update, class Item>
  [[nodiscard]] HWY_INLINE V mean(std::int64_t z) const {
    constexpr Location kFrom = location_of<Equation, Item::kField>();
    constexpr Location kTo = where_of<Equation, Update>();
    const Real* at = view_.fields[Item::kField] + offset_ + z;
    const auto along = [](bool from, bool to, std::int64_t stride, const auto& values, std::int64_t shift) {
      if (from == to) return values(shift);
      return hn::Mul(hn::Set(Tag(), Real{0.5}), hn::Add(values(shift), values(shift + (to ? stride : -stride))));
    };
    const auto plain = [at](std::int64_t shift) { return hn::LoadU(Tag(), at + shift); };
    const auto in_x = [&](std::int64_t shift) {
      return along(kFrom.half_x, kTo.half_x, stride<Axis::x>(), plain, shift);
    };
    const auto in_y = [&](std::int64_t shift) {
      return along(kFrom.half_y, kTo.half_y, stride<Axis::y>(), in_x, shift);
    };
    return along(kFrom.half_z, kTo.half_z, stride<Axis::z>(), in_y, 0);
  }

  /// The values that a derivative is taken of, as a function of the shift from the cells from z on.
  template <class Derivative>
  [[nodiscard]] HWY_INLINE auto values_of(std::int64_t z) const {
    const std::int64_t offset = offset_ + z;
    return [this, offset](std::int64_t shift) { return sum_of(offset + shift, typename Derivative::Terms{}); };
  }

  template <class First, class... Rest>
  [[nodiscard]] HWY_INLINE V sum_of(std::int64_t offset, List<First, Rest...> /*terms*/) const {
    V sum = product_of(offset, First{});
    ((sum = add_product(sum, offset, Rest{})), ...);
    return sum;
  }

  template <int FieldIndex, int... Parameters>
  [[nodiscard]] HWY_INLINE V product_of(std::int64_t offset, Term<FieldIndex, Parameters...> /*term*/) const {
    V product = hn::LoadU(Tag(), view_.fields[FieldIndex] + offset);
    ((product = hn::Mul(product, hn::LoadU(Tag(), view_.parameters[Parameters] + offset))), ...);
    return product;
  }

  template <int FieldIndex, int Last, int... Parameters>
  [[nodiscard]] HWY_INLINE V add_product(V sum, std::int64_t offset,
                                         Term<FieldIndex, Last, Parameters...> /*term*/) const {
    const V product = product_of(offset, Term<FieldIndex, Parameters...>{});
    return hn::MulAdd(product, hn::LoadU(Tag(), view_.parameters[Last] + offset), sum);
  }

  template <int FieldIndex>
  [[nodiscard]] HWY_INLINE V add_product(V sum, std::int64_t offset, Term<FieldIndex> /*term*/) const {
    return hn::Add(sum, hn::LoadU(Tag(), view_.fields[FieldIndex] + offset));
  }

  template <class Update, class First, class... Rest>
  [[nodiscard]] HWY_INLINE V rate(Rate<First, Rest...> /*sum*/, std::size_t slot, std::int64_t z,
                                  std::int64_t count) const {
    V sum = item<Update, First>(slot, z, count);
    ((sum = hn::Add(sum, item<Update, Rest>(++slot, z, count))), ...);
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
      const int order = Equation::kFields[output].time_order;
      V start = order == 0 ? hn::Zero(tag) : hn::LoadU(tag, view_.fields[output] + offset_ + z);
      if (order == 2) {
        start = hn::NegMulAdd(damping, hn::LoadU(tag, view_.before[output] + offset_ + z), hn::Add(start, start));
      }
      values[kFirstOutput + i] = start;
    }
    couple<Update>(values, z, std::make_index_sequence<Update::kCouplings.size()>());
    for (std::size_t i = 0; i < kOutputs; ++i) {
      const auto output = static_cast<std::size_t>(Update::kOutputs[i]);
      const int order = Equation::kFields[output].time_order;
      Real* target = (order == 2 ? view_.before : view_.fields)[output];
      const V value = values[kFirstOutput + i];
      store(Traits.has_damping && order > 0 ? hn::Mul(damping, value) : value, target + offset_ + z, count);
    }
  }

  template <class Update, std::size_t Slot, class... Rates>
  HWY_INLINE void collect_rates(V* values, std::int64_t z, std::int64_t count, List<Rates...> /*rates*/) const {
    std::size_t slot = Slot;
    ((*values++ = rate<Update>(Rates{}, slot, z, count), slot += kItems<Rates>), ...);
  }

  template <class Update, std::size_t... C>
  HWY_INLINE void couple(V* values, std::int64_t z, std::index_sequence<C...> /*all*/) const {
    (couple_once<Update::kCouplings[C].to, Update::kCouplings[C].from, Update::kCouplings[C].parameter>(values, z),
     ...);
  }

  template <std::size_t To, std::size_t From, int Parameter>
  HWY_INLINE void couple_once(V* values, std::int64_t z) const {
    if constexpr (Parameter == kOne) {
      values[To] = hn::Add(values[To], values[From]);
    } else {
      const V coefficient = hn::LoadU(Tag(), view_.parameters[Parameter] + offset_ + z);
      values[To] = hn::MulAdd(coefficient, values[From], values[To]);
    }
  }

  const View<Real>& view_;
  std::int64_t x_;
  std::int64_t y_;
  std::int64_t offset_;  ///< of the row's first cell
  Axis slab_;            ///< in which a multiaxial row has its memory
};

}  // namespace muster::seismic::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

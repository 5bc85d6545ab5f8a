// Rows of cells along z that follow each other along x, updated a vector at a time. Included once per instruction set (Highway's
// foreach_target), so it has no include guard; what it computes, and in which order, is that of cell.h.
//
// Several rows at once share what their stencils read along x: it comes from a farther cache than the rows themselves.

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "app/seismic/cell.h"
#include "app/seismic/cpu/row_block.h"
#include "app/seismic/equation/walk.h"
#include "app/seismic/view.h"

HWY_BEFORE_NAMESPACE();
namespace muster::seismic::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// What is known is that of all cells of the rows: they are all in layers of x, or none of them is.
template <class Equation, class Real, CellTraits Traits, int Count>
class Rows {
 public:
  using Tag = hn::ScalableTag<Real>;
  using V = hn::Vec<Tag>;

  HWY_INLINE Rows(const View<Real>& view, const Segment& segment)
      : view_(view),
        stencils_(view),
        segment_(segment),
        offset_(view.offset(segment.x, segment.y, 0)),
        slab_(view.slab_axis(segment.x, segment.y)),
        in_x_(view.is_in_layer(Axis::x, segment.x)),
        in_y_(view.is_in_layer(Axis::y, segment.y)) {}

  template <class Update, std::size_t Slot>
  HWY_INLINE void update() const {
    constexpr Location kWhere = where_of<Equation, Update>();
    const Tag tag;
    V across[Count];
    for (int r = 0; r < Count; ++r) {
      const Real factor = Traits.has_damping
                              ? damping(Axis::x, kWhere, segment_.x + r) * damping(Axis::y, kWhere, segment_.y)
                              : Real{1};
      across[r] = hn::Set(tag, factor);
    }
    const Real* along = view_.axes.z.damping[kWhere.half_z];
    for (Lanes at = first_lanes(); at.z < segment_.last; at = next(at)) {
      V damped[Count];
      for (int r = 0; r < Count; ++r) {
        damped[r] = Traits.has_damping ? hn::Mul(across[r], hn::LoadU(tag, along + at.z)) : across[r];
      }
      update_vectors<Update, Slot>(at, damped);
    }
  }

  /// psi of the first derivatives that second ones need.
  template <class Derivative, std::size_t Slot>
  HWY_INLINE void remember() const {
    constexpr Axis kAxis = Derivative::kAxis;
    constexpr Location kBehind = location_of<Equation, Derivative::kField>().across(kAxis);
    for (Lanes at = first_lanes(); at.z < segment_.last; at = next(at)) {
      V values[Count];
      stencils_.template staggered<kAxis, true>(values, values_of<Derivative>(at.z));
      for (int r = 0; r < Count; ++r) {
        recall<kAxis, kBehind>(view_.psi[Slot] + memory_offset<kAxis>(at.z, r), values[r], at, r);
      }
    }
  }

 private:
  static constexpr std::int64_t kLanes = hn::MaxLanes(Tag());

  /// A vector of each row.
  struct Lanes {
    std::int64_t z = 0;
    std::int64_t count = 0;  ///< that are to be updated
  };

  [[nodiscard]] HWY_INLINE Lanes first_lanes() const {
    return {segment_.first, std::min(kLanes, segment_.last - segment_.first)};
  }
  [[nodiscard]] HWY_INLINE Lanes next(Lanes at) const {
    return {at.z + kLanes, std::min(kLanes, segment_.last - at.z - kLanes)};
  }

  [[nodiscard]] HWY_INLINE Real damping(Axis axis, Location where, std::int64_t i) const {
    return view_.axes[axis].damping[where.is_half(axis)][i];
  }

  template <Axis kAxis>
  [[nodiscard]] HWY_INLINE std::int64_t stride() const {
    return kAxis == Axis::z ? 1 : view_.axes[kAxis].stride;
  }

  /// Whether a derivative along the axis has memory, in some cells at least.
  template <Axis kAxis>
  [[nodiscard]] HWY_INLINE bool is_in_layer() const {
    if constexpr (Traits.layers == LayerKind::none) return false;
    if constexpr (Traits.layers == LayerKind::multiaxial) return true;
    return kAxis == Axis::x ? in_x_ : kAxis == Axis::y ? in_y_ : segment_.has_layer;
  }

  /// Whether only some cells of a vector may be in the layer in which a derivative along the axis has its memory.
  template <Axis kAxis>
  [[nodiscard]] HWY_INLINE bool is_cut() const {
    if constexpr (Traits.layers == LayerKind::multiaxial) return slab_ == Axis::z;
    return kAxis == Axis::z;
  }

  /// The cells of a vector that are in a layer of z.
  [[nodiscard]] HWY_INLINE hn::Mask<Tag> in_layer(std::int64_t z) const {
    const Tag tag;
    const auto lanes_before = [&](std::int64_t cell) {
      return hn::FirstN(tag, static_cast<std::size_t>(std::clamp<std::int64_t>(cell - z, 0, kLanes)));
    };
    const AxisView<Real>& along = view_.axes.z;
    return z < along.layer_low ? lanes_before(along.layer_low) : hn::Not(lanes_before(along.extent - along.layer_high));
  }

  template <Axis kAxis>
  [[nodiscard]] HWY_INLINE std::int64_t memory_offset(std::int64_t z, int row) const {
    return view_.memory_offset(Traits.layers == LayerKind::multiaxial ? slab_ : kAxis, segment_.x + row, segment_.y, z);
  }

  /// Calls visit(integral_constant) for every row.
  template <class Visit>
  HWY_INLINE void for_each_row(const Visit& visit) const {
    [&]<int... R>(std::integer_sequence<int, R...>) { (visit(std::integral_constant<int, R>()), ...); }
    (std::make_integer_sequence<int, Count>());
  }

  /// A profile along an axis: a value per cell along z, the same for a whole row along x and y.
  template <Axis kAxis>
  [[nodiscard]] HWY_INLINE V along(const Real* profile, std::int64_t z, int row) const {
    if constexpr (kAxis == Axis::z) return hn::LoadU(Tag(), profile + z);
    return hn::Set(Tag(), profile[kAxis == Axis::x ? segment_.x + row : segment_.y]);
  }

  template <Axis kAxis, Axis kOf, Location kWhere>
  [[nodiscard]] HWY_INLINE V cross(std::int64_t z, int row) const {
    const AxisView<Real>& view = view_.axes[kAxis];
    return along<kAxis>((kAxis == kOf ? view.b : view.cross)[kWhere.is_half(kAxis)], z, row);
  }

  /// remembered <- b remembered + a value. Returns what is remembered.
  template <Axis kAxis, Location kWhere>
  HWY_INLINE V recall(Real* remembered, V value, Lanes at, int row) const {
    const Tag tag;
    V a;
    V b;
    if constexpr (Traits.layers == LayerKind::multiaxial) {
      b = hn::Mul(hn::Mul(cross<Axis::x, kAxis, kWhere>(at.z, row), cross<Axis::y, kAxis, kWhere>(at.z, row)),
                  cross<Axis::z, kAxis, kWhere>(at.z, row));
      a = hn::Sub(b, hn::Set(tag, Real{1}));
    } else {
      constexpr bool kIsHalf = kWhere.is_half(kAxis);
      a = along<kAxis>(view_.axes[kAxis].a[kIsHalf], at.z, row);
      b = along<kAxis>(view_.axes[kAxis].b[kIsHalf], at.z, row);
    }
    const V next = hn::MulAdd(a, value, hn::Mul(b, hn::LoadU(tag, remembered)));
    if (is_cut<kAxis>()) {
      const auto wanted = hn::FirstN(tag, static_cast<std::size_t>(at.count));
      hn::BlendedStore(next, hn::And(wanted, in_layer(at.z)), tag, remembered);
    } else {
      store(next, remembered, at.count);
    }
    return next;
  }

  /// `inside` where a cell is in the layer of a derivative along the axis, and `outside` elsewhere.
  template <Axis kAxis>
  [[nodiscard]] HWY_INLINE V where_in_layer(V inside, V outside, std::int64_t z) const {
    return is_cut<kAxis>() ? hn::IfThenElse(in_layer(z), inside, outside) : inside;
  }

  HWY_INLINE void store(V value, Real* to, std::int64_t count) const {
    const Tag tag;
    if (count >= kLanes) {
      hn::StoreU(value, tag, to);
    } else {
      hn::BlendedStore(value, hn::FirstN(tag, static_cast<std::size_t>(count)), tag, to);
    }
  }

  template <class Update, std::size_t Slot, class Item>
  HWY_INLINE void item(V* values, Lanes at) const {
    constexpr Difference kDifference = difference_of<Equation, Update, Item>();
    if constexpr (kDifference == Difference::mean) {
      for (int r = 0; r < Count; ++r) values[r] = mean<Update, Item>(at.z, r);
    } else if constexpr (kDifference == Difference::second) {
      second_derivative<Update, Slot, Item>(values, at);
    } else {
      first_derivative<Update, Slot, Item>(values, at);
    }
  }

  template <class Update, std::size_t Slot, class Derivative>
  HWY_INLINE void first_derivative(V* values, Lanes at) const {
    constexpr Axis kAxis = Derivative::kAxis;
    constexpr Location kWhere = where_of<Equation, Update>();
    stencils_.template staggered<kAxis, kWhere.is_half(kAxis)>(values, values_of<Derivative>(at.z));
    if (!is_in_layer<kAxis>()) return;
    for (int r = 0; r < Count; ++r) {
      const V psi = recall<kAxis, kWhere>(view_.psi[Slot] + memory_offset<kAxis>(at.z, r), values[r], at, r);
      values[r] = where_in_layer<kAxis>(hn::Add(values[r], psi), values[r], at.z);
    }
  }

  template <class Update, std::size_t Slot, class Derivative>
  HWY_INLINE void second_derivative(V* values, Lanes at) const {
    constexpr Axis kAxis = Derivative::kAxis;
    stencils_.template central<kAxis>(values, values_of<Derivative>(at.z));
    if (!is_in_layer<kAxis>()) return;
    const std::int64_t offset = memory_offset<kAxis>(at.z, 0);
    const Slab& slab = view_.axes[kAxis].slab;
    const Real* psi = view_.psi[Slot] + offset;
    const auto remembered = [psi, &slab](int row, int steps) {
      return hn::LoadU(Tag(), psi + row * slab.stride.x + steps * (kAxis == Axis::z ? 1 : slab.stride[kAxis]));
    };
    V slopes[Count];
    stencils_.template staggered<kAxis, false>(slopes, remembered);
    constexpr Location kWhere = where_of<Equation, Update>();
    // The row of psi that the stencil of the next row will reach first.
    const std::int64_t ahead = slab.stride.y + (kAxis == Axis::z ? 0 : (view_.radius - 1) * slab.stride[kAxis]);
    for (int r = 0; r < Count; ++r) {
      hwy::Prefetch(psi + r * slab.stride.x + ahead);
      hwy::Prefetch(view_.zeta[Slot] + offset + r * slab.stride.x + slab.stride.y);
      const V stretched = hn::Add(values[r], slopes[r]);
      const V zeta = recall<kAxis, kWhere>(view_.zeta[Slot] + offset + r * slab.stride.x, stretched, at, r);
      values[r] = where_in_layer<kAxis>(hn::Add(stretched, zeta), values[r], at.z);
    }
  }

  template <class Update, class Item>
  [[nodiscard]] HWY_INLINE V mean(std::int64_t z, int row) const {
    constexpr Location kFrom = location_of<Equation, Item::kField>();
    constexpr Location kTo = where_of<Equation, Update>();
    const Real* at = view_.fields[Item::kField] + offset_ + row * stride<Axis::x>() + z;
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

  /// The values that a derivative is taken of, as a function of the row and the steps from its cells from z on.
  template <class Derivative>
  [[nodiscard]] HWY_INLINE auto values_of(std::int64_t z) const {
    const std::int64_t offset = offset_ + z;
    return [this, offset](int row, int steps) {
      const std::int64_t shift = row * stride<Axis::x>() + steps * stride<Derivative::kAxis>();
      return sum_of(view_, offset + shift, typename Derivative::Terms{});
    };
  }

  /// Adds what the other items of a sum have to the first.
  template <class Update, std::size_t Slot, class First, class... Rest>
  HWY_INLINE void rate(V* sums, Rate<First, Rest...> /*sum*/, Lanes at) const {
    item<Update, Slot, First>(sums, at);
    add_items<Update, Slot + 1>(sums, at, List<Rest...>{});
  }

  template <class Update, std::size_t Slot>
  HWY_INLINE void add_items(V* /*sums*/, Lanes /*at*/, List<> /*items*/) const {}

  template <class Update, std::size_t Slot, class First, class... Rest>
  HWY_INLINE void add_items(V* sums, Lanes at, List<First, Rest...> /*items*/) const {
    V values[Count];
    item<Update, Slot, First>(values, at);
    for (int r = 0; r < Count; ++r) sums[r] = hn::Add(sums[r], values[r]);
    add_items<Update, Slot + 1>(sums, at, List<Rest...>{});
  }

  template <class Update, std::size_t Slot>
  HWY_INLINE void update_vectors(Lanes at, const V* damped) const {
    constexpr std::size_t kFirstOutput = Update::Rates::kCount + Update::kIntermediate;
    constexpr auto kEachOutput = std::make_index_sequence<Update::kOutputs.size()>();
    V values[kFirstOutput + Update::kOutputs.size()][Count];
    collect_rates<Update, Slot>(values, at, typename Update::Rates{});
    for_each_row([&](auto row) {
      constexpr int kRow = row;
      const std::int64_t offset = offset_ + kRow * stride<Axis::x>() + at.z;
      for (std::size_t i = Update::Rates::kCount; i < kFirstOutput; ++i) values[i][kRow] = hn::Zero(Tag());
      begin<Update>(values + kFirstOutput, offset, damped[kRow], row, kEachOutput);
      couple<Update>(values, offset, row, std::make_index_sequence<Update::kCouplings.size()>());
    });
    for_each_row([&](auto row) {
      constexpr int kRow = row;
      end<Update>(values + kFirstOutput, at, damped[kRow], row, kEachOutput);
    });
  }

  /// What the outputs are before the update adds to them.
  template <class Update, class Row, std::size_t... I>
  HWY_INLINE void begin(V (*outputs)[Count], std::int64_t offset, V damped, Row /*row*/,
                        std::index_sequence<I...> /*all*/) const {
    ((outputs[I][Row::value] = begin_output<Update::kOutputs[I]>(offset, damped)), ...);
  }

  template <int Output>
  [[nodiscard]] HWY_INLINE V begin_output(std::int64_t offset, V damped) const {
    constexpr int kOrder = time_order<Equation, Output>();
    const Tag tag;
    if constexpr (kOrder == 0) return hn::Zero(tag);
    const V start = hn::LoadU(tag, view_.fields[Output] + offset);
    if constexpr (kOrder < 2) return start;
    const Real* before = view_.before[Output] + offset;
    fetch(before);
    fetch(view_.fields[Output] + offset + view_.radius * stride<Axis::x>());
    return hn::NegMulAdd(damped, hn::LoadU(tag, before), hn::Add(start, start));
  }

  /// Memory answers slowly: what the next row will need is asked for now.
  HWY_INLINE void fetch(const Real* at) const { hwy::Prefetch(at + stride<Axis::y>()); }

  template <class Update, class Row, std::size_t... I>
  HWY_INLINE void end(V (*outputs)[Count], Lanes at, V damped, Row /*row*/, std::index_sequence<I...> /*all*/) const {
    (end_output<Update::kOutputs[I]>(outputs[I][Row::value], at, damped, Row::value), ...);
  }

  template <int Output>
  HWY_INLINE void end_output(V value, Lanes at, V damped, int row) const {
    constexpr int kOrder = time_order<Equation, Output>();
    Real* target = (kOrder == 2 ? view_.before : view_.fields)[Output];
    if constexpr (Traits.has_damping && kOrder > 0) value = hn::Mul(damped, value);
    store(value, target + offset_ + row * stride<Axis::x>() + at.z, at.count);
  }

  template <class Update, std::size_t Slot>
  HWY_INLINE void collect_rates(V (* /*values*/)[Count], Lanes /*at*/, List<> /*rates*/) const {}

  template <class Update, std::size_t Slot, class First, class... Rest>
  HWY_INLINE void collect_rates(V (*values)[Count], Lanes at, List<First, Rest...> /*rates*/) const {
    rate<Update, Slot>(*values, First{}, at);
    collect_rates<Update, Slot + kItems<First>>(values + 1, at, List<Rest...>{});
  }

  template <class Update, class Row, std::size_t... C>
  HWY_INLINE void couple(V (*values)[Count], std::int64_t offset, Row row, std::index_sequence<C...> /*all*/) const {
    (couple_once<Update::kCouplings[C].to, Update::kCouplings[C].from, Update::kCouplings[C].parameter>(values, offset,
                                                                                                        row),
     ...);
  }

  template <std::size_t To, std::size_t From, int Parameter, class Row>
  HWY_INLINE void couple_once(V (*values)[Count], std::int64_t offset, Row /*row*/) const {
    V& to = values[To][Row::value];
    if constexpr (Parameter == kOne) {
      to = hn::Add(to, values[From][Row::value]);
    } else {
      const Real* coefficient = view_.parameters[Parameter] + offset;
      fetch(coefficient);
      to = hn::MulAdd(hn::LoadU(Tag(), coefficient), values[From][Row::value], to);
    }
  }

  const View<Real>& view_;
  Stencils<Real, Traits.radius, Count, Axis::x> stencils_;
  Segment segment_;
  std::int64_t offset_;  ///< of the first row's first cell
  Axis slab_;            ///< in which multiaxial rows have their memory
  bool in_x_;            ///< a layer
  bool in_y_;
};

}  // namespace muster::seismic::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

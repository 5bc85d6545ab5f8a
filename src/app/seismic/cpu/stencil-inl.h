// Differences of several vectors at once, whose cells follow each other along an axis. Included once per instruction set (Highway's
// foreach_target), so it has no include guard; what it computes, and in which order, is that of cell.h.

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "app/seismic/view.h"

HWY_BEFORE_NAMESPACE();
namespace muster::seismic::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Differences along all axes of `Count` vectors, which follow each other along `Follow`. What they are taken of is a function
/// at(vector, steps from its cells along the axis of the difference). `Radius` 0: only the view knows it.
template <class Real, int Radius, int Count, Axis Follow>
class Stencils {
 public:
  using Tag = hn::ScalableTag<Real>;
  using V = hn::Vec<Tag>;

  HWY_INLINE explicit Stencils(const View<Real>& view) : view_(view) {
    if constexpr (Radius > 0) {
      fill<Axis::x>(view.axes.x, std::make_index_sequence<kWeights>());
      fill<Axis::y>(view.axes.y, std::make_index_sequence<kWeights>());
      fill<Axis::z>(view.axes.z, std::make_index_sequence<kWeights>());
    }
  }

  /// First derivatives, to a location half a spacing further on, or back.
  template <Axis kAxis, bool IsForward, class At>
  HWY_INLINE void staggered(V* sums, const At& at) const {
    constexpr int kAhead = IsForward ? 0 : -1;
    constexpr int kBehind = kAhead + 1;
    if constexpr (Radius > 0) {
      const Window<kAxis, kBehind - Radius, Radius + kAhead, At> values(at);
      for_each_vector([&](auto v) {
        V sum = hn::Mul(staggered_[index_of(kAxis)][0], hn::Sub(values(v, 1 + kAhead), values(v, kBehind - 1)));
        for_each_distance<2>([&](auto m) {
          const V difference = hn::Sub(values(v, m + kAhead), values(v, kBehind - m));
          sum = hn::MulAdd(staggered_[index_of(kAxis)][m - 1], difference, sum);
        });
        sums[v] = sum;
      });
    } else {
      const Tag tag;
      const Real* weights = view_.axes[kAxis].staggered;
      for (int v = 0; v < Count; ++v) {
        sums[v] = hn::Mul(hn::Set(tag, weights[0]), hn::Sub(at(v, 1 + kAhead), at(v, kBehind - 1)));
        for (int m = 2; m <= view_.radius; ++m) {
          const V difference = hn::Sub(at(v, m + kAhead), at(v, kBehind - m));
          sums[v] = hn::MulAdd(hn::Set(tag, weights[m - 1]), difference, sums[v]);
        }
      }
    }
  }

  /// Second derivatives.
  template <Axis kAxis, class At>
  HWY_INLINE void central(V* sums, const At& at) const {
    if constexpr (Radius > 0) {
      const Window<kAxis, -Radius, Radius, At> values(at);
      for_each_vector([&](auto v) {
        V sum = hn::Mul(central_[index_of(kAxis)][0], values(v, 0));
        for_each_distance<1>(
            [&](auto m) { sum = hn::MulAdd(central_[index_of(kAxis)][m], hn::Add(values(v, m), values(v, -m)), sum); });
        sums[v] = sum;
      });
    } else {
      const Tag tag;
      const AxisView<Real>& along = view_.axes[kAxis];
      for (int v = 0; v < Count; ++v) {
        sums[v] = hn::Mul(hn::Set(tag, along.central_middle), at(v, 0));
        for (int m = 1; m <= view_.radius; ++m) {
          sums[v] = hn::MulAdd(hn::Set(tag, along.central[m - 1]), hn::Add(at(v, m), at(v, -m)), sums[v]);
        }
      }
    }
  }

 private:
  static constexpr int kWeights = std::max(Radius, 1);

  /// at(vector, steps) for all vectors and steps from First to Last: along the axis that the vectors follow, values are loaded once.
  template <Axis kAxis, int First, int Last, class At>
  struct Window {
    static constexpr bool kIsShared = kAxis == Follow && Count > 1;
    static constexpr int kSize = kIsShared ? Last - First + Count : 1;

    HWY_INLINE explicit Window(const At& values) : at(values) {
      if constexpr (kIsShared) {
        for (int i = 0; i < kSize; ++i) shared[i] = at(0, First + i);
      }
    }
    [[nodiscard]] HWY_INLINE V operator()(int vector, int steps) const {
      if constexpr (kIsShared) return shared[vector + steps - First];
      return at(vector, steps);
    }

    const At& at;
    V shared[kSize];
  };

  template <Axis kAxis, std::size_t... M>
  HWY_INLINE void fill(const AxisView<Real>& along, std::index_sequence<M...> /*all*/) {
    ((staggered_[index_of(kAxis)][M] = hn::Set(Tag(), along.staggered[M])), ...);
    ((central_[index_of(kAxis)][M + 1] = hn::Set(Tag(), along.central[M])), ...);
    central_[index_of(kAxis)][0] = hn::Set(Tag(), along.central_middle);
  }

  /// Calls visit(integral_constant) for every vector.
  template <class Visit>
  HWY_INLINE void for_each_vector(const Visit& visit) const {
    [&]<int... I>(std::integer_sequence<int, I...>) { (visit(std::integral_constant<int, I>()), ...); }
    (std::make_integer_sequence<int, Count>());
  }

  /// Calls visit(integral_constant) for the distances from First up to the radius.
  template <int First, class Visit>
  HWY_INLINE void for_each_distance(const Visit& visit) const {
    [&]<int... M>(std::integer_sequence<int, M...>) { (visit(std::integral_constant<int, First + M>()), ...); }
    (std::make_integer_sequence<int, Radius + 1 - First>());
  }

  const View<Real>& view_;
  // Copies of the weights where the radius is known: stores of vectors may change what lies behind a reference, as far as the compiler knows.
  V staggered_[3][kWeights];
  V central_[3][kWeights + 1];
};

}  // namespace muster::seismic::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

// One update of some cells that follow each other along z. What it computes, and in which order, is that of cell.h: so the bits are the
// same. Derivatives along one axis are taken together, so that what several of them read is loaded once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "app/seismic/cell.h"
#include "app/seismic/cuda/plane_queue.cuh"
#include "app/seismic/cuda/vector.cuh"
#include "app/seismic/equation/walk.h"
#include "app/seismic/view.h"

namespace muster::seismic {

/// z is a multiple of the width. Arrays have fewer than 2^31 values. First derivatives and means only.
///
/// In a queue, derivatives along x have numbers that count through all updates of a kernel: those of an update begin with `FirstInQueue`.
template <class Equation, CellTraits Traits, int Width, int Threads>
struct CellGroup {
  using Values = Vector<Width>;
  static_assert(Traits.radius > 0 && Traits.radius <= 4, "a window holds the stencil along z");

  const View<float>& view;
  int x;
  int y;
  int z;
  int offset;  ///< of the first cell in fields and parameters
  int last;    ///< the end of the row: cells from here on are not written
  const PlaneQueue<Width, Threads>& queue;

  /// Loads the last plane that this plane's derivatives along x read, beginning with next[FirstInQueue].
  template <class Update, int FirstInQueue>
  __device__ __forceinline__ void load_next(Values* next) const {
    constexpr int kLead = where_of<Equation, Update>().half_x ? Traits.radius : Traits.radius - 1;
    each_item<Update>([&]<class Item, std::size_t I>() {
      if constexpr (is_along<Item, Axis::x>()) {
        next[FirstInQueue + count_along_x<Update>(I)] = sum_of<Item>(offset + kLead * stride<Axis::x>());
      }
    });
  }

  /// Asks for the memory of an update's derivatives: it comes into the cache meanwhile.
  template <class Update, std::size_t Slot>
  __device__ __forceinline__ void prefetch_memory() const {
    if constexpr (Traits.layers != LayerKind::none) {
      bool is_in[3][Width];
      const bool is_any[3] = {find_layer<Axis::x>(is_in[0]), find_layer<Axis::y>(is_in[1]), find_layer<Axis::z>(is_in[2])};
      each_item<Update>([&]<class Item, std::size_t I>() {
        if constexpr (!kIsMean<Item>) {
          constexpr auto kAxis = index_of(Item::kAxis);
          if (is_any[kAxis]) prefetch_line(memory_of<Item::kAxis, Slot + I>(is_in[kAxis][0]));
        }
      });
    }
  }

  /// The derivatives of an update. The queue holds what they read along x.
  template <class Update, int FirstInQueue>
  __device__ __forceinline__ void differentiate(Values* items) const {
    differentiate_along<Update, Axis::y>(items);
    differentiate_along<Update, Axis::z>(items);
    differentiate_queued<Update, FirstInQueue>(items);
  }

  /// Everything behind the derivatives.
  template <class Update, std::size_t Slot>
  __device__ __forceinline__ void update(Values* items) const {
    constexpr std::size_t kFirstOutput = Update::Rates::kCount + Update::kIntermediate;
    constexpr auto kEachOutput = std::make_index_sequence<Update::kOutputs.size()>();
    finish_items<Update, Slot>(items);
    Values values[kFirstOutput + Update::kOutputs.size()];
    for (std::size_t i = Update::Rates::kCount; i < kFirstOutput; ++i) values[i] = all<Width>(0);
    sum_rates<Update>(values, items, typename Update::Rates{});
    const Values damped = damping<where_of<Equation, Update>()>();
    begin<Update>(values + kFirstOutput, damped, kEachOutput);
    couple<Update>(values, std::make_index_sequence<Update::kCouplings.size()>());
    end<Update>(values + kFirstOutput, damped, kEachOutput);
  }

 private:
  /// Calls visit<Item, number of the item in the update>().
  template <class Update, class Visit>
  static __device__ __forceinline__ void each_item(const Visit& visit) {
    each_rate(visit, typename Update::Rates{});
  }
  template <class Visit, class... Rates>
  static __device__ __forceinline__ void each_rate(const Visit& visit, List<Rates...> /*rates*/) {
    each_rate_at(visit, std::make_index_sequence<sizeof...(Rates)>(), List<Rates...>{});
  }
  template <class Visit, std::size_t... I, class... Rates>
  static __device__ __forceinline__ void each_rate_at(const Visit& visit, std::index_sequence<I...> /*all*/,
                                                      List<Rates...> /*rates*/) {
    (each_of_rate<slots_before<I, Rates...>()>(visit, Rates{}), ...);
  }
  template <std::size_t First, class Visit, class... Items>
  static __device__ __forceinline__ void each_of_rate(const Visit& visit, Rate<Items...> rate) {
    each_of_rate_at<First>(visit, rate, std::make_index_sequence<sizeof...(Items)>());
  }
  template <std::size_t First, class Visit, class... Items, std::size_t... I>
  static __device__ __forceinline__ void each_of_rate_at(const Visit& visit, Rate<Items...> /*rate*/,
                                                         std::index_sequence<I...> /*all*/) {
    (visit.template operator()<Items, First + I>(), ...);
  }

  template <Axis Along>
  [[nodiscard]] __device__ __forceinline__ int stride() const {
    return Along == Axis::z ? 1 : static_cast<int>(view.axes[Along].stride);
  }

  /// The staggered derivatives along x of all items that have one. Seen from the latest plane, those that lead forward and those that lead
  /// back read the same planes.
  template <class Update, int FirstInQueue>
  __device__ __forceinline__ void differentiate_queued(Values* items) const {
    static_assert(Traits.radius == 4, "a queue has the planes of this stencil");
    const float* weights = view.axes.x.staggered;
#pragma unroll
    for (int m = 1; m <= Traits.radius; ++m) {
      each_item<Update>([&]<class Item, std::size_t I>() {
        if constexpr (is_along<Item, Axis::x>()) {
          constexpr int kNumber = FirstInQueue + count_along_x<Update>(I);
          const Values difference = queue.at(kNumber, Traits.radius - m) - queue.at(kNumber, Traits.radius - 1 + m);
          items[I] = m == 1 ? weights[0] * difference : fused(weights[m - 1], difference, items[I]);
        }
      });
    }
  }

  /// The staggered derivatives along y or z of all items that have one.
  template <class Update, Axis Along>
  __device__ __forceinline__ void differentiate_along(Values* items) const {
    constexpr bool kIsForward = where_of<Equation, Update>().is_half(Along);
    constexpr int kAhead = kIsForward ? 0 : -1;
    constexpr int kBehind = kIsForward ? 1 : 0;
    const float* weights = view.axes[Along].staggered;
    if constexpr (Along == Axis::z) {
      each_item<Update>([&]<class Item, std::size_t I>() {
        if constexpr (is_along<Item, Along>()) {
          const Window<Width> row([&](int shift) { return sum_of<Item>(offset + shift); });
          items[I] = weights[0] * (row.shifted(1 + kAhead) - row.shifted(kBehind - 1));
#pragma unroll
          for (int m = 2; m <= Traits.radius; ++m) {
            items[I] = fused(weights[m - 1], row.shifted(m + kAhead) - row.shifted(kBehind - m), items[I]);
          }
        }
      });
    } else {
#pragma unroll
      for (int m = 1; m <= Traits.radius; ++m) {
        const int ahead = offset + (m + kAhead) * stride<Along>();
        const int behind = offset + (kBehind - m) * stride<Along>();
        each_item<Update>([&]<class Item, std::size_t I>() {
          if constexpr (is_along<Item, Along>()) {
            const Values difference = sum_of<Item>(ahead) - sum_of<Item>(behind);
            items[I] = m == 1 ? weights[0] * difference : fused(weights[m - 1], difference, items[I]);
          }
        });
      }
    }
  }

  template <class Item, Axis Along>
  static constexpr __device__ bool is_along() {
    if constexpr (kIsMean<Item>) {
      return false;
    } else {
      return Item::kAxis == Along;
    }
  }

  /// Means, and memory of the derivatives in layers. All of it is loaded before anything is stored, so that no load waits for a store.
  template <class Update, std::size_t Slot>
  __device__ __forceinline__ void finish_items(Values* items) const {
    each_item<Update>([&]<class Item, std::size_t I>() {
      if constexpr (kIsMean<Item>) items[I] = mean<Update, Item>();
    });
    if constexpr (Traits.layers != LayerKind::none) {
      bool is_in[3][Width];
      const bool is_any[3] = {find_layer<Axis::x>(is_in[0]), find_layer<Axis::y>(is_in[1]), find_layer<Axis::z>(is_in[2])};
      Values remembered[kItems<Update>];
      each_item<Update>([&]<class Item, std::size_t I>() {
        if constexpr (!kIsMean<Item>) {
          constexpr auto kAxis = index_of(Item::kAxis);
          if (is_any[kAxis]) remembered[I] = load<Width>(memory_of<Item::kAxis, Slot + I>(is_in[kAxis][0]));
        }
      });
      each_item<Update>([&]<class Item, std::size_t I>() {
        if constexpr (!kIsMean<Item>) {
          constexpr auto kAxis = index_of(Item::kAxis);
          if (!is_any[kAxis]) return;
          items[I] = remember<Item::kAxis, where_of<Equation, Update>()>(items[I], remembered[I], is_in[kAxis]);
          store(memory_of<Item::kAxis, Slot + I>(is_in[kAxis][0]), remembered[I]);
        }
      });
    }
  }

  /// Which cells are in a layer where a derivative along the axis has memory; whether any is.
  template <Axis Along>
  __device__ __forceinline__ bool find_layer(bool (&is_in)[Width]) const {
    constexpr bool kAny = Traits.layers == LayerKind::multiaxial;
    const bool is_across = ((kAny || Along == Axis::x) && view.is_in_layer(Axis::x, x)) ||
                           ((kAny || Along == Axis::y) && view.is_in_layer(Axis::y, y));
    bool is_any = false;
    for (int i = 0; i < Width; ++i) {
      const bool is_along = (kAny || Along == Axis::z) && view.is_in_layer(Axis::z, z + i);
      is_in[i] = z + i < view.axes.z.extent && (is_across || is_along);
      is_any |= is_in[i];
    }
    return is_any;
  }

  /// The memory of a derivative. A group that reaches out of a layer of z is at its inner face.
  template <Axis Along, std::size_t Slot>
  [[nodiscard]] __device__ __forceinline__ float* memory_of(bool is_first_in) const {
    constexpr bool kAny = Traits.layers == LayerKind::multiaxial;
    const int inside = is_first_in ? z : z + Width - 1;
    return view.psi[Slot] + view.memory_offset(kAny ? view.slab_axis(x, y) : Along, x, y, inside) - (inside - z);
  }

  /// A derivative with what is remembered of it, which changes.
  template <Axis Along, Location Where>
  __device__ __forceinline__ Values remember(const Values& value, Values& remembered, const bool (&is_in)[Width]) const {
    Values sum;
    for (int i = 0; i < Width; ++i) {
      if (is_in[i]) remembered[i] = recur<Along, Where>(remembered[i], value[i], i);
      sum[i] = is_in[i] ? value[i] + remembered[i] : value[i];
    }
    return sum;
  }

  template <Axis Along, Location Where>
  [[nodiscard]] __device__ __forceinline__ float recur(float remembered, float value, int i) const {
    if constexpr (Traits.layers == LayerKind::multiaxial) {
      const float b = factor<Axis::x, Along, Where>(x) * factor<Axis::y, Along, Where>(y) *
                      factor<Axis::z, Along, Where>(z + i);
      return fmaf(b - 1, value, b * remembered);
    } else {
      constexpr int kHalf = Where.is_half(Along);
      const int cell = Along == Axis::x ? x : Along == Axis::y ? y : z + i;
      return fmaf(view.axes[Along].a[kHalf][cell], value, view.axes[Along].b[kHalf][cell] * remembered);
    }
  }

  template <Axis Of, Axis Along, Location Where>
  [[nodiscard]] __device__ __forceinline__ float factor(int cell) const {
    constexpr int kHalf = Where.is_half(Of);
    return (Of == Along ? view.axes[Of].b : view.axes[Of].cross)[kHalf][cell];
  }

  /// Neighbours in pairs, first along x, then y, then z.
  template <class Update, class Item>
  __device__ __forceinline__ Values mean() const {
    constexpr Location kFrom = location_of<Equation, Item::kField>();
    constexpr Location kTo = where_of<Equation, Update>();
    const float* field = view.fields[Item::kField] + offset;
    Values means;
    for (int i = 0; i < Width; ++i) {
      const auto along = [&](Axis axis, bool from, bool to, const auto& values, std::int64_t shift) {
        if (from == to) return values(shift);
        const std::int64_t step = view.axes[axis].stride;
        return 0.5F * (values(shift) + values(shift + (to ? step : -step)));
      };
      const auto plain = [&](std::int64_t shift) { return field[i + shift]; };
      const auto in_x = [&](std::int64_t shift) { return along(Axis::x, kFrom.half_x, kTo.half_x, plain, shift); };
      const auto in_y = [&](std::int64_t shift) { return along(Axis::y, kFrom.half_y, kTo.half_y, in_x, shift); };
      means[i] = along(Axis::z, kFrom.half_z, kTo.half_z, in_y, 0);
    }
    return means;
  }

  template <class Derivative>
  [[nodiscard]] __device__ __forceinline__ Values sum_of(int at) const {
    return sum_of_terms(at, typename Derivative::Terms{});
  }
  template <class First, class... Rest>
  [[nodiscard]] __device__ __forceinline__ Values sum_of_terms(int at, List<First, Rest...> /*terms*/) const {
    Values sum = product_of(at, First{});
    ((sum = add_product(sum, at, Rest{})), ...);
    return sum;
  }
  template <int FieldIndex, int... Parameters>
  [[nodiscard]] __device__ __forceinline__ Values product_of(int at, Term<FieldIndex, Parameters...> /*term*/) const {
    Values product = load<Width>(view.fields[FieldIndex] + at);
    ((product = product * load<Width>(view.parameters[Parameters] + at)), ...);
    return product;
  }
  template <int FieldIndex, int Last, int... Parameters>
  [[nodiscard]] __device__ __forceinline__ Values add_product(const Values& sum, int at,
                                                            Term<FieldIndex, Last, Parameters...> /*term*/) const {
    return fused(product_of(at, Term<FieldIndex, Parameters...>{}), load<Width>(view.parameters[Last] + at), sum);
  }
  template <int FieldIndex>
  [[nodiscard]] __device__ __forceinline__ Values add_product(const Values& sum, int at, Term<FieldIndex> /*term*/) const {
    return sum + load<Width>(view.fields[FieldIndex] + at);
  }

  template <class Update, class... Rates>
  static __device__ __forceinline__ void sum_rates(Values* values, const Values* items, List<Rates...> /*rates*/) {
    std::size_t item = 0;
    const auto sum = [&](std::size_t count) {
      Values total = items[item];
      for (std::size_t i = 1; i < count; ++i) total = total + items[item + i];
      item += count;
      return total;
    };
    ((*values++ = sum(kItems<Rates>)), ...);
  }

  template <Location Where>
  [[nodiscard]] __device__ __forceinline__ Values damping() const {
    if constexpr (!Traits.has_damping) {
      return all<Width>(1);
    } else {
      const float across = view.axes.x.damping[Where.half_x][x] * view.axes.y.damping[Where.half_y][y];
      return across * load<Width>(view.axes.z.damping[Where.half_z] + z);
    }
  }

  template <class Update, std::size_t... I>
  __device__ __forceinline__ void begin(Values* outputs, const Values& damped, std::index_sequence<I...> /*all*/) const {
    ((outputs[I] = start<Update::kOutputs[I]>(damped)), ...);
  }
  template <int Output>
  [[nodiscard]] __device__ __forceinline__ Values start(const Values& /*damped*/) const {
    constexpr int kOrder = time_order<Equation, Output>();
    static_assert(kOrder < 2, "second derivatives have kernels of their own");
    if constexpr (kOrder == 0) {
      return all<Width>(0);
    } else {
      return load<Width>(view.fields[Output] + offset);
    }
  }

  template <class Update, std::size_t... I>
  __device__ __forceinline__ void couple(Values* values, std::index_sequence<I...> /*all*/) const {
    (couple_once<Update::kCouplings[I].to, Update::kCouplings[I].from, Update::kCouplings[I].parameter>(values), ...);
  }
  template <std::size_t To, std::size_t From, int Parameter>
  __device__ __forceinline__ void couple_once(Values* values) const {
    if constexpr (Parameter == kOne) {
      values[To] = values[To] + values[From];
    } else {
      values[To] = fused(load<Width>(view.parameters[Parameter] + offset), values[From], values[To]);
    }
  }

  template <class Update, std::size_t... I>
  __device__ __forceinline__ void end(const Values* outputs, const Values& damped, std::index_sequence<I...> /*all*/) const {
    (write<Update::kOutputs[I]>(outputs[I], damped), ...);
  }
  template <int Output>
  __device__ __forceinline__ void write(const Values& value, const Values& damped) const {
    const Values written = time_order<Equation, Output>() == 0 || !Traits.has_damping ? value : damped * value;
    float* to = view.fields[Output] + offset;
    if (z + Width <= last) {
      store(to, written);
    } else {
      for (int i = 0; i < Width; ++i) {
        if (z + i < last) to[i] = written[i];
      }
    }
  }
};

}  // namespace muster::seismic

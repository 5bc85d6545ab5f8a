// Walks through the phases, updates and items of an equation at compile time. Items (derivatives and means) are counted
// through the whole equation: their numbers are slots.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "app/seismic/equation/equation.h"

namespace muster::seismic {

/// How many items come before item `Index` of a list.
template <std::size_t Index, class... Items>
constexpr std::size_t slots_before() {
  constexpr std::array<std::size_t, sizeof...(Items) + 1> kCounts{kItems<Items>..., 0};
  std::size_t sum = 0;
  for (std::size_t i = 0; i < Index; ++i) sum += kCounts[i];
  return sum;
}

template <class Equation, int FieldIndex>
constexpr Location location_of() {
  return Equation::kFields[static_cast<std::size_t>(FieldIndex)].location;
}

/// Where an update's rates and outputs live.
template <class Equation, class Update>
constexpr Location where_of() {
  return location_of<Equation, Update::kOutputs[0]>();
}

/// What an item of a rate computes from the values around a cell.
enum class Difference : unsigned char { first, second, mean };

template <class Item>
inline constexpr bool kIsMean = false;
template <int FieldIndex>
inline constexpr bool kIsMean<Mean<FieldIndex>> = true;

/// A derivative is a second one if the field lives where the update does.
template <class Equation, class Update, class Item>
constexpr Difference difference_of() {
  if (kIsMean<Item>) return Difference::mean;
  const bool is_same = location_of<Equation, Item::kField>() == where_of<Equation, Update>();
  return is_same ? Difference::second : Difference::first;
}

template <class Equation, int FieldIndex>
constexpr int time_order() {
  return Equation::kFields[static_cast<std::size_t>(FieldIndex)].time_order;
}

/// Calls visit.operator()<Update, slot>() for every update of a phase whose items count from Slot.
template <std::size_t Slot, class Visit, class... Updates>
constexpr void for_each_update(List<Updates...> /*phase*/, const Visit& visit) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (visit.template operator()<Updates, Slot + slots_before<I, Updates...>()>(), ...);
  }
  (std::make_index_sequence<sizeof...(Updates)>());
}

/// Calls visit.operator()<Phase, slot>() for phase number `which` of an equation.
template <class Visit, class... Phases>
constexpr void for_phase(std::size_t which, List<Phases...> /*phases*/, const Visit& visit) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((I == which ? visit.template operator()<Phases, slots_before<I, Phases...>()>() : void()), ...);
  }
  (std::make_index_sequence<sizeof...(Phases)>());
}

/// Calls visit.operator()<Item, slot>() for every item of an update whose items count from Slot.
template <class Update, std::size_t Slot, class Visit>
constexpr void for_each_item(const Visit& visit) {
  const auto of_rate = [&]<std::size_t First, class... Items>(std::integral_constant<std::size_t, First>,
                                                              Rate<Items...>) {
    [&]<std::size_t... I>(std::index_sequence<I...>) { (visit.template operator()<Items, First + I>(), ...); }
    (std::make_index_sequence<sizeof...(Items)>());
  };
  [&]<class... Rates>(List<Rates...>) {
    [&]<std::size_t... R>(std::index_sequence<R...>) {
      (of_rate(std::integral_constant<std::size_t, Slot + slots_before<R, Rates...>()>(), Rates{}), ...);
    }
    (std::make_index_sequence<sizeof...(Rates)>());
  }(typename Update::Rates{});
}

/// Calls visit.operator()<Derivative, slot>() for every second derivative of a phase.
template <class Equation, std::size_t Slot, class Phase, class Visit>
constexpr void for_each_second(Phase phase, const Visit& visit) {
  for_each_update<Slot>(phase, [&]<class Update, std::size_t First>() {
    for_each_item<Update, First>([&]<class Item, std::size_t ItemSlot>() {
      if constexpr (difference_of<Equation, Update, Item>() == Difference::second) {
        visit.template operator()<Item, ItemSlot>();
      }
    });
  });
}

/// Calls visit.operator()<Term>() for the fields that an item reads, each as a term.
template <class Item, class Visit>
constexpr void for_each_term(const Visit& visit) {
  if constexpr (kIsMean<Item>) {
    visit.template operator()<Term<Item::kField>>();
  } else {
    [&]<class... Terms>(List<Terms...>) { (visit.template operator()<Terms>(), ...); }(typename Item::Terms{});
  }
}

}  // namespace muster::seismic

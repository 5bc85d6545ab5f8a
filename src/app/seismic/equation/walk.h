// Walks through the phases, updates and derivatives of an equation at compile time. Derivatives are counted through the whole
// equation: their numbers are slots.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "app/seismic/equation/equation.h"

namespace muster::seismic {

/// How many derivatives come before item `Index` of a list.
template <std::size_t Index, class... Items>
constexpr std::size_t slots_before() {
  constexpr std::array<std::size_t, sizeof...(Items) + 1> kCounts{kDerivatives<Items>..., 0};
  std::size_t sum = 0;
  for (std::size_t i = 0; i < Index; ++i) sum += kCounts[i];
  return sum;
}

/// Where an update's rates and outputs live.
template <class Equation, class Update>
constexpr Location where_of() {
  return Equation::kFields[static_cast<std::size_t>(Update::kOutputs[0])].location;
}

/// Whether a derivative of an update is a second one: the field lives where the update does.
template <class Equation, class Update, class Derivative>
constexpr bool is_second() {
  return Equation::kFields[static_cast<std::size_t>(Derivative::kField)].location == where_of<Equation, Update>();
}

/// Whether a field is of second order in time.
template <class Equation, int FieldIndex>
constexpr bool is_second_order() {
  return Equation::kFields[static_cast<std::size_t>(FieldIndex)].time_order == 2;
}

/// Calls visit.operator()<Update, slot>() for every update of a phase whose derivatives count from Slot.
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

/// Calls visit.operator()<Derivative, slot>() for every derivative of an update whose derivatives count from Slot.
template <class Update, std::size_t Slot, class Visit>
constexpr void for_each_derivative(const Visit& visit) {
  const auto of_rate = [&]<std::size_t First, class... Derivatives>(std::integral_constant<std::size_t, First>,
                                                                    Rate<Derivatives...>) {
    [&]<std::size_t... I>(std::index_sequence<I...>) { (visit.template operator()<Derivatives, First + I>(), ...); }
    (std::make_index_sequence<sizeof...(Derivatives)>());
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
    for_each_derivative<Update, First>([&]<class Derivative, std::size_t DerivativeSlot>() {
      if constexpr (is_second<Equation, Update, Derivative>()) {
        visit.template operator()<Derivative, DerivativeSlot>();
      }
    });
  });
}

}  // namespace muster::seismic

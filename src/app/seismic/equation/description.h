// What there is to know about an equation at run time.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "app/seismic/equation/walk.h"

namespace muster::seismic {

/// A derivative that an equation takes.
struct DerivativeDescription {
  int field = 0;
  Axis axis = Axis::x;
  bool is_second = false;
};

struct PhaseDescription {
  std::vector<int> reads;   ///< fields that the phase differentiates
  std::vector<int> writes;  ///< fields that it updates
  bool has_second = false;  ///< it takes second derivatives
};

struct Description {
  std::string_view name;
  std::vector<Field> fields;
  std::vector<Parameter> parameters;
  std::vector<PhaseDescription> phases;
  std::vector<DerivativeDescription> derivatives;  ///< by slot

  /// The number of a field; -1 if there is none of that name.
  [[nodiscard]] int field(std::string_view field_name) const {
    const auto found = std::ranges::find(fields, field_name, &Field::name);
    return found == fields.end() ? -1 : static_cast<int>(found - fields.begin());
  }
  [[nodiscard]] bool has_second() const { return std::ranges::any_of(phases, &PhaseDescription::has_second); }
};

template <class Equation, class Update, std::size_t Slot>
void describe_update(Description& description, PhaseDescription& phase) {
  const auto add = [](std::vector<int>& list, int field) {
    if (!std::ranges::count(list, field)) list.push_back(field);
  };
  for (const int output : Update::kOutputs) add(phase.writes, output);
  for_each_derivative<Update, Slot>([&]<class Derivative, std::size_t>() {
    constexpr bool kIsSecond = is_second<Equation, Update, Derivative>();
    description.derivatives.push_back({.field = Derivative::kField, .axis = Derivative::kAxis, .is_second = kIsSecond});
    phase.has_second |= kIsSecond;
    add(phase.reads, Derivative::kField);
  });
}

template <class Equation>
Description describe() {
  Description description{.name = Equation::kName,
                          .fields = {Equation::kFields.begin(), Equation::kFields.end()},
                          .parameters = {Equation::kParameters.begin(), Equation::kParameters.end()},
                          .phases = {},
                          .derivatives = {}};
  for (std::size_t i = 0; i < Equation::Phases::kCount; ++i) {
    PhaseDescription phase;
    for_phase(i, typename Equation::Phases{}, [&]<class Phase, std::size_t Slot>() {
      for_each_update<Slot>(Phase{}, [&]<class Update, std::size_t First>() {
        describe_update<Equation, Update, First>(description, phase);
      });
    });
    description.phases.push_back(std::move(phase));
  }
  return description;
}

}  // namespace muster::seismic

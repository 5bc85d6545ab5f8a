// What there is to know about an equation at run time.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "app/seismic/equation/walk.h"
#include "app/seismic/view.h"

namespace muster::seismic {

/// An item of a rate.
struct ItemDescription {
  Difference difference = Difference::first;
  Axis axis = Axis::x;  ///< of a derivative
  std::size_t phase = 0;
};

/// How far stencils reach before and behind a cell: `radii` times their radius and `cells`.
struct Reach {
  struct Side {
    int radii = 0;
    int cells = 0;

    [[nodiscard]] std::int64_t with(std::int64_t radius) const { return radii * radius + cells; }
    constexpr bool operator==(const Side&) const = default;
  };
  Side low;
  Side high;

  [[nodiscard]] bool any() const { return low != Side{} || high != Side{}; }
};

/// What an item reads along an axis of a field that is half a cell further on, or not.
constexpr Reach reach_of(Difference difference, bool is_half) {
  if (difference == Difference::second) return {.low = {1, 0}, .high = {1, 0}};
  if (difference == Difference::mean)
    return is_half ? Reach{.low = {0, 1}, .high = {}} : Reach{.low = {}, .high = {0, 1}};
  return is_half ? Reach{.low = {1, 0}, .high = {1, -1}} : Reach{.low = {1, -1}, .high = {1, 0}};
}

/// A field that a phase reads around a cell.
struct Read {
  int field = 0;
  PerAxis<Reach> reach;
  bool is_diagonal = false;  ///< along several axes at once
};

struct PhaseDescription {
  std::vector<Read> reads;  ///< each field once
  std::vector<int> writes;
  bool has_second = false;  ///< it takes second derivatives
};

struct Description {
  std::string_view name;
  std::vector<Field> fields;
  std::vector<Parameter> parameters;
  std::vector<PhaseDescription> phases;
  std::vector<ItemDescription> items;       ///< by slot
  std::vector<NamedShare> pressure;         ///< as a sum of fields
  std::vector<NamedShare> pressure_source;  ///< what a source of pressure adds to
  std::vector<Condensation> free_surface;   ///< by axis, or empty
  bool is_anisotropic = false;
  bool has_products = false;  ///< it differentiates fields times parameters

  /// The number of a field; -1 if there is none of that name.
  [[nodiscard]] int field(std::string_view field_name) const {
    const auto found = std::ranges::find(fields, field_name, &Field::name);
    return found == fields.end() ? -1 : static_cast<int>(found - fields.begin());
  }
  /// The numbers of all fields of a name: Lebedev's grid has four of each.
  [[nodiscard]] std::vector<int> fields_named(std::string_view field_name) const {
    std::vector<int> found;
    for (std::size_t f = 0; f < fields.size(); ++f) {
      if (fields[f].name == field_name) found.push_back(static_cast<int>(f));
    }
    return found;
  }
  /// Whether a phase reads a field around a cell along an axis.
  [[nodiscard]] bool is_read_along(int number, Axis axis) const {
    return std::ranges::any_of(phases, [&](const PhaseDescription& phase) {
      return std::ranges::any_of(phase.reads,
                                 [&](const Read& read) { return read.field == number && read.reach[axis].any(); });
    });
  }
  [[nodiscard]] bool has_second() const { return std::ranges::any_of(phases, &PhaseDescription::has_second); }
};

inline Read& read_of(PhaseDescription& phase, int field) {
  const auto found = std::ranges::find(phase.reads, field, &Read::field);
  return found != phase.reads.end() ? *found : phase.reads.emplace_back(Read{.field = field});
}

template <class Equation, class Update, class Item>
void describe_item(Description& description, PhaseDescription& phase) {
  constexpr Difference kDifference = difference_of<Equation, Update, Item>();
  ItemDescription item{.difference = kDifference, .phase = description.phases.size()};
  if constexpr (kDifference == Difference::mean) {
    Read& read = read_of(phase, Item::kField);
    int axes = 0;
    for (const Axis axis : kAxes) {
      const bool is_half = location_of<Equation, Item::kField>().is_half(axis);
      if (is_half == where_of<Equation, Update>().is_half(axis)) continue;
      read.reach[axis] = reach_of(kDifference, is_half);
      ++axes;
    }
    read.is_diagonal |= axes > 1;
  } else {
    item.axis = Item::kAxis;
    for_each_term<Item>([&]<class Term>() {
      read_of(phase, Term::kField).reach[Item::kAxis] =
          reach_of(kDifference, location_of<Equation, Term::kField>().is_half(Item::kAxis));
      description.has_products |= Term::kHasParameters;
    });
    phase.has_second |= kDifference == Difference::second;
  }
  description.items.push_back(item);
}

template <class Equation, class Update, std::size_t Slot>
void describe_update(Description& description, PhaseDescription& phase) {
  for (const int output : Update::kOutputs) {
    if (!std::ranges::count(phase.writes, output)) phase.writes.push_back(output);
  }
  for_each_item<Update, Slot>(
      [&]<class Item, std::size_t>() { describe_item<Equation, Update, Item>(description, phase); });
}

template <class Equation>
Description describe() {
  static_assert(Equation::kFields.size() <= kMostFields && Equation::kParameters.size() <= kMostParameters &&
                    kItems<typename Equation::Phases> <= kMostItems,
                "kernels can see no more (view.h)");
  Description description{.name = Equation::kName,
                          .fields = {Equation::kFields.begin(), Equation::kFields.end()},
                          .parameters = {Equation::kParameters.begin(), Equation::kParameters.end()},
                          .phases = {},
                          .items = {},
                          .pressure = {Equation::kPressure.begin(), Equation::kPressure.end()},
                          .pressure_source = {Equation::kPressureSource.begin(), Equation::kPressureSource.end()},
                          .free_surface = {Equation::kFreeSurface.begin(), Equation::kFreeSurface.end()},
                          .is_anisotropic = Equation::kIsAnisotropic};
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

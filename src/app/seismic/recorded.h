// What receivers and snapshots can record of a propagator.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/seismic/equation/description.h"

namespace muster::seismic {

/// A share of a field.
struct FieldShare {
  std::size_t field = 0;
  double share = 1;
};

/// What a name stands for: a sum of fields, all of one time. Lebedev's grid has each field four times: they have a quarter each.
struct Recorded {
  std::vector<FieldShare> shares;
  /// Velocities of first-order systems belong to half a step before the step's end.
  double steps_later = 0;
};

/// A field of that name, or the pressure p. None: the propagator has no such thing.
std::optional<Recorded> recorded(const Description& equation, std::string_view name);

/// What snapshots show: the shares that live where the first one does, as if they were all.
std::vector<FieldShare> at_one_location(const Description& equation, const Recorded& recorded);

/// All names that recorded() knows.
std::vector<std::string> recordable(const Description& equation);

}  // namespace muster::seismic

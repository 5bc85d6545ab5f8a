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

/// What a name stands for: a sum of fields at one location, all of one time.
struct Recorded {
  std::vector<FieldShare> shares;
  Location location;
  /// Velocities of first-order systems belong to half a step before the step's end.
  double steps_later = 0;
};

/// A field of that name; or p of an elastic propagator, the mean normal stress. None: the propagator has no such thing.
std::optional<Recorded> recorded(const Description& equation, std::string_view name);

/// All names that recorded() knows.
std::vector<std::string> recordable(const Description& equation);

}  // namespace muster::seismic

// Lower bounds: times that no schedule of a stated class can beat.
#pragma once

#include <string>
#include <vector>

#include "base/units.h"
#include "collective/algorithm.h"

namespace muster {

struct Bound {
  std::string name;
  std::string proves;  ///< for which class of schedules, and by what argument, in one line
  Cycles cycles;
};

/// Every bound that is proven for the request, largest first. Empty where none is known.
std::vector<Bound> lower_bounds(const Request& request);

}  // namespace muster

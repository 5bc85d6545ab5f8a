// The propagators by name, without what computes them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/seismic/equation/description.h"

namespace muster::seismic {

/// Of every propagator, in the order of the documentation.
std::vector<std::string> propagator_names();

/// Throws InputError with the nearest names.
Description describe_propagator(std::string_view name);

}  // namespace muster::seismic

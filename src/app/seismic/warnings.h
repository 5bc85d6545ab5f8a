// What a user should know before trusting a result.
#pragma once

#include <string>
#include <vector>

#include "app/seismic/shot.h"

namespace muster::seismic {

/// A sentence each.
std::vector<std::string> warnings_of(const Shot& shot);

}  // namespace muster::seismic

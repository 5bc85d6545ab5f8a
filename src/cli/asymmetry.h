// The flags that make the NPUs of a cluster differ.
#pragma once

#include <optional>

#include "backend/backend.h"
#include "cli/arguments.h"

namespace muster {

/// What --jitter, --slow, --slow-link, --missing-link and --arrival-order say; nothing if none of them was given.
std::optional<Asymmetry> asymmetry_of(const Arguments& arguments, const Machine& machine);

}  // namespace muster

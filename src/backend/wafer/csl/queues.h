// The queues through which a processor takes and sends colors.
#pragma once

#include <optional>
#include <string>

#include "backend/wafer/csl/program.h"

namespace muster::wafer {

/// Fills in_queues and out_queues, or says why there are not enough. Where the program binds queues to colors, every
/// color needs one of its own, whatever a processor uses.
std::optional<std::string> assign_queues(CslProgram& csl);

}  // namespace muster::wafer

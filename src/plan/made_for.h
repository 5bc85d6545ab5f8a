// Whether a schedule from elsewhere was made for a machine.
#pragma once

#include <string>

#include "machine/machine.h"
#include "schedule/schedule.h"

namespace muster {

/// Throws InputError if the schedule has nodes that the machine does not have, or says that it was made for another one. `name`
/// is where the schedule comes from, for the message.
void require_made_for(const Schedule& schedule, const Machine& machine, const std::string& name);

}  // namespace muster

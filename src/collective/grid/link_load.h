// How many words of a schedule the busiest link of a mesh carries: time that no order of messages can save.
#pragma once

#include <cstdint>

#include "machine/machine.h"
#include "machine/mesh.h"
#include "schedule/schedule.h"

namespace muster {

/// Of a flat schedule. Messages to one sink go along the row first and then along the column, or along their own route; a
/// message to several sinks is counted only where it has a route of its own.
std::int64_t busiest_link_words(const Schedule& schedule, const Mesh& mesh);

}  // namespace muster

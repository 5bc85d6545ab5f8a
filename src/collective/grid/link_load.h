// How many words the busiest link of a mesh carries: a time that no order of messages can avoid.
#pragma once

#include <cstdint>

#include "machine/machine.h"
#include "machine/mesh.h"
#include "schedule/schedule.h"

namespace muster {

/// Of a flat schedule. Messages to one sink go along the row first and then along the column, or along their own route; a
/// message to several sinks is counted only if it has its own route.
std::int64_t busiest_link_words(const Schedule& schedule, const Mesh& mesh);

}  // namespace muster

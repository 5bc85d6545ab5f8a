// A part in which one processor sends one message to others, as a flood does: its times follow from the way of the first word, if nothing holds it up.
#pragma once

#include <optional>

#include "backend/wafer/program.h"
#include "backend/wafer/stream/progress.h"

namespace muster::wafer {

/// Adds the part, on the processors from `corner` on of a mesh that is `stride` wide. False, with `progress` as it was, if the part does
/// something else, or if some processor or link is not free for the message by then.
bool add_one_message(const WaferProgram& part, NodeId corner, NodeId stride, Progress& progress);

}  // namespace muster::wafer

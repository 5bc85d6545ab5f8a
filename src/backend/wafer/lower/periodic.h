// Lowering, third stage, for streams that take turns: switches that go round.
//
// Where multicasts of one direction overlap like tiles of a roof, as the localized broadcasts of a stencil do, a router passes
// through the same few roles again and again: it sends, it takes as the last, it relays. Four positions hold them all if the
// switch goes round, and one color is enough for a direction. Other ways to color (colors.cpp) need a position for every change.
#pragma once

#include "backend/wafer/lower/lower.h"

namespace muster::wafer {

/// A color for each direction, the roles of every router on it as a ring of positions, and what moves them on: behind its data, a
/// stream sends lists of commands to the routers of its path that its end moves. At the end every switch is in position 0.
///
/// A refusal if
///   - a stream is not a multicast along one direction, or streams of one group meet on a color;
///   - the roles of a router do not repeat within the positions of a switch, or none lies between two that differ in both
///     sides, where the machine changes one at a time;
///   - a path is longer than a list of commands, or a router other than the sender's has to move on by more than one position.
Outcome<Configuration> configure_in_rings(const Schedule& schedule, const StreamRoutes& routes,
                                          const StreamOrder& order, const Mesh& mesh);

}  // namespace muster::wafer

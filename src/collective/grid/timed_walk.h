// The time of a schedule on a mesh, step by step: what algorithms are predicted by on machines that the paper's formulas do
// not speak of, with a start-up of operations, a gap between messages, or routers of a single buffer.
//
// Where the simulator moves wavelets, this keeps two cycles of each step: when its first word moves and when its last one
// does. A step begins when the one before it in its lane has ended, its start-up and gap have passed and the first
// words of its streams are there; it ends when its last word has come in and its last word has gone out, which is not
// before its receiver makes room. A step that stores what it takes and passes it on is two, as in a program
// (schedule/one_destination.h). What it leaves out: messages that meet on a link, and control wavelets. No algorithm's
// name is known here. Linear in the schedule.
#pragma once

#include <optional>

#include "base/units.h"
#include "machine/machine.h"
#include "machine/mesh.h"
#include "schedule/schedule.h"

namespace muster {

/// When the last rank that owes a result has it. Nothing for a schedule in phases or one whose steps wait for each other.
std::optional<Cycles> walked_cycles(const Schedule& schedule, const Mesh& mesh);

}  // namespace muster

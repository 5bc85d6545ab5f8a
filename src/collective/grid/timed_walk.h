// The time of a schedule on a mesh, step by step. It predicts algorithms on machines that the paper's formulas do not cover: with a
// start-up of operations, a gap between messages, processors that take less than a word per cycle, or routers with a single buffer.
//
// Where the simulator moves wavelets, this keeps two cycles of each step: when its first word moves and when its last one
// does. A step begins when the previous one in its lane has ended, its start-up and gap have passed and the first
// words of its streams have arrived; it ends when its last word has been received and its last word has been sent, which is not
// before its receiver has space (backpressure). A step that stores what it takes and forwards it is two, as in a program
// (schedule/one_destination.h). It ignores contention on links and control wavelets. No algorithm's
// name is known here. Linear in the schedule.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/units.h"
#include "machine/machine.h"
#include "machine/mesh.h"
#include "schedule/schedule.h"

namespace muster {

/// When the last rank that needs a result has it. Nothing for a schedule of phases or one that deadlocks. `starts`: from which cycle
/// on each node acts; empty: all from cycle 0 on.
std::optional<Cycles> walked_cycles(const Schedule& schedule, const Mesh& mesh,
                                    std::span<const std::int64_t> starts = {});

}  // namespace muster

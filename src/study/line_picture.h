// The messages of a schedule on a row or a column, ready to be drawn.
#pragma once

#include "plan/plan.h"
#include "result/line_picture.h"

namespace muster {

/// Throws InputError that names the flag --svg unless the job's machine is a row or a column: to be called
/// before anything is simulated.
void check_line(const Job& job);

/// The picture of a schedule on a row or a column and of its simulation, which has a timeline. Channels are those of the
/// program that is simulated.
LinePicture line_picture(const Job& job, const Schedule& schedule, const SimulationAnswer& answer);

}  // namespace muster

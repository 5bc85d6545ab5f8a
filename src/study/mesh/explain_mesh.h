// Plans on a mesh, explained by their schedules.
#pragma once

#include "study/explainer.h"

namespace muster {

/// By terms of the model of a mesh, and by the critical path of the schedule.
Explainer explain_mesh();

}  // namespace muster

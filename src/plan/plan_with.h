// The ranking of plan(), with any stages: for tests, and for whoever wants the winner alone.
#pragma once

#include "plan/plan.h"
#include "plan/stages.h"

namespace muster {

/// plan() with other stages than run_stages(), and without a look at what can be written.
PlanAnswer plan_with(const Job& job, const RunFunction& run);

}  // namespace muster

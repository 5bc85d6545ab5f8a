// `muster plan`: the ranking of plan/ranking.h with what people ask next: why the winner wins, and where another one would.
#pragma once

#include "plan/plan.h"
#include "plan/ranking.h"

namespace muster {

/// Ranks every algorithm that supports the job; proves and simulates them, best prediction first. With `quick`, predictions
/// and bounds alone.
PlanAnswer plan(const Job& job, const RankOptions& options = {});

/// The same with something else in the place of run_stages().
PlanAnswer plan_with(const Job& job, const RunFunction& run, const RankOptions& options = {});

}  // namespace muster

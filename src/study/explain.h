// `muster explain`: what a plan's time hangs on, and what the next best one loses.
#pragma once

#include <optional>

#include "plan/plan.h"
#include "plan/stages.h"
#include "result/explanation.h"

namespace muster {

/// Explains the given choice, or the winner of plan(), next to the best of the others. Throws InputError if nothing fits, and
/// where the family is explained by what is simulated (explainer.h), if the choice cannot be.
ExplainAnswer explain(Job job, const std::optional<Choice>& choice, const RunFunction& run = run_stages);

}  // namespace muster

// What a family adds to an explanation: the numbers of a plan, and the sentences about them.
#pragma once

#include <string>

#include "plan/plan.h"
#include "plan/ranking.h"
#include "result/explanation.h"

namespace muster {

struct Explainer {
  /// Whether it explains what was simulated, by its timeline; else the schedule, also of a plan that is too large to simulate.
  bool from_timeline = true;
  std::string resource = "resource";  ///< what ExplainedPlan::resources are
  /// The numbers of an entry that did not fail; with `from_timeline` it was simulated.
  ExplainedPlan (*plan)(const Job& job, const Entry& entry) = nullptr;
  /// One sentence: what decides the time of a plan; empty where the tables say it.
  std::string (*bottleneck)(const ExplainedPlan& plan) = nullptr;
  /// What the slower one of two plans loses, and where; empty where there is nothing to say.
  std::string (*loss)(const ExplainedPlan& better, const ExplainedPlan& worse) = nullptr;
};

/// By the critical path that the simulator wrote down, whatever the family (explain_path.cpp).
Explainer explain_path();

}  // namespace muster

// What a family adds to an explanation: the numbers of a plan, and the sentences about them. explainers.cpp is the one file that
// says which family is explained how.
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

/// By the machine's family. Where it has none of its own: explain_path().
Explainer explainer_for(const Machine& machine);

/// By the schedule: terms of the model of a mesh, and its critical path (mesh/explain_mesh.cpp).
Explainer explain_mesh();
/// By what every dimension of a cluster did (explain_dimensions.cpp).
Explainer explain_dimensions();
/// By the critical path that the simulator wrote down, whatever the family (explain_path.cpp).
Explainer explain_path();

}  // namespace muster

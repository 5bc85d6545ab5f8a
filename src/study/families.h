// What a family adds to studies. Studies ask this table and never open a family; what it lists stands in study/FAMILY.
#pragma once

#include <string_view>
#include <vector>

#include "plan/plan.h"
#include "result/advice.h"
#include "result/time_base.h"
#include "study/explainer.h"

namespace muster {

/// Whatever a family does not add is the same for all, or is not there.
struct FamilyStudies {
  /// How its plans are explained.
  Explainer (*explainer)() = explain_path;
  /// What depth costs in the sentence about the winner: the ticks of one message more among those that need each other.
  Ticks (*depth)(const Machine& machine) = nullptr;
  /// Words that the port of a processor takes per tick; without it, one.
  double (*port_rate)(const Machine& machine) = nullptr;
  /// What the model of the family's paper says of a flat schedule that answers the job.
  Ticks (*model)(const Job& job, const Schedule& flat) = nullptr;
  /// Advice for those who design such a machine.
  AdviceAnswer (*advise)(const Machine& machine) = nullptr;
  /// Whether --svg draws the messages along a row or a column, instead of what was busy when.
  bool draws_lines = false;
  /// Adds to the answer of plan() what only this family is asked.
  void (*add_to_plan)(const Job& job, PlanAnswer& answer) = nullptr;
};

FamilyStudies studies_of(const Machine& machine);

std::vector<std::string_view> families_that_advise();

}  // namespace muster

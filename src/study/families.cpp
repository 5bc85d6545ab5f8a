// One line per family that adds something to studies.
#include "study/families.h"

#include "machine/family.h"
#include "study/cluster/bandwidth_advice.h"
#include "study/cluster/explain_dimensions.h"
#include "study/hyperx/tree_crossover.h"
#include "study/mesh/explain_mesh.h"
#include "study/mesh/model_terms.h"
#include "study/torus/message_costs.h"

namespace muster {

namespace {

struct FamilyLine {
  std::string_view family;
  FamilyStudies studies;
};

constexpr FamilyLine kStudies[] = {
    {"mesh",
     {.explainer = explain_mesh,
      .depth = depth_of_mesh,
      .port_rate = port_rate_of_mesh,
      .model = model_of_mesh,
      .draws_lines = true}},
    {"hyperx", {.add_to_plan = add_trees}},
    {"cluster", {.explainer = explain_dimensions, .advise = advise_on_bandwidths}},
    {"torus", {.depth = depth_of_torus, .port_rate = port_rate_of_torus}},
};

}  // namespace

FamilyStudies studies_of(const Machine& machine) {
  for (const FamilyLine& line : kStudies) {
    if (line.family == machine.family().name()) return line.studies;
  }
  return {};
}

std::vector<std::string_view> families_that_advise() {
  std::vector<std::string_view> families;
  for (const FamilyLine& line : kStudies) {
    if (line.studies.advise != nullptr) families.push_back(line.family);
  }
  return families;
}

}  // namespace muster

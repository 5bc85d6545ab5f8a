// One line per family that adds something to studies.
#include "study/families.h"

#include <string_view>
#include <utility>

#include "machine/family.h"
#include "study/cluster/bandwidth_advice.h"
#include "study/cluster/explain_dimensions.h"
#include "study/hyperx/tree_crossover.h"
#include "study/mesh/explain_mesh.h"
#include "study/mesh/model_terms.h"

namespace muster {

FamilyStudies studies_of(const Machine& machine) {
  const std::pair<std::string_view, FamilyStudies> own[] = {
      {"mesh", {.explainer = explain_mesh, .depth = depth_of_mesh, .model = model_of_mesh}},
      {"hyperx", {.add_to_plan = add_trees}},
      {"cluster", {.explainer = explain_dimensions, .advise = advise_on_bandwidths}},
  };
  for (const auto& [family, studies] : own) {
    if (family == machine.family().name()) return studies;
  }
  return {};
}

}  // namespace muster

// One line per family that is explained in its own way.
#include "study/explainers.h"

#include <utility>

namespace muster {

Explainer explainer_for(const Machine& machine) {
  const std::pair<const char*, Explainer (*)()> own[] = {{"mesh", explain_mesh}, {"cluster", explain_dimensions}};
  const std::string family = family_name(machine);
  for (const auto& [name, make] : own) {
    if (family == name) return make();
  }
  return explain_path();
}

}  // namespace muster

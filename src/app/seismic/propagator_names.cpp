#include "app/seismic/propagator_names.h"

#include "app/seismic/equation/equations.h"
#include "base/error.h"

namespace muster::seismic {

std::vector<std::string> propagator_names() {
  std::vector<std::string> names;
  for_each_equation([&]<class Equation>() { names.emplace_back(Equation::kName); });
  return names;
}

Description describe_propagator(std::string_view name) {
  Description description;
  for_each_equation([&]<class Equation>() {
    if (Equation::kName == name) description = describe<Equation>();
  });
  if (description.name.empty()) reject("unknown propagator '{}'; {}", name, suggest(name, propagator_names()));
  return description;
}

}  // namespace muster::seismic

// The backends: one line per family.
#include <algorithm>
#include <array>

#include "backend/backend.h"
#include "backend/cluster/cluster.h"
#include "backend/hyperx/hyperx.h"
#include "backend/wafer/wafer.h"

namespace muster {
namespace {

struct Entry {
  std::string_view family;
  std::shared_ptr<const Backend> (*make)();
};

constexpr std::array kBackends{
    Entry{"cluster", cluster::make_backend},
    Entry{"hyperx", hyperx::make_backend},
    Entry{"mesh", wafer::make_backend},
};

}  // namespace

Outcome<std::shared_ptr<const Backend>> backend_for(const Machine& machine) {
  const std::string family = family_name(machine);
  const auto* const found =
      std::find_if(kBackends.begin(), kBackends.end(), [&](const Entry& e) { return e.family == family; });
  if (found == kBackends.end()) {
    return Refusal{fmt::format("machines of family '{}' have no backend yet: '{}' can be described, but not simulated",
                               family, machine.name)};
  }
  return found->make();
}

}  // namespace muster

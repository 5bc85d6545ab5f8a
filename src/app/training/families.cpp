// One line per family that trains.
#include "app/training/families.h"

#include <string_view>
#include <utility>

#include "app/training/cluster/groups.h"
#include "app/training/cluster/iterations.h"
#include "app/training/cluster/spread.h"
#include "app/training/hyperx/iterations.h"
#include "base/error.h"
#include "machine/family.h"

namespace muster::training {

Trainer trainer_for(const Machine& machine) {
  const std::pair<std::string_view, Trainer> own[] = {
      {"cluster",
       {.group_of = group_on_cluster,
        .iterations = iterations_on_cluster,
        .most_chunks = most_chunks_on_cluster,
        .best_spread = best_spread_on_cluster}},
      {"hyperx", {.group_of = group_on_hyperx, .iterations = iterations_on_hyperx, .describe = describe_on_hyperx}},
  };
  std::vector<std::string_view> names;
  for (const auto& [family, trainer] : own) {
    if (family == machine.family().name()) return trainer;
    names.push_back(family);
  }
  reject_family(machine, "train", names);
}

}  // namespace muster::training

#include "app/stencil/slots.h"

#include <algorithm>

#include "base/counted.h"
#include "machine/routing.h"

namespace muster::stencil {

Neighbours neighbours_in_the_middle(const Description& description) {
  const auto radius = static_cast<std::int64_t>(description.radius());
  const std::int64_t x = description.columns / 2, y = description.rows / 2;
  return {.west = std::min(radius, x),
          .east = std::min(radius, description.columns - 1 - x),
          .north = std::min(radius, y),
          .south = std::min(radius, description.rows - 1 - y)};
}

std::vector<SlotsOf> slots_of(const Description& description) {
  const Neighbours neighbours = neighbours_in_the_middle(description);
  const std::int64_t sends = neighbours.sends();
  const std::int64_t own = description.radius() > 1 ? sends : 0;
  const bool has_own_product = own > 0 && neighbours.east > 0;
  const std::int64_t sums =
      std::max<std::int64_t>(1, neighbours.all() + (!has_own_product && neighbours.all() > 0 ? 1 : 0));
  std::vector<SlotsOf> all;
  if (sends > 0) {
    all.push_back({.name = "send", .what = "the block goes out in each direction", .slots = sends});
    all.push_back({.name = "multiply",
                   .what = "neighbours' words, on arrival",
                   .slots = neighbours.all(),
                   .is_from_fabric = true});
  }
  if (own > 0) {
    all.push_back(
        {.name = "take back", .what = "own words, which the routers return", .slots = own, .is_from_fabric = true});
  }
  all.push_back({.name = "sum", .what = "products by distance", .slots = sums, .is_local = true});
  if (!description.is_flat()) {
    all.push_back({.name = "along z",
                   .what = "a multiply-add for each neighbour in the column",
                   .slots = 2 * std::int64_t{description.radius()},
                   .is_local = true});
  }
  all.push_back({.name = "time", .what = "less the cell a step ago", .slots = 1, .is_local = true});
  return all;
}

std::int64_t slots_per_cell(const Description& description) {
  std::int64_t slots = 0;
  for (const SlotsOf& of : slots_of(description)) slots += of.slots;
  return slots;
}

}  // namespace muster::stencil

// The list of bounds. A bound is one function in a file of its own, and one line here.
#include "collective/bound.h"

#include <algorithm>
#include <tuple>

#include "collective/model.h"
#include "machine/routing.h"

namespace muster {

namespace {

using BoundFunction = std::optional<Bound> (*)(const Request&);

constexpr BoundFunction kBounds[] = {
    bound_distance_plus_port,  //
    bound_bisection,           //
    bound_space_time,          //
    bound_two_sides,           //
    bound_paper_row,           //
    bound_paper_grid,          //
};

Bound copy(const Request& request) {
  return {.name = "copy",
          .proves = "a single PE that stores B words at one per cycle",
          .cycles = copy_cycles(request.count)};
}

}  // namespace

std::vector<Bound> lower_bounds(const Request& request) {
  if (request.machine.mesh() == nullptr || request.collective == Collective::neighbours) return {};
  if (rank_count(request.machine) == 1) return {copy(request)};
  std::vector<Bound> bounds;
  for (const BoundFunction bound : kBounds) {
    if (auto found = bound(request)) bounds.push_back(std::move(*found));
  }
  std::stable_sort(bounds.begin(), bounds.end(), [](const Bound& a, const Bound& b) {
    return std::tuple(b.for_pipeline, b.cycles) < std::tuple(a.for_pipeline, a.cycles);
  });
  return bounds;
}

}  // namespace muster

// The list of bounds. A bound is one function in a file of its own, and one line here.
#include "collective/bounds/bound.h"

#include <algorithm>
#include <tuple>

#include "collective/grid/model.h"
#include "machine/mesh.h"
#include "machine/routing.h"

namespace muster {

namespace {

struct Entry {
  std::string_view family;
  std::optional<Bound> (*bound)(const Request&);
};

constexpr Entry kBounds[] = {
    {"mesh", bound_distance_plus_port},  //
    {"mesh", bound_takes},               //
    {"mesh", bound_bisection},           //
    {"cluster", bound_cut},              //
    {"hyperx", bound_switch_memory},     //
    {"hyperx", bound_switch_distance},   //
    {"hyperx", bound_switch_center},     //
    {"hyperx", bound_switch_links},      //
    {"torus", bound_torus_port},         //
    {"torus", bound_torus_cut},          //
    {"torus", bound_torus_distance},     //
    {"mesh", bound_space_time},          //
    {"mesh", bound_two_sides},           //
    {"mesh", bound_paper_row},           //
    {"mesh", bound_paper_grid},          //
};

Bound copy(const Request& request) {
  return {.name = "copy",
          .proves = "a single PE that stores B words at one per cycle",
          .cycles = copy_cycles(request.count)};
}

}  // namespace

std::vector<Bound> lower_bounds(const Request& request) {
  if (request.collective == Collective::neighbours || request.collective == Collective::stencil) return {};
  if (as<Mesh>(request.machine) != nullptr && rank_count(request.machine) == 1) return {copy(request)};
  const std::string family = family_name(request.machine);
  std::vector<Bound> bounds;
  for (const Entry& entry : kBounds) {
    if (entry.family != family) continue;
    if (auto found = entry.bound(request)) bounds.push_back(std::move(*found));
  }
  std::stable_sort(bounds.begin(), bounds.end(), [](const Bound& a, const Bound& b) {
    return std::tuple(b.for_pipeline, b.cycles) < std::tuple(a.for_pipeline, a.cycles);
  });
  return bounds;
}

}  // namespace muster

// Which hardware colors a program gets: not the host library's, and where routers switch, those that have switches.
#include <algorithm>

#include "backend/wafer/lower/lower.h"
#include "base/index.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

std::vector<bool> switched_colors(const Switching& switching, int count) {
  std::vector<bool> switched(at(count), false);
  for (const ColorRoute& route : switching.routes) {
    if (route.count > 1) switched[at(route.color)] = true;
  }
  return switched;
}

/// Hardware colors for `order`, lowest free first; -1 where the switchable ones run out.
std::vector<int> pick_colors(const std::vector<int>& order, const std::vector<bool>& switched, const Mesh& mesh) {
  std::vector<int> chosen(switched.size(), -1);
  std::vector<bool> taken(at(mesh.colors), false);
  for (const int color : order) {
    for (int hardware = 0; hardware < mesh.colors; ++hardware) {
      if (taken[at(hardware)] || contains(mesh.reserved_colors, hardware)) continue;
      if (switched[at(color)] && !contains(mesh.switch_colors, hardware)) continue;
      taken[at(hardware)] = true;
      chosen[at(color)] = hardware;
      break;
    }
  }
  return chosen;
}

}  // namespace

Outcome<std::vector<int>> choose_hardware_colors(const Switching& switching, int count, const Mesh& mesh,
                                                 const LowerOptions& options) {
  if (auto reason = too_many_colors(count, mesh, options.options.of<MeshOptions>().reserved_colors))
    return Refusal{*reason};
  const std::vector<bool> switched = switched_colors(switching, count);
  std::vector<int> order(at(count));
  // Color indices grow from the last consumer upstream, so a processor receives on its highest index first. The arbiter
  // of a shared link or ramp grants the lowest hardware color (link.arbitration). So the order is reversed: what is
  // needed first gets the lowest color.
  for (int c = 0; c < count; ++c) order[at(c)] = count - 1 - c;
  std::vector<int> colors = pick_colors(order, switched, mesh);
  if (std::count(colors.begin(), colors.end(), -1) == 0) return colors;

  std::stable_partition(order.begin(), order.end(), [&](int c) { return switched[at(c)]; });
  colors = pick_colors(order, switched, mesh);
  const auto missing = std::count(colors.begin(), colors.end(), -1);
  if (missing == 0) return colors;
  const auto needed = std::count(switched.begin(), switched.end(), true);
  return Refusal{fmt::format("colors with switches: {} needed, {} free of the machine's {}; {}", needed,
                             needed - missing, mesh.switch_colors.size(),
                             "use an algorithm in which fewer processors forward messages")};
}

}  // namespace muster::wafer

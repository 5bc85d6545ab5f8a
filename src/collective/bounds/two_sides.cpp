// Two sides: if all messages on a line go towards a root inside it, no sum spans both sides before the root, so the root
// takes at least one word per element and side. The first is there in cycle h + 2 T_R at the earliest, then one per
// cycle: T >= 2 B + h + 2 T_R.
#include "base/saturating.h"
#include "collective/bounds/bound.h"
#include "collective/grid/line.h"
#include "machine/mesh.h"

namespace muster {

std::optional<Bound> bound_two_sides(const Request& request) {
  const auto line = line_of(request);
  if (request.collective != Collective::reduce || !line || !line->root_inside()) return std::nullopt;
  const Mesh& mesh = *as<Mesh>(request.machine);
  const std::int64_t latency = mesh.hop_latency.value() + 2 * mesh.ramp_latency.value();
  return Bound{
      .name = "two sides",
      .proves = "any reduce along a line with messages towards the root: both sides enter the root, one word per cycle",
      .cycles = Cycles(saturating_sum(saturating_product(2, request.count), latency))};
}

}  // namespace muster

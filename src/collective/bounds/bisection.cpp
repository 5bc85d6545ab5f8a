// Bisection: of an all-to-all, every pair of processors on both sides of a cut exchanges a block, and a wavelet holds
// words of one sender for one receiver.
//
// Cut the mesh between columns x - 1 and x. Of its width W and height H, x H processors lie on one side and (W - x) H on
// the other, so x (W - x) H^2 blocks cross each way, over H links. The first word is at a link in cycle T_R at the
// earliest; after crossing it, a hop, a ramp and one cycle to handle it remain. So a link is of use for T - 2 T_R - h
// cycles:
//
//   T >= x (W - x) H b + 2 T_R + h,    b words per block; the largest for x = W / 2; the same with W and H exchanged.
#include <algorithm>

#include "base/saturating.h"
#include "collective/bounds/bound.h"
#include "machine/mesh.h"

namespace muster {

std::optional<Bound> bound_bisection(const Request& request) {
  const Mesh& mesh = *as<Mesh>(request.machine);
  const std::int64_t ranks = rank_count(mesh);
  if (request.collective != Collective::all_to_all || request.count % ranks != 0) return std::nullopt;
  const auto per_link = [&](std::int64_t along, std::int64_t across) {
    const std::int64_t pairs = (along / 2) * (along - along / 2) * across;
    return saturating_product(pairs, request.count / ranks);
  };
  const std::int64_t words = std::max(per_link(mesh.width, mesh.height), per_link(mesh.height, mesh.width));
  const std::int64_t latency = mesh.hop_latency.value() + 2 * mesh.ramp_latency.value();
  return Bound{.name = "bisection",
               .proves = "any all-to-all: the blocks for the other half of the mesh cross the bisection",
               .cycles = Cycles(saturating_sum(words, latency))};
}

}  // namespace muster

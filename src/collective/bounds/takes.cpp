// Takes: how many words an allreduce takes from the fabric, whatever its plan.
//
// A take is one word that one processor receives. A word carries what its sender knew of one element when it was sent: a sum of inputs of
// some processors. Look at one element and put its takes into the order of their cycles, those of one cycle in any order: they receive
// what was sent before. Draw an edge between sender and receiver for each take.
//
//   1. Let p be the first processor that knows the inputs of all N. What it knows came along edges drawn so far, so they connect all N
//      processors: there are at least N - 1.
//   2. At that moment no other processor knows all of them. Each has at least one more take to come: N - 1 in all.
//
// So each element has at least 2 (N - 1) takes, all of them together 2 B (N - 1), and some processor has at least n = ceil(2 B (N - 1) / N).
// It takes at most one word per cycle, and none before it has crossed two ramps and a link:
//
//   T >= n + h + 2 T_R.
//
// Multicasts count at each receiver. Nothing is assumed about routes or order, except that routers do not add and that a wavelet carries
// one element.
#include "base/saturating.h"
#include "collective/bounds/bound.h"
#include "machine/mesh.h"

namespace muster {

std::optional<Bound> bound_takes(const Request& request) {
  if (request.collective != Collective::allreduce) return std::nullopt;
  const Mesh& mesh = *as<Mesh>(request.machine);
  const std::int64_t ranks = rank_count(mesh);
  const std::int64_t twice = saturating_sum(request.count, request.count);
  // 2 B (N - 1) / N = 2 B - 2 B / N, rounded up.
  const std::int64_t words = twice - twice / ranks;
  const std::int64_t latency = saturating_sum(mesh.hop_latency.value(), 2 * mesh.ramp_latency.value());
  return Bound{.name = "takes",
               .proves =
                   "any allreduce: each element is taken from the fabric at least 2 (N - 1) times, by N ports of one "
                   "word per cycle",
               .cycles = Cycles(saturating_sum(words, latency))};
}

}  // namespace muster

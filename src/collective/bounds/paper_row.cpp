// The paper's bound for Reduce on a row: Near-Optimal Wafer-Scale Reduce (HPDC'24), Lemma 5.5 and the time bound behind
// it,
//
//   T*(P, B) >= min over D of B E*(P, D) / (P - 1) + (P - 1) + D (2 T_R + 1),
//   E*(P, D) >= min over 0 < i < P of E*(i, D) + E*(P - i, D - 1) + min(i, P - i + 1),   E*(1, D) = 0.
//
// The recursion has a closed form (ours): E*(P, D) = (P - 1) + max(0, P - 1 - D) for D >= 1. It is attained by i = 1 (for
// D = 1 by i = P - 1). And no split is below it: with a = i - 1, b = P - i and m = min(a, b), it costs
//   (P - 2) + max(0, a - D) + max(0, b - (D - 1)) + 1 + m,
// of which the two maxima are at least max(0, max(a, b) - D), so together with m at least max(0, a + b - D).
// The time is then linear in D from 1 to P - 1, so that its least is at an end: a star or a chain. O(1) instead of
// O(P^3); a test compares it with the recursion.
//
// It holds in the paper's model, where E / N + L counts the distance on top of links that are busy from the start. In
// the pipeline, best trees run below it.
#include <algorithm>
#include <cmath>

#include "collective/bounds/bound.h"
#include "collective/grid/line.h"
#include "collective/grid/model.h"
#include "machine/mesh.h"

namespace muster {

namespace {

double time_at_depth(double pes, double words, double depth, const Mesh& mesh) {
  const double energy = (pes - 1) + std::max(0.0, pes - 1 - depth);
  const auto hop = static_cast<double>(mesh.hop_latency.value());
  const auto unit = static_cast<double>(depth_cycles(mesh).value());
  return words * energy / (pes - 1) + hop * (pes - 1) + depth * unit;
}

}  // namespace

std::optional<Bound> bound_paper_row(const Request& request) {
  const auto line = line_of(request);
  if (request.collective != Collective::reduce || !line) return std::nullopt;
  const Mesh& mesh = *as<Mesh>(request.machine);
  const double pes = line->sides()[1].length;
  const auto words = static_cast<double>(request.count);
  const double least = std::min(time_at_depth(pes, words, 1, mesh), time_at_depth(pes, words, pes - 1, mesh));
  constexpr double kMost = 9e18;
  return Bound{
      .name = "paper 1d (Lemma 5.5)",
      .proves =
          "any reduce along a line with messages towards the root, in the paper's model; the simulated pipeline can "
          "be faster",
      .cycles = Cycles(std::llround(std::min(least, kMost))),
      .for_pipeline = false};
}

}  // namespace muster

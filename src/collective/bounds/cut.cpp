// Cut: the bytes that must cross a set of dimensions.
//
// Let A be a set of dimensions, P_A the product of their sizes, P that of all. Cut all links of A: P_A groups of P / P_A NPUs
// are left. For an allreduce of S bytes without reduction in the network, each of P_A groups must send, and get, what its
// result needs: in total at least 2 S (P_A - 1) bytes over all groups (as an allreduce among P_A nodes of a vector of S). The
// NPUs can send P BW(A) bytes per second over A together, where BW(A) is the sum of A's bandwidths per NPU, so
//
//   T >= 2 S (P_A - 1) / (P BW(A)) = 2 S (1 / P_(not A) - 1 / P) / BW(A).
//
// Where switches of A reduce, each group must still send S bytes, since the result depends on all of its sum, and get S: T >= S P_A /
// (P BW(A)). A reduce-scatter or an allgather must move half of the first, reducing switches or not: a group sends (or gets) what
// is for the others. In an all-to-all every NPU sends all of its vector but the P_A-th part
// that stays in its group: T >= S (1 - 1 / P_A) / BW(A). No latency is counted. One picosecond is taken off for rounding.
// Where messages are cut to whole nanoseconds, as ASTRA-sim counts, bytes can take less time than they need: no bound there.
#include <algorithm>

#include "collective/bounds/bound.h"
#include "collective/dimensions/chunk.h"
#include "machine/cluster.h"
#include "machine/routing.h"
#include "result/time_base.h"
#include "schedule/arithmetic.h"

namespace muster {

std::optional<Bound> bound_cut(const Request& request) {
  const Cluster* cluster = as<Cluster>(request.machine);
  const Collective c = request.collective;
  if (cluster == nullptr || cluster->accounting == Cluster::Accounting::astra) return std::nullopt;
  const bool exchanges = c == Collective::all_to_all;
  if (!scatters(c) && !gathers(c) && !exchanges) return std::nullopt;
  const double all = rank_count(request.machine);
  const double bytes = static_cast<double>(request.count) * sizeof(Word) * (c == Collective::allreduce ? 2 : 1);
  double longest = 0;
  for (std::uint32_t set = 1; set < std::uint32_t{1} << cluster->dimensions.size(); ++set) {
    double groups = 1, bandwidth = 0;
    bool reduces = false;
    for (std::size_t d = 0; d < cluster->dimensions.size(); ++d) {
      if ((set >> d & 1U) == 0) continue;
      groups *= cluster->dimensions[d].size;
      reduces |= cluster->dimensions[d].reduces;
      bandwidth += cluster->dimensions[d].bandwidth().value();
    }
    const double sent = reduces && c == Collective::allreduce ? groups / 2 : groups - 1;
    longest = std::max(longest, bytes * sent / ((exchanges ? groups : all) * bandwidth));
  }
  return Bound{.name = "cut",
               .proves = has_reducing_switch(*cluster) ? "any schedule: bytes that must cross a set of dimensions, "
                                                         "over the bandwidth of that set; reducing switches send sums"
                                                       : "any schedule without in-network reduction: bytes that must "
                                                         "cross a set of dimensions, over the bandwidth of that set",
               .cycles = picoseconds(longest) - Ticks(longest > 0 ? 1 : 0)};
}

}  // namespace muster

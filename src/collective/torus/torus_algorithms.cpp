// Every algorithm of a torus: one line each.
#include "collective/algorithms.h"

namespace muster {

std::vector<Algorithm> torus_algorithms() {
  constexpr PartnerRule kRules[] = {PartnerRule::swing, PartnerRule::recursive_doubling};
  std::vector<Algorithm> all{
      torus_allreduce_swing(),
      torus_allreduce_swing_latency(),
      torus_allreduce_recursive_doubling(),
      torus_allreduce_recursive_doubling_latency(),
      torus_allreduce_multiport_swing(),
      torus_allreduce_multiport_swing_latency(),
      torus_allreduce_ring(),
      torus_allreduce_ring_both(),
      torus_allreduce_rows_then_columns(),
      torus_allreduce_multicast_allgather(),
      torus_allreduce_shared_memory(),
      torus_reduce_scatter_gather(),
      torus_broadcast_scatter_allgather(),
      torus_broadcast_multicast(),
      torus_allgather_multicast(),
      torus_all_to_all_direct(),
      torus_all_to_all_rows_then_columns(),
      torus_barrier_dissemination(),
      torus_barrier_swing(),
      torus_barrier_multicast(),
  };
  for (const PartnerRule rule : kRules) {
    all.push_back(torus_reduce_tree(rule));
    all.push_back(torus_broadcast_tree(rule));
    all.push_back(torus_of_blocks_exchange(Collective::reduce_scatter, rule));
    all.push_back(torus_of_blocks_exchange(Collective::allgather, rule));
  }
  all.push_back(torus_of_blocks_ring(Collective::reduce_scatter));
  all.push_back(torus_of_blocks_ring(Collective::allgather));
  return all;
}

}  // namespace muster

// The algorithms, one file each. registry.cpp lists them.
#pragma once

#include "collective/algorithm.h"
#include "collective/grid/line_reduce.h"
#include "collective/grid/reduce.h"
#include "collective/torus/matchings.h"
#include "machine/hyperx.h"

namespace muster {

// Patterns for a row or a column (line_reduce.h), from each of which several algorithms follow.
LineReduce reduce_star();
LineReduce reduce_chain();
LineReduce reduce_tree();
LineReduce reduce_two_phase();
LineReduce reduce_auto_gen();
LineReduce reduce_best_tree();

// Reduces (reduce.h), from each of which an allreduce follows.
Reduce reduce_xy(const LineReduce& pattern);
Reduce reduce_split(const LineReduce& rows);
Reduce reduce_split_trees();
Reduce reduce_snake();
Reduce reduce_deal();

Algorithm broadcast_flood();
// The vendor's library (collectives_2d.cpp), to compare with.
Algorithm reduce_collectives_2d();
Algorithm broadcast_collectives_2d();
Algorithm allreduce_flood(const Reduce& reduce);
Algorithm allreduce_x_then_y(const LineReduce& pattern);
Algorithm allreduce_ring();
Algorithm allreduce_ring_folded();

Algorithm scatter_flood();
Algorithm scatter_pipeline();
Algorithm gather_direct();
Algorithm allgather_gather_flood();
Algorithm allgather_halves();
Algorithm reduce_scatter_pipeline();
Algorithm reduce_scatter_flood(const Reduce& reduce);
Algorithm all_to_all_pipeline();
Algorithm barrier_reduce_flood();

// Schedulers of a cluster (dimensions/), for allreduce, reduce-scatter, allgather or all-to-all.
Algorithm hierarchical(Collective collective);
Algorithm themis(Collective collective);
Algorithm balanced(Collective collective);

// Switches that reduce, in a HyperX (switches/): for allreduce, reduce, broadcast or barrier.
Algorithm in_network(Collective collective);
Algorithm allreduce_in_network_trees();
Algorithm scan_in_network();
// Host-based algorithms.
Algorithm allreduce_recursive_doubling();
Algorithm allreduce_rabenseifner();
Algorithm scan_recursive_doubling();

// Networks-on-chip of two tori (torus/): pairwise exchanges.
Algorithm torus_allreduce_swing();
Algorithm torus_allreduce_swing_latency();
Algorithm torus_allreduce_recursive_doubling();
Algorithm torus_allreduce_recursive_doubling_latency();
Algorithm torus_allreduce_multiport_swing();
Algorithm torus_allreduce_multiport_swing_latency();
// Rings.
Algorithm torus_allreduce_ring();
Algorithm torus_allreduce_ring_both();
Algorithm torus_allreduce_rows_then_columns();
// Multicasts.
Algorithm torus_allreduce_multicast_allgather();
Algorithm torus_broadcast_multicast();
Algorithm torus_allgather_multicast();
Algorithm torus_barrier_multicast();
// DRAM.
Algorithm torus_allreduce_shared_memory();
// With a root.
Algorithm torus_reduce_tree(PartnerRule rule);
Algorithm torus_reduce_scatter_gather();
Algorithm torus_broadcast_tree(PartnerRule rule);
Algorithm torus_broadcast_scatter_allgather();
// Reduce-scatter and allgather.
Algorithm torus_of_blocks_exchange(Collective collective, PartnerRule rule);
Algorithm torus_of_blocks_ring(Collective collective);
Algorithm torus_all_to_all_direct();
Algorithm torus_all_to_all_rows_then_columns();
Algorithm torus_barrier_dissemination();
Algorithm torus_barrier_swing();
/// All of them.
std::vector<Algorithm> torus_algorithms();

}  // namespace muster

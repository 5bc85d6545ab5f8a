// Every algorithm of a torus: one line each.
#include "collective/algorithms.h"

namespace muster {

std::vector<Algorithm> torus_algorithms() {
  return {
      torus_allreduce_swing(),                       //
      torus_allreduce_swing_latency(),               //
      torus_allreduce_recursive_doubling(),          //
      torus_allreduce_recursive_doubling_latency(),  //
      torus_allreduce_multiport_swing(),             //
      torus_allreduce_multiport_swing_latency(),     //
      torus_allreduce_ring(),                        //
      torus_allreduce_ring_both(),                   //
      torus_allreduce_rows_then_columns(),           //
      torus_allreduce_shared_memory(),               //
  };
}

}  // namespace muster

// Every algorithm of a torus: one line each.
#include "collective/algorithms.h"

namespace muster {

std::vector<Algorithm> torus_algorithms() {
  return {
      torus_allreduce_swing(),                       //
      torus_allreduce_swing_latency(),               //
      torus_allreduce_recursive_doubling(),          //
      torus_allreduce_recursive_doubling_latency(),  //
  };
}

}  // namespace muster

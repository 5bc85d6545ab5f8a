#include "study/torus/message_costs.h"

#include "machine/torus.h"
#include "schedule/arithmetic.h"

namespace muster {

Ticks depth_of_torus(const Machine& machine) {
  constexpr int kHops = 3;    // to partners of the first steps
  constexpr int kTokens = 4;  // to the compute processor and back
  const Torus& torus = *as<Torus>(machine);
  return torus.issue.write + torus.issue.atomic + torus.interface.memory_latency + torus.interface_latency * 2 +
         torus.hop_latency * kHops + torus.atomic_latency + torus.issue.barrier + torus.issue.token * kTokens +
         torus.compute.start;
}

double port_rate_of_torus(const Machine& machine) {
  return 2 * as<Torus>(machine)->interface.write_rate / static_cast<double>(sizeof(Word));
}

}  // namespace muster

// A network with one collective.
#include "collective/dimensions/pre_simulation.h"

namespace muster {

Timetable pre_simulate(const ChunkOperations& chunks, std::int32_t dimensions, SendFirst first) {
  DimensionNetwork network(dimensions, first);
  network.begin(chunks);
  network.next_end();
  return {.begins = network.begins(), .end = network.now()};
}

}  // namespace muster

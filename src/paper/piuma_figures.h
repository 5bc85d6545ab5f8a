// Figure 4 of "Accelerating Allreduce with in-network reduction on Intel PIUMA", computed: latency and bandwidth of AllReduce in the
// network and on hosts.
#pragma once

#include "machine/machine.h"
#include "result/figure.h"

namespace muster {

/// On machines like the one given, with 1 to 16,384 nodes. By prediction, which is exact for what the network does; hosts' schedules would
/// be too large to write out.
FigureAnswer make_piuma_performance(const Machine& machine);

/// Figure 5, from what training iterations took: of each batch, the part of the time that is waited for AllReduce without overlap, and
/// speed-ups over hosts.
struct BatchPoint {
  double batch = 0;
  double host_wait = 0;     ///< percent
  double network_wait = 0;  ///< percent
  double speedup = 0;       ///< in the network, without overlap
  double overlapped = 0;    ///< and with it
};
FigureAnswer make_piuma_training(const std::vector<BatchPoint>& points);

}  // namespace muster

// For tests only: a HyperX with the figures of PIUMA, in any shape.
#pragma once

#include <utility>
#include <vector>

#include "machine/hyperx.h"
#include "machine/machine.h"

namespace muster {

inline Machine test_hyperx(std::vector<std::int32_t> shape, std::int32_t sockets = 16, std::int32_t columns = 4,
                           std::int32_t rows = 2) {
  HyperX network;
  network.shape = std::move(shape);
  network.max_dimension_size = 32;
  network.sockets = sockets;
  network.core_columns = columns;
  network.core_rows = rows;
  network.core_latency = Seconds(5e-9);
  network.socket_latency = Seconds(25e-9);
  network.node_latency = Seconds(50e-9);
  network.link_bandwidth = BytesPerSecond(8e9);
  network.memory_bandwidth = BytesPerSecond(6.4e9);
  network.buffer_packets = 8;
  network.packet = Bytes(8);
  network.host =
      HyperX::Host{.round_overhead = Seconds(1.2e-6), .traversals = 4, .message_passes = 2, .reduction_passes = 3};
  return {.name = "hyperx", .summary = "switches that reduce", .network = network};
}

}  // namespace muster

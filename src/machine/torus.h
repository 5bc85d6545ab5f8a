// The family "torus": networks on chips. What a machine file describes, and its coordinates and routes.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/coordinates.h"
#include "machine/machine.h"

namespace muster {

/// A network-on-chip of two unidirectional tori. NoC 0 routes east, then south; NoC 1 north, then west.
/// Ranks are the working tiles, row by row; after them come the other tiles, row by row.
struct Torus {
  std::int32_t width = 0;
  std::int32_t height = 0;
  std::vector<std::int32_t> worker_columns;
  std::vector<std::int32_t> worker_rows;
  Hertz clock;
  Rate link_bandwidth;
  Bytes flit;
  Bytes packet;              ///< most data in one packet
  Cycles hop_latency;        ///< router to router
  Cycles interface_latency;  ///< network interface to router
  Bytes input_buffer;        ///< per input port of a router
  std::int32_t virtual_channels = 0;
  std::int32_t semaphores = 0;
  std::int32_t runtime_arguments = 0;
  Cycles atomic_latency;
  Bytes memory;
};

const Family& family_of(const Torus& torus);

Coordinates coordinates_of(const Torus& torus, NodeId node);
NodeId node_at(const Torus& torus, Coordinates coordinates);

// The contracts of routing.h. Nodes are in range.
NodeId rank_count(const Torus& torus);
NodeId node_count(const Torus& torus);
bool linked(const Torus& torus, NodeId from, NodeId to);
std::vector<NodeId> default_route(const Torus& torus, NodeId from, NodeId to);
std::int64_t default_hops(const Torus& torus, NodeId from, NodeId to);
}  // namespace muster

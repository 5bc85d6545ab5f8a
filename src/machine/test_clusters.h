// Clusters by chance, for properties.
#pragma once

#include <rapidcheck/gtest.h>

#include <cstdint>

#include "machine/machine.h"

namespace muster {

/// Fewer than `dimensions` dimensions of fewer than `size` NPUs each, of all kinds.
inline Cluster any_cluster(int dimensions, std::int32_t size) {
  Cluster cluster;
  const auto count = *rc::gen::inRange(1, dimensions);
  for (int d = 0; d < count; ++d) {
    cluster.dimensions.push_back(
        {.kind = *rc::gen::element(Cluster::Kind::ring, Cluster::Kind::fully_connected, Cluster::Kind::switched),
         .size = *rc::gen::inRange<std::int32_t>(2, size),
         .link_bandwidth = BytesPerSecond(static_cast<double>(*rc::gen::inRange(1, 100)) * 1e9),
         .links = *rc::gen::inRange(1, 4),
         .latency = Seconds(static_cast<double>(*rc::gen::inRange(0, 2000)) * 1e-9)});
  }
  cluster.buffer_chunks = 2;
  return cluster;
}

/// The same, and some of its switches reduce.
inline Cluster any_reducing_cluster(int dimensions, std::int32_t size) {
  Cluster cluster = any_cluster(dimensions, size);
  for (Cluster::Dimension& d : cluster.dimensions) {
    d.reduces = d.kind == Cluster::Kind::switched && *rc::gen::arbitrary<bool>();
  }
  return cluster;
}

}  // namespace muster

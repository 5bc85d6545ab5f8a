// For tests only: a few small clusters, and clusters at random.
#pragma once

#include <rapidcheck/gtest.h>

#include <cstdint>
#include <vector>

#include "machine/cluster.h"
#include "machine/machine.h"

namespace muster {

/// One to three dimensions, of all kinds.
inline std::vector<Machine> small_clusters() {
  using enum Cluster::Kind;
  const std::vector<std::vector<Cluster::Dimension>> shapes{
      {{.kind = ring, .size = 3}},
      {{.kind = switched, .size = 4}, {.kind = fully_connected, .size = 3}},
      {{.kind = switched, .size = 2, .reduces = true}, {.kind = ring, .size = 2}, {.kind = switched, .size = 3}}};
  std::vector<Machine> machines;
  for (const auto& dimensions : shapes) {
    Cluster cluster;
    cluster.dimensions = dimensions;
    cluster.buffer_chunks = 2;
    for (Cluster::Dimension& d : cluster.dimensions) {
      d.link_bandwidth = BytesPerSecond(25e9);
      d.links = 1;
      d.latency = Seconds(700e-9);
    }
    machines.push_back({.name = "cluster", .summary = "a small cluster", .network = cluster});
  }
  return machines;
}

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

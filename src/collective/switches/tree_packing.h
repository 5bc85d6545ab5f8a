// The maximum number of edge-disjoint spanning trees of a graph.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace muster {

using GraphEdge = std::pair<std::int32_t, std::int32_t>;

/// `count` edge-disjoint forests of the graph with the maximum total number of edges, as lists of indices into `edges`. If that many
/// edge-disjoint spanning trees exist, each forest is one.
std::vector<std::vector<std::int32_t>> pack_forests(std::int32_t vertices, std::span<const GraphEdge> edges,
                                                    std::int32_t count);

/// The maximum number of edge-disjoint spanning trees that pack_forests() finds, up to `most`; none if the graph is disconnected, one
/// without edges if it is a single vertex.
std::vector<std::vector<std::int32_t>> pack_spanning_trees(std::int32_t vertices, std::span<const GraphEdge> edges,
                                                           std::int32_t most);

}  // namespace muster

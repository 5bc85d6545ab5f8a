// Spanning trees of a graph that share no edge, as many as there can be.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace muster {

using GraphEdge = std::pair<std::int32_t, std::int32_t>;

/// Forests that share no edge of the graph and have as many edges together as possible: `count` of them, as lists of places in
/// `edges`. If there are so many spanning trees without a common edge, each of them is one.
std::vector<std::vector<std::int32_t>> pack_forests(std::int32_t vertices, std::span<const GraphEdge> edges,
                                                    std::int32_t count);

/// The most spanning trees without a common edge that pack_forests() finds, up to `most`; none if the graph falls apart, one
/// without edges if it is a single vertex.
std::vector<std::vector<std::int32_t>> pack_spanning_trees(std::int32_t vertices, std::span<const GraphEdge> edges,
                                                           std::int32_t most);

}  // namespace muster

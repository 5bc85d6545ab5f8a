// Participants: groups of HyperX nodes that each run their own collective, concurrently on one collective id.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collective/algorithm.h"
#include "collective/switches/embedding.h"
#include "machine/hyperx.h"

namespace muster {

/// The groups of a request, each sorted; without any, one of all nodes that have not failed. A reason if a node does not exist,
/// has failed or is named twice, or if the collective has a root that is in no group, or several groups.
Outcome<std::vector<std::vector<std::int32_t>>> groups_of(const Request& request);

/// Why the groups of a request are invalid: then there are neither algorithms nor bounds for them.
std::optional<std::string> unfit_groups(const Request& request);

/// The plan of each group's embedding: towards the root's switch where the collective has a root, else towards the center. A
/// reason if one cannot be reached, or if two would share a switch: embeddings on one id may not.
Outcome<std::vector<EmbeddingPlan>> plan_groups(const Request& request);

/// Nothing, or that a schedule would be too large to be written out, and what its formula says instead.
std::optional<std::string> too_many_cores(std::int64_t cores, std::int64_t most, const std::function<Ticks()>& cost);

/// For algorithms that take a vector from every core: nothing, or what takes one per node instead.
std::optional<std::string> refuse_vectors_of_nodes(const Request& request);

/// Whether a group of these nodes is one core: no other core takes part.
bool is_alone(const HyperX& hyperx, std::span<const std::int32_t> nodes);

/// The cores of HyperX nodes, in order.
std::vector<NodeId> cores_of(const HyperX& hyperx, std::span<const std::int32_t> nodes);

}  // namespace muster

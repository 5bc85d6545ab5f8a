// Whether the streams and steps of a schedule can be calls of this family's processors at all.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "backend/torus/noc/topology.h"
#include "schedule/schedule.h"

namespace muster::torus {

/// Why not, as a message; nothing if they can: every stream takes the route of one NoC to one tile, or to all workers of a rectangle, and
/// every node with steps is a worker or the tile of a DRAM bank.
std::optional<std::string> unfit_streams(const Schedule& flat, const Machine& machine);

/// The rectangle around tiles, as a NoC crosses it.
Rectangle rectangle_of(const Torus& torus, std::span<const NodeId> tiles, int noc);

/// The DRAM bank behind a tile; -1: none.
std::int32_t bank_at(const Torus& torus, NodeId node);

}  // namespace muster::torus

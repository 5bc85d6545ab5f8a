// A scan on a HyperX, as steps of cores and switches.
//
// In each round (scan_rounds.h), a giver's vector goes along a tree of switches to all takers. A switch forwards it as it is; where
// it has a taker, it combines it with what the core's memory gives, after all other ports, and the result goes back to that
// memory, in its place: the order of ranks is kept. A switch that does both, does the second behind its loop.
#pragma once

#include <span>

#include "collective/switches/embedding.h"
#include "collective/switches/scan_rounds.h"
#include "machine/hyperx.h"
#include "schedule/builder.h"

namespace muster {

/// The switches along which a giver's vector goes to the takers, and perhaps more. All can reach each other.
Embedding tree_of(const HyperX& hyperx, std::span<const NodeId> cores, const ScanBlock& block);

/// For ranks in the order of `cores`, which ascend, have their vectors in their inputs, and can reach each other.
void write_scan(ScheduleBuilder& builder, const HyperX& hyperx, std::span<const NodeId> cores, SpanId elements);

}  // namespace muster

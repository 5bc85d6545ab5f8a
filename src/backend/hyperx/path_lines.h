// A chain of waits as lines for people.
#pragma once

#include <span>
#include <vector>

#include "backend/hyperx/wait_chain.h"
#include "result/timeline.h"

namespace muster::hyperx {

/// Links of one kind and channel that follow each other are one line.
std::vector<PathLine> path_lines(const Wiring& wiring, std::span<const Wait> chain);

/// Latency, memory and links always; what else there was, where there was some.
std::vector<PathPart> path_parts(std::span<const Wait> chain);

}  // namespace muster::hyperx

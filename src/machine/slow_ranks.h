// --slow RANK=FACTOR, which several families take.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "machine/machine.h"
#include "result/fact.h"

namespace muster {

/// Slowdown factors of ranks, from texts like "3=2.5". Throws InputError.
std::map<NodeId, double> slow_ranks(const std::vector<std::string>& texts, const Machine& machine);

/// [{"rank": 3, "factor": 2.5}]
FactValue slow_ranks_fact(const std::map<NodeId, double>& slow);

/// ", NPU 3 slowed 2.5x"
std::string slow_ranks_text(const std::map<NodeId, double>& slow, std::string_view rank_name);

}  // namespace muster

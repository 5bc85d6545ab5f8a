// Algorithms that cores run themselves, in rounds of messages; switches only forward them. What in-network algorithms are compared
// with. As schedules up to some thousand cores, and by the formula of host_time.h beyond.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "collective/algorithm.h"
#include "collective/switches/host_time.h"
#include "schedule/builder.h"

namespace muster {

/// Writes the steps of a group of several cores, which hold `count` words each in their inputs and end with them in their outputs.
using HostWrite = std::function<void(ScheduleBuilder&, std::span<const NodeId> cores, std::int64_t count)>;

/// The rounds of so many cores, more than one, with so many words.
using HostRounds = std::function<std::vector<HostRound>(std::int64_t cores, std::int64_t count)>;

/// Completes an algorithm that has its collective, name, summary and source. A core that is alone copies its vector.
Algorithm host_based(Algorithm named, HostWrite write, HostRounds rounds);

}  // namespace muster

// What the chunks of a collective on a cluster do, step by step, as names that a claim can expect.
#pragma once

#include <string>
#include <vector>

#include "plan/plan.h"

namespace muster {

/// Of every chunk the dimensions of its first pass (its reduce-scatters, or its allgathers where it has none), from 1:
/// "1 2", "2 1".
std::vector<std::string> chunk_orders(const Job& job, const std::string& algorithm, const Parameters& parameters);

/// Of every dimension what it sends when, in us: "RS1 0-10, AG2 10.5-12".
std::vector<std::string> chunk_times(const Job& job, const std::string& algorithm, const Parameters& parameters);

/// "16 operations on 2 dimensions, the last until 7000 us", of chunk_times(); and where two of them differ first.
std::string operations_text(const std::vector<std::string>& times);
std::string first_difference(const std::vector<std::string>& expected, const std::vector<std::string>& found);

}  // namespace muster

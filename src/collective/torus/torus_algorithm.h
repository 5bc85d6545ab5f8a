// What all algorithms of a torus share.
#pragma once

#include <functional>

#include "collective/algorithm.h"
#include "schedule/builder.h"

namespace muster {

/// Writes the steps for two ranks or more.
using TorusWrite = std::function<void(ScheduleBuilder&, const Request&, const Parameters&)>;

/// The cost is predicted from the steps (step_times.h), and never below a lower bound.
/// `named` has collective, name, summary, source and parameters, and `unsupported` if it has limits of its own. A single rank copies its
/// input. `scratch`: words of it, if any.
Algorithm torus_algorithm(Algorithm named, TorusWrite write, std::function<std::int64_t(const Request&)> scratch = {});

/// For algorithms that need all rows to be of the same length: why not, or nothing.
std::optional<std::string> needs_full_grid(const Request& request);
/// For an all-to-all: why a vector cannot be cut into blocks of the same size, or nothing.
std::optional<std::string> needs_equal_blocks(const Request& request);

}  // namespace muster

// A reduce as a building block: it writes its steps into a schedule, and the caller may add more after them. From each of these
// the registry makes a reduce (reduce.cpp) and an allreduce (allreduce_flood.cpp).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "collective/algorithm.h"
#include "collective/grid/grid_phases.h"
#include "schedule/builder.h"

namespace muster {

struct Reduce {
  std::string name;
  std::string summary;
  std::string source;
  std::vector<ParameterSpec> parameters;
  std::function<std::optional<std::string>(const Request&)> unsupported;
  /// Writes the steps, all in lane 0, none of them in scratch. Afterwards the root has the combination in `output`;
  /// what the others have there is undefined.
  std::function<void(const Request&, const Parameters&, ScheduleBuilder&)> write;
  /// The same as phases, in place of `write`.
  std::function<void(const Request&, const Parameters&, GridPhases&)> write_phases = {};
  std::function<Cycles(const Request&, const Parameters&)> cost;
  CostTolerance cost_tolerance;
  bool knows_machine = false;                             ///< as in Algorithm
  std::function<Cycles(const Request&)> least_cost = {};  ///< as in Algorithm
  std::function<std::vector<Cycles>(const Request&)> cost_by_root = {};
};

Algorithm reduce_algorithm(const Reduce& reduce);

/// All ranks of a machine, in order.
std::vector<NodeId> all_ranks(const Machine& machine);

}  // namespace muster

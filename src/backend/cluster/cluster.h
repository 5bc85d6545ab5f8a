// The stages of the cluster backend: schedule → program (lower), program → result (simulate).
#pragma once

#include <memory>

#include "backend/cluster/program.h"
#include "backend/lowering.h"
#include "backend/simulator.h"

namespace muster::cluster {

/// Of a schedule of phases, each along one dimension. A refusal says which phase is not.
Outcome<std::unique_ptr<ClusterProgram>> lower(const Schedule& schedule, const Machine& machine,
                                               const LowerOptions& options);

/// Data is computed while all NPUs together hold at most so many words and do at most so many steps; beyond that
/// Result::outputs is empty.
inline constexpr std::int64_t kMostComputedWords = std::int64_t{1} << 18;
inline constexpr std::int64_t kMostComputedSteps = std::int64_t{1} << 20;

/// A dimension sends the bytes of one operation at a time, in the order of the program; the next one begins when the last byte
/// has left and what it comes after has arrived. All NPUs are alike, so one stands for all.
Result simulate(const ClusterProgram& program, const SimulateOptions& options);

}  // namespace muster::cluster

// Why the winner wins: one sentence that names the term which decides.
#pragma once

#include <string>

#include "machine/machine.h"
#include "plan/load.h"

namespace muster {

/// What is compared.
struct Contender {
  std::string name;
  Load load;
  Ticks time;
  bool as_phases = false;  ///< it was run as phases: there is no load
  double utilization = 0;  ///< of all bandwidth; counts then
};

/// The deciding term is the one in which the winner gains most by the model of §3 of "Near-Optimal Wafer-Scale Reduce":
/// depth costs 2 T_R + 1 cycles each; the words through the busiest port and the hops per link go on side by side.
/// Where these do not speak for the winner, the words on the longest path do, or what its busiest port waits; the
/// latter also for schedules of phases, whose depth is not known. Where schedules were run as phases, without loads, it
/// is the bandwidth that both use.
std::string why_it_wins(const Machine& machine, const Contender& winner, const Contender& runner_up);

}  // namespace muster

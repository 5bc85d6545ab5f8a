// The terms of the paper's model (collective/grid/model.h), counted on a schedule, whatever algorithm made it.
#pragma once

#include "collective/grid/model.h"
#include "plan/plan.h"

namespace muster {

/// Of a flat schedule that verify() has accepted and that answers the job, on a mesh. Its work is the hops of all
/// streams, whatever their length.
ModelTerms model_terms(const Job& job, const Schedule& flat);

/// Equation (1) on these terms, and what it adds for one unit of depth. In cycles.
Ticks model_of_mesh(const Job& job, const Schedule& flat);
Ticks depth_of_mesh(const Machine& machine);
/// Words that a processor takes from the fabric, per cycle.
double port_rate_of_mesh(const Machine& machine);

}  // namespace muster

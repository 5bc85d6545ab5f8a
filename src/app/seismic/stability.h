// What time step leapfrog allows.
#pragma once

#include "app/seismic/equation/description.h"
#include "app/seismic/model.h"
#include "app/seismic/setup.h"

namespace muster::seismic {

/// The largest time step times velocity with which leapfrog is stable in a homogeneous medium.
double stable_limit(const Description& equation, const GridOptions& grid);

/// By how much waves on the grid are faster than the fastest wave of the medium, because density jumps: where a light node stands beside heavy
/// ones, differences reach across, and couple the stiffness of one to the inertia of the other. A proven bound for acoustic
/// propagators, which the elastic ones have met as well; 1 where density does not vary. `fastest` is that of the model.
double contrast_factor(const Model& model, const GridOptions& grid, const Description& equation, double fastest);

}  // namespace muster::seismic

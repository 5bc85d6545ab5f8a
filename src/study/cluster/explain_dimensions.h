// Plans on a cluster, explained by its dimensions.
#pragma once

#include "study/explainer.h"

namespace muster {

/// By what every dimension did in the simulation.
Explainer explain_dimensions();

}  // namespace muster

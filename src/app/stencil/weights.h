// The stencil of a second derivative along an axis.
#pragma once

#include <vector>

#include "app/seismic/differences.h"

namespace muster::stencil {

/// The weights of f(x - r h), ..., f(x), ..., f(x + r h) for h^2 f''(x), with r half of the order. They add up to zero.
std::vector<double> weights(int order, seismic::Weights kind = seismic::Weights::taylor);

}  // namespace muster::stencil

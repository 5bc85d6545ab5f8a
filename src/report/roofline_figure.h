// A roofline as a figure.
#pragma once

#include "result/figure.h"
#include "result/roofline.h"

namespace muster {

/// Operations per second over operations per byte, both logarithmic: the roof of all threads, and a mark for each propagator.
Figure roofline_figure(const RooflineAnswer& answer);

}  // namespace muster

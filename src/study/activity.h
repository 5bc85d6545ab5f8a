// How busy the tracks of a timeline were, window by window.
#pragma once

#include <vector>

#include "base/units.h"
#include "result/figure.h"
#include "result/timeline.h"

namespace muster {

/// A curve per track of a timeline in picoseconds: over the middle of each window in ms, the part of it in percent that its
/// spans fill. The last window ends with the last span.
std::vector<Curve> activity_curves(const Timeline& timeline, Seconds window);

}  // namespace muster

// The peaks of this machine, measured, and each propagator's place under them.
#pragma once

#include <functional>

#include "result/roofline.h"

namespace muster::seismic {

/// Of this machine, in f32.
struct Peaks {
  BytesPerSecond bandwidth;
  double operations = 0;  ///< per second
};
Peaks measure_peaks(int threads);

/// f32, order 8, no absorbing layers, grids far larger than caches. Takes about half a minute; `progress` hears what share is done.
RooflineAnswer measure_roofline(int threads, const std::function<void(double)>& progress = {});

}  // namespace muster::seismic

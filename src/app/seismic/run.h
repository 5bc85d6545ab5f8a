// Runs a shot.
#pragma once

#include <functional>

#include "app/seismic/propagators.h"
#include "app/seismic/shot.h"
#include "result/wavefield.h"

namespace muster::seismic {

/// `progress` is told how much is done, from 0 to 1. Throws NothingFits if a field becomes infinite or not a number.
WavefieldAnswer run(const Shot& shot, const Target& target, const std::function<void(double)>& progress = {});

}  // namespace muster::seismic

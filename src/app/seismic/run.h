// Runs a shot.
#pragma once

#include <functional>
#include <vector>

#include "app/seismic/propagators.h"
#include "app/seismic/shot.h"
#include "result/wavefield.h"

namespace muster::seismic {

/// Samples of receivers: one trace after another, a sample per step, before the step is made.
struct Gather {
  std::string field;
  std::vector<std::vector<float>> traces;
};

struct RunResult {
  WavefieldAnswer answer;
  std::vector<Gather> gathers;  ///< one per [[receivers]]
};

/// `progress` is told how much is done, from 0 to 1. Throws NothingFits if a field becomes infinite or not a number.
RunResult run(const Shot& shot, const Target& target, const std::function<void(double)>& progress = {});

}  // namespace muster::seismic

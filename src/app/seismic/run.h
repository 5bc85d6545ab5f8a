// Runs a shot.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/seismic/propagators.h"
#include "app/seismic/shot.h"
#include "result/wavefield.h"

namespace muster::seismic {

struct RunOptions {
  Target target;
  std::filesystem::path folder;          ///< of everything that is written; empty: the working folder
  std::filesystem::path resume;          ///< a checkpoint to go on from; empty: from the start
  std::function<void(double)> progress;  ///< is told how much is done, from 0 to 1
  std::function<bool()> is_interrupted;  ///< whether the run should leave a checkpoint and end
  std::int64_t shots_in_flight = 0;      ///< at the same time, if memory allows; 0: what suits the target
};

/// Throws InputError, before any work, if memory or disk is not enough or the checkpoint unfit, and NothingFits if a field becomes infinite
/// or not a number, or the run is interrupted.
WavefieldAnswer run(const Shot& shot, const RunOptions& options);

std::string name_of(const Target& target);
std::string name_of(Mode mode);

}  // namespace muster::seismic

// What a shot would need and do.
#pragma once

#include <filesystem>

#include "app/seismic/propagators.h"
#include "app/seismic/shot.h"
#include "result/wavefield.h"

namespace muster::seismic {

/// Runs nothing but a short trial of the kernels on a small grid, from which the time is estimated.
WavefieldPlan plan(const Shot& shot, const Target& target, const std::filesystem::path& folder);

}  // namespace muster::seismic

// The gathers that an adjoint run begins with, in files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "app/seismic/file/gather.h"
#include "app/seismic/shot.h"
#include "app/seismic/traces.h"

namespace muster::seismic {

/// Reads the gather for these receivers of the shot with this number. Throws InputError that begins with the file if it does not fit:
/// number of traces, samples, interval, field and positions, as far as its format says them.
Gather read_observed(const Shot& shot, const Traces& traces, std::int64_t number);

/// Reads the gathers of all shots, and makes a line that differs where they do.
std::string observed_fingerprint(const Shot& shot);

}  // namespace muster::seismic

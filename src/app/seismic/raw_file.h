// Raw files: values one after another, little-endian, and nothing else.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "base/error.h"

namespace muster::seismic {

/// The f32 values of a file, of which there must be `count`.
Outcome<std::vector<float>> read_raw_floats(const std::filesystem::path& file, std::int64_t count);

}  // namespace muster::seismic

// The formats of files, and what writers and readers are told about them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "app/seismic/file/cube.h"
#include "app/seismic/volume.h"

namespace muster::seismic {

enum class Format : unsigned char { segy, su, rsf, raw };

std::string name_of(Format format);
/// By its name; throws InputError, after `location`, with the known ones.
Format format_named(const std::string& name, const std::string& location);
/// By the file's ending: .segy, .sgy, .su, .rsf, .raw, .bin. Throws InputError that names the file and the known endings.
Format format_of(const std::filesystem::path& path);

enum class Precision : unsigned char { f32, f64 };

constexpr std::int64_t bytes_of(Precision precision) { return precision == Precision::f64 ? 8 : 4; }

struct WriteOptions {
  std::optional<Format> format;  ///< default: by the file's ending
  Precision precision = Precision::f32;
};

/// What a reader is told about a file. Raw files say nothing themselves; what others say is compared with it.
struct ReadOptions {
  std::optional<Format> format;          ///< default: by the file's ending
  Precision precision = Precision::f32;  ///< of raw files
  Extent extent;                         ///< of cubes; 0: the file says it
  std::int64_t samples = 0;              ///< of a trace of a gather; 0: the file says it
  double interval = 0;                   ///< between samples of raw gathers, in seconds
};

/// Rows of a cube along z, in the order of files: x slowest.
using VisitRow = std::function<void(std::int64_t x, std::int64_t y, std::span<const double> values)>;
using FillRow = std::function<void(std::int64_t x, std::int64_t y, std::span<double> values)>;
/// Is told what a file holds, and says who takes its rows.
using BeginCube = std::function<VisitRow(const CubeInfo& info)>;

}  // namespace muster::seismic

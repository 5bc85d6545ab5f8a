#include "app/seismic/file/files.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "app/seismic/file/codec.h"
#include "base/error.h"

namespace muster::seismic {
namespace {

const Codec& codec_for(const std::filesystem::path& path, const std::optional<Format>& format) {
  return codec_of(format ? *format : format_of(path));
}

}  // namespace

const Codec& codec_of(Format format) {
  switch (format) {
    case Format::segy:
      return segy_codec();
    case Format::su:
      return su_codec();
    case Format::rsf:
      return rsf_codec();
    case Format::raw:
      break;
  }
  return raw_codec();
}

bool holds_cube(const std::filesystem::path& path, const ReadOptions& options) {
  if (options.extent != Extent{}) return true;
  if (options.samples > 0) return false;
  return codec_for(path, options.format).holds_cube(*open_file(path));
}

Gather read_gather(const std::filesystem::path& path, const ReadOptions& options) {
  Gather gather = codec_for(path, options.format).read_gather(*open_file(path), options);
  if (options.samples > 0 && options.samples != gather.samples) {
    reject("{}: has {} samples in a trace, but {} are expected", path.string(), gather.samples, options.samples);
  }
  return gather;
}

void read_cube(const std::filesystem::path& path, const ReadOptions& options, const BeginCube& begin) {
  codec_for(path, options.format).read_cube(*open_file(path), options, begin);
}

Cube read_cube(const std::filesystem::path& path, const ReadOptions& options) {
  Cube cube;
  read_cube(path, options, [&](const CubeInfo& info) -> VisitRow {
    cube = {.name = info.name, .extent = info.extent, .spacing = info.spacing};
    cube.values.resize(static_cast<std::size_t>(cells_of(info.extent)));
    return [&](std::int64_t x, std::int64_t y, std::span<const double> row) {
      const auto first = static_cast<std::size_t>((x * cube.extent.y + y) * cube.extent.z);
      const std::span<float> into = std::span(cube.values).subspan(first, row.size());
      bool fits = true;
      for (std::size_t i = 0; i < row.size(); ++i) {
        fits &= std::abs(row[i]) <= static_cast<double>(std::numeric_limits<float>::max());
        into[i] = static_cast<float>(row[i]);
      }
      if (!fits) reject("{}: row {},{} along z has a value that f32 does not hold", path.string(), x, y);
    };
  });
  return cube;
}

std::int64_t file_bytes(const Gather& gather, const std::filesystem::path& path, const WriteOptions& options) {
  return codec_for(path, options.format).file_bytes(gather, options.precision, path.string());
}

std::int64_t file_bytes(const CubeInfo& info, const std::filesystem::path& path, const WriteOptions& options) {
  return codec_for(path, options.format).file_bytes(info, options.precision, path.string());
}

void write_gather(const Gather& gather, const std::filesystem::path& path, const WriteOptions& options) {
  MUSTER_ASSERT(gather.values.size() == gather.receivers.size() * static_cast<std::size_t>(gather.samples),
                "{} values of {} receivers", gather.values.size(), gather.receivers.size());
  AtomicFile file(path, file_bytes(gather, path, options));
  codec_for(path, options.format).write(gather, options.precision, file, path.string());
  file.commit();
}

void write_cube(const CubeInfo& info, const FillRow& fill, const std::filesystem::path& path,
                const WriteOptions& options) {
  AtomicFile file(path, file_bytes(info, path, options));
  codec_for(path, options.format).write(info, fill, options.precision, file, path.string());
  file.commit();
}

void write_cube(const Cube& cube, const std::filesystem::path& path, const WriteOptions& options) {
  MUSTER_ASSERT(static_cast<std::int64_t>(cube.values.size()) == cells_of(cube.extent), "{} values of {} cells",
                cube.values.size(), cells_of(cube.extent));
  const CubeInfo info{.name = cube.name, .extent = cube.extent, .spacing = cube.spacing};
  write_cube(
      info,
      [&](std::int64_t x, std::int64_t y, std::span<double> row) {
        const auto first = static_cast<std::size_t>((x * cube.extent.y + y) * cube.extent.z);
        std::ranges::copy(std::span(cube.values).subspan(first, row.size()), row.begin());
      },
      path, options);
}

}  // namespace muster::seismic

// For tests: random gathers and cubes, and formats in memory.
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <string>
#include <vector>

#include "app/seismic/file/byte_sink.h"
#include "app/seismic/file/codec.h"

namespace muster::seismic {

inline std::vector<std::byte> bytes_in(Format format, const Gather& gather, Precision precision = Precision::f32) {
  MemorySink sink;
  codec_of(format).write(gather, precision, sink, "gather");
  RC_ASSERT(static_cast<std::int64_t>(sink.bytes.size()) == codec_of(format).file_bytes(gather, precision, "gather"));
  return sink.bytes;
}

inline std::vector<std::byte> bytes_in(Format format, const Cube& cube, Precision precision = Precision::f32) {
  MemorySink sink;
  const CubeInfo info{.name = cube.name, .extent = cube.extent, .spacing = cube.spacing};
  const auto fill = [&](std::int64_t x, std::int64_t y, std::span<double> row) {
    for (std::size_t z = 0; z < row.size(); ++z) row[z] = cube.at(x, y, static_cast<std::int64_t>(z));
  };
  codec_of(format).write(info, fill, precision, sink, "cube");
  RC_ASSERT(static_cast<std::int64_t>(sink.bytes.size()) == codec_of(format).file_bytes(info, precision, "cube"));
  return sink.bytes;
}

inline Gather gather_from(Format format, std::span<const std::byte> bytes, const ReadOptions& options = {}) {
  return codec_of(format).read_gather(MemorySource("file", bytes), options);
}

inline Cube cube_from(Format format, std::span<const std::byte> bytes, const ReadOptions& options = {}) {
  Cube cube;
  codec_of(format).read_cube(MemorySource("file", bytes), options, [&](const CubeInfo& info) -> VisitRow {
    cube = {.name = info.name, .extent = info.extent, .spacing = info.spacing};
    return [&](std::int64_t /*x*/, std::int64_t /*y*/, std::span<const double> values) {
      for (const double value : values) cube.values.push_back(static_cast<float>(value));
    };
  });
  return cube;
}

/// Two traces of three samples.
inline Gather small_gather() {
  return {.field = "vz",
          .shot = 7,
          .source = {800, 400.5, 610},
          .receivers = {{100, 0, 20}, {1100, 800.5, 20}},
          .start = -0.001,
          .interval = 0.0021503,
          .samples = 3,
          .values = {1, -2.5, 0, 0.125, 3e-5F, -1e9F}};
}

/// 1 x 2 x 3 cells.
inline Cube small_cube() {
  return {.name = "vp", .extent = {1, 2, 3}, .spacing = {20, 12.5, 10}, .values = {1500, 1600, 1700, 1800, 1900, 2000}};
}

/// Positions in tenths of a metre, and samples as f32 has them.
inline Gather random_gather() {
  const auto metres = [] { return *rc::gen::inRange(-100'000, 100'000) / 10.0; };
  const auto position = [&] { return PerAxis<double>{metres(), metres(), metres()}; };
  Gather gather{.field = *rc::gen::elementOf(std::vector<std::string>{"p", "vx", "sxy"}),
                .shot = *rc::gen::inRange(1, 100'000),
                .source = position(),
                .start = *rc::gen::inRange(-2'000'000, 2'000'000) * 1e-6,
                .interval = *rc::gen::inRange(1'000'000, 60'000'000) * 1e-9,
                .samples = *rc::gen::inRange(1, 40)};
  gather.receivers.resize(*rc::gen::inRange<std::size_t>(1, 8));
  for (auto& receiver : gather.receivers) receiver = position();
  gather.values.resize(gather.receivers.size() * static_cast<std::size_t>(gather.samples));
  for (double& value : gather.values) value = static_cast<float>(*rc::gen::inRange(-1'000'000, 1'000'000)) * 1e-3F;
  return gather;
}

/// With more than one cell along each axis, so that positions tell the spacing.
inline Cube random_cube() {
  const auto cells = [] { return *rc::gen::inRange<std::int64_t>(2, 7); };
  const auto metres = [] { return *rc::gen::inRange(1, 600) / 10.0; };
  Cube cube{.name = *rc::gen::elementOf(std::vector<std::string>{"vp", "p"}),
            .extent = {cells(), cells(), cells()},
            .spacing = {metres(), metres(), metres()}};
  cube.values.resize(static_cast<std::size_t>(cells_of(cube.extent)));
  for (float& value : cube.values) value = static_cast<float>(*rc::gen::inRange(-1'000'000, 1'000'000)) * 1e-3F;
  return cube;
}

}  // namespace muster::seismic

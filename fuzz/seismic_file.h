// What a fuzz target of a format does with bytes: read them as a gather and as a cube. What is read can be written and read again.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "app/seismic/file/byte_sink.h"
#include "app/seismic/file/codec.h"
#include "base/error.h"

namespace muster::seismic {

/// Any bytes are a gather, or are refused with an InputError; a gather that fits the format comes back from it.
inline void fuzz_gather(const Codec& codec, std::span<const std::byte> bytes) {
  try {
    const Gather gather = codec.read_gather(MemorySource("input", bytes), {});
    if (gather.values.size() != gather.receivers.size() * static_cast<std::size_t>(gather.samples)) std::abort();
    if (!(gather.interval >= 0)) std::abort();
    MemorySink sink;
    (void)codec.file_bytes(gather, Precision::f32, "output");
    codec.write(gather, Precision::f32, sink, "output");
    const Gather again = codec.read_gather(MemorySource("output", sink.bytes), {});
    if (again.shot != gather.shot || again.values.size() != gather.values.size()) std::abort();
    for (std::size_t i = 0; i < gather.values.size(); ++i) {
      if (again.values[i] != static_cast<float>(gather.values[i])) std::abort();
    }
  } catch (const InputError&) {  // a refusal is an answer; anything else is a crash
  }
}

/// Any bytes are a cube with as many rows as it says, or are refused.
inline void fuzz_cube(const Codec& codec, std::span<const std::byte> bytes) {
  try {
    (void)codec.holds_cube(MemorySource("input", bytes));
    std::int64_t expected = 0;
    std::int64_t rows = 0;
    codec.read_cube(MemorySource("input", bytes), {}, [&](const CubeInfo& info) -> VisitRow {
      expected = info.extent.x * info.extent.y;
      for (const Axis axis : kAxes) {
        if (!(info.spacing[axis] >= 0)) std::abort();
      }
      return [&, length = info.extent.z](std::int64_t /*x*/, std::int64_t /*y*/, std::span<const double> values) {
        ++rows;
        if (static_cast<std::int64_t>(values.size()) != length || !std::isfinite(values[0])) std::abort();
      };
    });
    if (rows != expected) std::abort();
  } catch (const InputError&) {
  }
}

inline void fuzz_format(const Codec& codec, const std::uint8_t* data, std::size_t size) {
  const std::span<const std::byte> bytes = std::as_bytes(std::span(data, size));
  fuzz_gather(codec, bytes);
  fuzz_cube(codec, bytes);
}

}  // namespace muster::seismic

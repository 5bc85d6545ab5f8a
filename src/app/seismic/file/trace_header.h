// The 240 bytes before a trace in SEG-Y and SU files. Both have the same words up to byte 180; behind it SEG-Y (rev 1) has the numbers
// of inline and crossline, and SU sampling as floats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "app/seismic/axis.h"
#include "app/seismic/file/bytes.h"

namespace muster::seismic {

inline constexpr std::int64_t kTraceHeaderBytes = 240;

enum class TraceFlavour : unsigned char { segy, su };

inline constexpr std::int16_t kTimeTrace = 1;    // seismic data
inline constexpr std::int16_t kDepthTrace = 30;  // SU: depth-range (z-x) traces

/// Powers of ten by which positions are multiplied to become whole numbers.
struct PositionScale {
  int horizontal = 1;
  int vertical = 1;
};

struct TraceHeader {
  std::int32_t number = 0;  ///< of the trace in the file, from 1
  std::int32_t shot = 0;    ///< field record number
  std::int16_t identification = kTimeTrace;
  std::int32_t offset = 0;  ///< from the source to the receiver, in metres
  PerAxis<double> source;   ///< in metres, z down
  PerAxis<double> receiver;
  PositionScale scale;
  double delay = 0;           ///< time of the first sample, in ms
  std::uint16_t samples = 0;  ///< 0: not said
  std::uint16_t interval = 0;
  // Of cubes: SEG-Y's inline and crossline, SU's field record and ensemble number.
  std::int32_t line = 0;
  std::int32_t column = 0;
  PerAxis<double> cell;  ///< in metres, without depth; SU has no other word for it than the receiver's
  // Only in SU: first sample and interval, along the trace and across it.
  float d1 = 0;
  float f1 = 0;
  float d2 = 0;
};

void encode_trace_header(const TraceHeader& header, TraceFlavour flavour, ByteOrder order, std::span<std::byte> bytes);
TraceHeader decode_trace_header(TraceFlavour flavour, ByteOrder order, std::span<const std::byte> bytes);

/// The largest position, in metres, that whole numbers of metres in 32 bits hold.
inline constexpr double kMostMetres = 2147483647;

/// The least power of ten, up to 10000, that makes all values whole numbers; the largest that keeps them in 32 bits if none does.
int position_scale(std::span<const double> metres);

}  // namespace muster::seismic

// What SEG-Y and SU have in common: traces of the same length, each behind its header.
#pragma once

#include <cstdint>

#include "app/seismic/file/byte_sink.h"
#include "app/seismic/file/byte_source.h"
#include "app/seismic/file/format.h"
#include "app/seismic/file/gather.h"
#include "app/seismic/file/samples.h"
#include "app/seismic/file/trace_header.h"

namespace muster::seismic {

inline constexpr std::int64_t kMostTraceSamples = 65535;  // 16 bits

struct TraceFile {
  const ByteSource& source;
  TraceFlavour flavour = TraceFlavour::segy;
  std::int64_t offset = 0;   ///< of the first trace
  std::int64_t samples = 0;  ///< of each trace
  ByteOrder order = ByteOrder::big;
  SampleFormat format = SampleFormat::f32;

  [[nodiscard]] std::int64_t trace_bytes() const { return kTraceHeaderBytes + samples * bytes_of(format); }
  [[nodiscard]] std::int64_t traces() const { return (source.size() - offset) / trace_bytes(); }
};

/// Throws InputError if the file is not made of whole traces, at least one.
void check_size(const TraceFile& file);

TraceHeader header_of_trace(const TraceFile& file, std::int64_t trace);

/// All but field, interval and start, which the caller knows. Throws InputError if shots, sources or lengths differ, or a sample is
/// not finite.
Gather read_traces(const TraceFile& file);

/// The extent by the numbers of lines and columns, or by `expected` where the file has none. Throws InputError if there is
/// neither, or if they differ.
Extent cube_extent(const TraceFile& file, const Extent& expected);

/// In metres, across traces, by the positions of the first and the last one; 0 where there is one trace only.
PerAxis<double> cube_spacing(const TraceFile& file, const Extent& extent);

void visit_cube(const TraceFile& file, const Extent& extent, const VisitRow& visit);

/// Where traces are written.
struct TraceTarget {
  ByteSink& sink;
  TraceFlavour flavour = TraceFlavour::segy;
  ByteOrder order = ByteOrder::big;
};

/// Throws InputError, after `name`, if the gather or cube does not fit into traces with 16 bits for their length, 32 for their number
/// and positions in metres, or if `precision` is not f32.
void check_fits(const Gather& gather, Precision precision, const std::string& name);
void check_fits(const CubeInfo& cube, Precision precision, const std::string& name);

/// Its interval in microseconds; throws InputError, after `name`, if that is nothing for 16 bits.
std::uint16_t microseconds_of(const Gather& gather, const std::string& name);

/// f32. Throws InputError about a value that does not fit.
void write_traces(const Gather& gather, const TraceTarget& target, const std::string& name);
void write_traces(const CubeInfo& cube, const FillRow& fill, const TraceTarget& target, const std::string& name);

std::int64_t trace_file_bytes(std::int64_t traces, std::int64_t samples);

}  // namespace muster::seismic

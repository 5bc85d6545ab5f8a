#include "app/seismic/file/trace_file.h"

#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <vector>

#include "base/error.h"

namespace muster::seismic {
namespace {

/// Visits headers and samples, which are decoded and finite.
void for_each_trace(const TraceFile& file,
                    const std::function<void(std::int64_t, const TraceHeader&, std::span<const double>)>& visit) {
  std::vector<double> values(static_cast<std::size_t>(file.samples));
  const Records records{.offset = file.offset, .bytes = file.trace_bytes(), .count = file.traces()};
  for_each_record(file.source, records, [&](std::int64_t trace, std::span<const std::byte> bytes) {
    const TraceHeader header = decode_trace_header(file.flavour, file.order, bytes.first(kTraceHeaderBytes));
    // Lengths beyond 16 bits are in the header of the file only.
    if (header.samples != 0 && file.samples <= kMostTraceSamples && header.samples != file.samples) {
      reject("{}: trace {} has {} samples, and the others {}; traces must have one length", file.source.name(),
             trace + 1, header.samples, file.samples);
    }
    decode(bytes.subspan(kTraceHeaderBytes), file.format, file.order, values);
    if (const std::int64_t bad = first_not_finite(values); bad >= 0) {
      reject("{}: sample {} of trace {} is {}; samples must be finite", file.source.name(), bad + 1, trace + 1,
             values[static_cast<std::size_t>(bad)]);
    }
    visit(trace, header, values);
  });
}

/// The extent that lines and columns of the first and the last trace span, if it has as many traces as the file.
std::optional<Extent> numbered_extent(const TraceFile& file) {
  const TraceHeader first = header_of_trace(file, 0);
  const TraceHeader last = header_of_trace(file, file.traces() - 1);
  const std::int64_t lines = std::int64_t{last.line} - first.line + 1;
  const std::int64_t columns = std::int64_t{last.column} - first.column + 1;
  if (lines < 1 || columns < 1 || file.traces() % lines != 0 || file.traces() / lines != columns) return std::nullopt;
  return Extent{lines, columns, file.samples};
}

}  // namespace

void check_size(const TraceFile& file) {
  const std::int64_t left = file.source.size() - file.offset;
  if (left < file.trace_bytes() || left % file.trace_bytes() != 0) {
    reject("{}: has {} bytes of traces, which is no multiple of a trace of {} samples ({} bytes); is it complete?",
           file.source.name(), left, file.samples, file.trace_bytes());
  }
}

TraceHeader header_of_trace(const TraceFile& file, std::int64_t trace) {
  std::array<std::byte, kTraceHeaderBytes> bytes{};
  file.source.read(file.offset + trace * file.trace_bytes(), bytes);
  return decode_trace_header(file.flavour, file.order, bytes);
}

Gather read_traces(const TraceFile& file) {
  Gather gather;
  gather.samples = file.samples;
  gather.values.reserve(static_cast<std::size_t>(file.traces() * file.samples));
  for_each_trace(file, [&](std::int64_t trace, const TraceHeader& header, std::span<const double> values) {
    if (trace == 0) {
      gather.shot = header.shot;
      gather.source = header.source;
    }
    if (header.shot != gather.shot || header.source != gather.source) {
      reject(
          "{}: trace {} is of shot {} at {} m, {} m, {} m, and trace 1 of shot {} at {} m, {} m, {} m; a gather has "
          "one shot",
          file.source.name(), trace + 1, header.shot, header.source.x, header.source.y, header.source.z, gather.shot,
          gather.source.x, gather.source.y, gather.source.z);
    }
    gather.receivers.push_back(header.receiver);
    gather.values.insert(gather.values.end(), values.begin(), values.end());
  });
  return gather;
}

Extent cube_extent(const TraceFile& file, const Extent& expected) {
  const bool is_expected = expected != Extent{};
  const std::optional<Extent> numbered = numbered_extent(file);
  if (numbered && is_expected && *numbered != expected) {
    reject("{}: has {}x{}x{} cells, but {}x{}x{} are expected", file.source.name(), numbered->x, numbered->y,
           numbered->z, expected.x, expected.y, expected.z);
  }
  if (numbered) return *numbered;
  if (!is_expected) {
    reject("{}: its {} traces have no numbers of lines and columns that form a grid; say the grid, e.g. 240x240x240",
           file.source.name(), file.traces());
  }
  if (file.samples != expected.z || expected.y == 0 || file.traces() % expected.y != 0 ||
      file.traces() / expected.y != expected.x) {
    reject("{}: has {} traces of {} samples, but {}x{} traces of {} are expected", file.source.name(), file.traces(),
           file.samples, expected.x, expected.y, expected.z);
  }
  return expected;
}

PerAxis<double> cube_spacing(const TraceFile& file, const Extent& extent) {
  const TraceHeader first = header_of_trace(file, 0);
  const TraceHeader last = header_of_trace(file, file.traces() - 1);
  const auto between = [](double from, double to, std::int64_t count) {
    return count > 1 ? std::abs(to - from) / static_cast<double>(count - 1) : 0;
  };
  return {between(first.cell.x, last.cell.x, extent.x), between(first.cell.y, last.cell.y, extent.y), 0};
}

void visit_cube(const TraceFile& file, const Extent& extent, const VisitRow& visit) {
  const std::optional<Extent> numbered = numbered_extent(file);
  const TraceHeader first = header_of_trace(file, 0);
  for_each_trace(file, [&](std::int64_t trace, const TraceHeader& header, std::span<const double> values) {
    const std::int64_t x = trace / extent.y;
    const std::int64_t y = trace % extent.y;
    if (numbered && (header.line != first.line + x || header.column != first.column + y)) {
      reject("{}: trace {} is of line {} and column {}, not {} and {}; traces must be sorted by line, then by column",
             file.source.name(), trace + 1, header.line, header.column, first.line + x, first.column + y);
    }
    visit(x, y, values);
  });
}

}  // namespace muster::seismic

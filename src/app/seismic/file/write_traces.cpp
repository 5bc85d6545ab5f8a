// Writing traces behind their headers.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "app/seismic/file/trace_file.h"
#include "base/error.h"

namespace muster::seismic {
namespace {

constexpr std::int64_t kMostTraces = INT32_MAX;

/// Remedies name formats that have no such limits.
void check_traces(std::int64_t samples, std::int64_t traces, Precision precision, const std::string& name) {
  if (precision != Precision::f32) reject("{}: its format holds f32 only; use rsf or raw for f64", name);
  if (samples < 1 || traces < 1) reject("{}: {} traces of {} samples are nothing to write", name, traces, samples);
  if (samples > kMostTraceSamples) {
    reject("{}: {} samples are more than the {} that a trace of its format has; use rsf or raw", name, samples,
           kMostTraceSamples);
  }
  if (traces > kMostTraces) {
    reject("{}: {} traces are more than the {} that its format numbers; use rsf or raw", name, traces, kMostTraces);
  }
}

void check_position(const PerAxis<double>& position, const std::string& name) {
  for (const Axis axis : kAxes) {
    if (!(std::abs(position[axis]) <= kMostMetres)) {
      reject("{}: a position of {} m does not fit into its format; use rsf", name, position[axis]);
    }
  }
}

PositionScale scale_of(const Gather& gather) {
  std::vector<double> horizontal{gather.source.x, gather.source.y};
  std::vector<double> vertical{gather.source.z};
  for (const PerAxis<double>& receiver : gather.receivers) {
    horizontal.insert(horizontal.end(), {receiver.x, receiver.y});
    vertical.push_back(receiver.z);
  }
  return {.horizontal = position_scale(horizontal), .vertical = position_scale(vertical)};
}

/// Within what its bits hold.
template <class Integer>
Integer bounded(double value) {
  return static_cast<Integer>(std::llround(std::clamp(value, static_cast<double>(std::numeric_limits<Integer>::min()),
                                                      static_cast<double>(std::numeric_limits<Integer>::max()))));
}

/// Where 16 bits do not hold it, the header leaves it open.
std::uint16_t millimetres_of(double metres) {
  const double millimetres = std::round(metres * 1e3);
  return millimetres >= 1 && millimetres <= 65535 ? static_cast<std::uint16_t>(millimetres) : 0;
}

class TraceWriter {
 public:
  TraceWriter(const TraceTarget& target, std::int64_t samples, const std::string& name)
      : target_(target), name_(name), bytes_(static_cast<std::size_t>(kTraceHeaderBytes + samples * 4)) {}

  void write(const TraceHeader& header, std::span<const double> values) {
    const std::span<std::byte> bytes = bytes_;
    encode_trace_header(header, target_.flavour, target_.order, bytes.first(kTraceHeaderBytes));
    const std::int64_t bad = encode(values, SampleFormat::f32, target_.order, bytes.subspan(kTraceHeaderBytes));
    if (bad >= 0) {
      reject("{}: sample {} of trace {} is {}, which f32 does not hold", name_, bad + 1, header.number,
             values[static_cast<std::size_t>(bad)]);
    }
    target_.sink.write(bytes_);
  }

 private:
  TraceTarget target_;
  const std::string& name_;
  std::vector<std::byte> bytes_;
};

}  // namespace

void check_fits(const Gather& gather, Precision precision, const std::string& name) {
  check_traces(gather.samples, static_cast<std::int64_t>(gather.receivers.size()), precision, name);
  if (gather.shot < INT32_MIN || gather.shot > INT32_MAX) {
    reject("{}: shot {} does not fit into its format; use rsf", name, gather.shot);
  }
  check_position(gather.source, name);
  for (const PerAxis<double>& receiver : gather.receivers) check_position(receiver, name);
}

void check_fits(const CubeInfo& cube, Precision precision, const std::string& name) {
  check_traces(cube.extent.z, cube.extent.x * cube.extent.y, precision, name);
  check_position(
      {cube.spacing.x * static_cast<double>(cube.extent.x), cube.spacing.y * static_cast<double>(cube.extent.y),
       cube.spacing.z * static_cast<double>(cube.extent.z)},
      name);
}

std::uint16_t microseconds_of(const Gather& gather, const std::string& name) {
  const double microseconds = std::round(gather.interval * 1e6);
  if (!(microseconds >= 1 && microseconds <= 65535)) {
    reject("{}: an interval of {} s is not 1 to 65535 us, as its format needs; use rsf or raw", name, gather.interval);
  }
  return static_cast<std::uint16_t>(microseconds);
}

void write_traces(const Gather& gather, const TraceTarget& target, const std::string& name) {
  TraceHeader header{.shot = static_cast<std::int32_t>(gather.shot),
                     .source = gather.source,
                     .scale = scale_of(gather),
                     .delay = static_cast<double>(bounded<std::int16_t>(gather.start * 1e3)),
                     .samples = static_cast<std::uint16_t>(gather.samples),
                     .interval = microseconds_of(gather, name),
                     .d1 = static_cast<float>(gather.interval),
                     .f1 = static_cast<float>(gather.start)};
  TraceWriter writer(target, gather.samples, name);
  for (std::size_t i = 0; i < gather.receivers.size(); ++i) {
    header.number = static_cast<std::int32_t>(i + 1);
    header.receiver = gather.receivers[i];
    header.offset =
        bounded<std::int32_t>(std::hypot(header.receiver.x - gather.source.x, header.receiver.y - gather.source.y));
    writer.write(header, gather.trace(i));
  }
}

void write_traces(const CubeInfo& cube, const FillRow& fill, const TraceTarget& target, const std::string& name) {
  const auto& [nx, ny, nz] = cube.extent;
  const PerAxis<double>& h = cube.spacing;
  const std::array<double, 4> positions{h.x, h.y, h.x * static_cast<double>(nx), h.y * static_cast<double>(ny)};
  TraceHeader header{.identification = target.flavour == TraceFlavour::su ? kDepthTrace : kTimeTrace,
                     .scale = {.horizontal = position_scale(positions)},
                     .samples = static_cast<std::uint16_t>(nz),
                     .interval = millimetres_of(h.z),
                     .d1 = static_cast<float>(h.z),
                     .d2 = static_cast<float>(h.y)};
  TraceWriter writer(target, nz, name);
  std::vector<double> row(static_cast<std::size_t>(nz));
  for (std::int64_t x = 0; x < nx; ++x) {
    for (std::int64_t y = 0; y < ny; ++y) {
      header.number = static_cast<std::int32_t>(x * ny + y + 1);
      header.line = static_cast<std::int32_t>(x + 1);
      header.column = static_cast<std::int32_t>(y + 1);
      header.cell = {static_cast<double>(x) * h.x, static_cast<double>(y) * h.y, 0};
      header.receiver = header.cell;
      fill(x, y, row);
      writer.write(header, row);
    }
  }
}

std::int64_t trace_file_bytes(std::int64_t traces, std::int64_t samples) {
  return traces * (kTraceHeaderBytes + 4 * samples);
}

}  // namespace muster::seismic

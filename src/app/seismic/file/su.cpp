// Seismic Unix: traces behind their headers and nothing else, in the order of bytes of the machine that wrote them.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/seismic/file/codec.h"
#include "app/seismic/file/trace_file.h"
#include "base/error.h"

namespace muster::seismic {
namespace {

/// In the order of bytes in which the file is made of whole traces: this machine's, if both would do.
TraceFile read_layout(const ByteSource& source) {
  TraceFile file{.source = source, .flavour = TraceFlavour::su, .order = ByteOrder::little};
  const std::int64_t samples = header_of_trace(file, 0).samples;
  for (const ByteOrder order : {ByteOrder::little, ByteOrder::big}) {
    file.order = order;
    file.samples = header_of_trace(file, 0).samples;
    if (file.samples > 0 && source.size() % file.trace_bytes() == 0) return file;
  }
  file.order = ByteOrder::little;
  file.samples = samples;
  if (samples == 0) reject("{}: does not say how many samples a trace has (byte 114)", source.name());
  check_size(file);
  return file;
}

/// A float that says more exactly what a whole number says; the whole number if they differ.
double exact(float precise, double unit, double rounded) {
  const double decimal = std::isfinite(precise) ? decimal_of(precise) : 0;
  return std::abs(decimal / unit - rounded) <= 0.501 ? decimal : rounded * unit;
}

double non_negative(float value) { return std::isfinite(value) && value > 0 ? decimal_of(value) : 0; }

class SuCodec : public Codec {
 public:
  [[nodiscard]] bool holds_cube(const ByteSource& source) const override {
    return header_of_trace(read_layout(source), 0).identification == kDepthTrace;
  }

  [[nodiscard]] Gather read_gather(const ByteSource& source, const ReadOptions& /*options*/) const override {
    const TraceFile file = read_layout(source);
    const TraceHeader first = header_of_trace(file, 0);
    Gather gather = read_traces(file);
    gather.interval = std::max(0.0, exact(first.d1, 1e-6, first.interval));
    gather.start = exact(first.f1, 1e-3, first.delay);
    return gather;
  }

  void read_cube(const ByteSource& source, const ReadOptions& options, const BeginCube& begin) const override {
    const TraceFile file = read_layout(source);
    const TraceHeader first = header_of_trace(file, 0);
    const Extent extent = cube_extent(file, options.extent);
    PerAxis<double> spacing = cube_spacing(file, extent);
    spacing.y = non_negative(first.d2);
    spacing.z = non_negative(first.d1);
    visit_cube(file, extent, begin({.extent = extent, .spacing = spacing}));
  }

  [[nodiscard]] std::int64_t file_bytes(const Gather& gather, Precision precision,
                                        const std::string& name) const override {
    check_fits(gather, precision, name);
    (void)microseconds_of(gather, name);
    return trace_file_bytes(static_cast<std::int64_t>(gather.receivers.size()), gather.samples);
  }

  [[nodiscard]] std::int64_t file_bytes(const CubeInfo& cube, Precision precision,
                                        const std::string& name) const override {
    check_fits(cube, precision, name);
    return trace_file_bytes(cube.extent.x * cube.extent.y, cube.extent.z);
  }

  void write(const Gather& gather, Precision /*precision*/, ByteSink& sink, const std::string& name) const override {
    write_traces(gather, target(sink), name);
  }

  void write(const CubeInfo& cube, const FillRow& fill, Precision /*precision*/, ByteSink& sink,
             const std::string& name) const override {
    write_traces(cube, fill, target(sink), name);
  }

 private:
  static TraceTarget target(ByteSink& sink) {
    return {.sink = sink, .flavour = TraceFlavour::su, .order = ByteOrder::little};
  }
};

}  // namespace

const Codec& su_codec() {
  static const SuCodec kCodec;
  return kCodec;
}

}  // namespace muster::seismic

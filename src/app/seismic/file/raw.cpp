// Raw files: little-endian numbers and nothing else.
#include <array>

#include "app/seismic/file/codec.h"
#include "app/seismic/file/rows.h"
#include "base/error.h"

namespace muster::seismic {
namespace {

class RawCodec : public Codec {
 public:
  [[nodiscard]] bool holds_cube(const ByteSource& source) const override {
    reject("{}: a raw file does not say what it holds; say the grid of a cube or the samples of a gather's traces",
           source.name());
  }

  [[nodiscard]] Gather read_gather(const ByteSource& source, const ReadOptions& options) const override {
    if (options.samples < 1) {
      reject("{}: a raw file does not say how many samples a trace has; say it", source.name());
    }
    const std::int64_t bytes = bytes_of(options.precision);
    const std::int64_t all = source.size() / bytes;
    if (all == 0 || source.size() % bytes != 0 || all % options.samples != 0) {
      reject("{}: has {} bytes, which is no multiple of a trace of {} samples of {} bytes", source.name(),
             source.size(), options.samples, bytes);
    }
    const Rows rows{.length = options.samples, .count = all / options.samples};
    Gather gather{.interval = options.interval, .samples = options.samples};
    gather.receivers.resize(static_cast<std::size_t>(rows.count));
    gather.values.reserve(static_cast<std::size_t>(all));
    read_rows(source, 0, rows, {.format = sample_format_of(options.precision)},
              [&](std::int64_t /*row*/, std::span<const double> values) {
                gather.values.insert(gather.values.end(), values.begin(), values.end());
              });
    return gather;
  }

  void read_cube(const ByteSource& source, const ReadOptions& options, const BeginCube& begin) const override {
    const Extent& extent = options.extent;
    if (extent.x < 1 || extent.y < 1 || extent.z < 1) {
      reject("{}: a raw file does not say its grid; say it, e.g. 240x240x240", source.name());
    }
    const std::array sizes{extent.x, extent.y, extent.z, bytes_of(options.precision)};
    if (bounded_product(sizes, source.size()) != source.size()) {
      reject("{}: has {} bytes, but {}x{}x{} cells of {} bytes need {:.0f}", source.name(), source.size(), extent.x,
             extent.y, extent.z, sizes[3],
             static_cast<double>(extent.x) * static_cast<double>(extent.y) * static_cast<double>(extent.z) *
                 static_cast<double>(sizes[3]));
    }
    const VisitRow visit = begin({.extent = extent});
    read_rows(source, 0, rows_of(extent), {.format = sample_format_of(options.precision)},
              [&](std::int64_t row, std::span<const double> values) { visit(row / extent.y, row % extent.y, values); });
  }

  [[nodiscard]] std::int64_t file_bytes(const Gather& gather, Precision precision,
                                        const std::string& /*name*/) const override {
    return static_cast<std::int64_t>(gather.receivers.size()) * gather.samples * bytes_of(precision);
  }

  [[nodiscard]] std::int64_t file_bytes(const CubeInfo& cube, Precision precision,
                                        const std::string& /*name*/) const override {
    return cells_of(cube.extent) * bytes_of(precision);
  }

  void write(const Gather& gather, Precision precision, ByteSink& sink, const std::string& name) const override {
    const Rows rows{.length = gather.samples, .count = static_cast<std::int64_t>(gather.receivers.size())};
    RowWriter writer(rows, sample_format_of(precision), sink, name);
    for (std::size_t i = 0; i < gather.receivers.size(); ++i) writer.write(gather.trace(i));
  }

  void write(const CubeInfo& cube, const FillRow& fill, Precision precision, ByteSink& sink,
             const std::string& name) const override {
    RowWriter writer(rows_of(cube.extent), sample_format_of(precision), sink, name);
    write_cube_rows(cube.extent, fill, writer);
  }
};

}  // namespace

const Codec& raw_codec() {
  static const RawCodec kCodec;
  return kCodec;
}

}  // namespace muster::seismic

// RSF, Madagascar's format: a text, and data behind it or in a file that it names. What we write is one file.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "app/seismic/file/codec.h"
#include "app/seismic/file/rows.h"
#include "app/seismic/file/rsf_header.h"
#include "base/error.h"
#include "base/one_line.h"

namespace muster::seismic {
namespace {

constexpr std::string_view kBehindSamples = "behind_samples";
constexpr std::int64_t kPositionBytes = 3 * sizeof(double);

struct DataFormat {
  std::string_view name;
  Coding coding;
};

constexpr std::array kDataFormats{DataFormat{"native_float", {SampleFormat::f32, ByteOrder::little}},
                                  DataFormat{"native_double", {SampleFormat::f64, ByteOrder::little}},
                                  DataFormat{"native_int", {SampleFormat::i32, ByteOrder::little}},
                                  DataFormat{"xdr_float", {SampleFormat::f32, ByteOrder::big}},
                                  DataFormat{"xdr_double", {SampleFormat::f64, ByteOrder::big}},
                                  DataFormat{"xdr_int", {SampleFormat::i32, ByteOrder::big}}};

/// The text, and where the numbers are.
class RsfFile {
 public:
  explicit RsfFile(const ByteSource& source) : header_(source), data_(&source), offset_(header_.data_offset()) {
    const std::string in = header_.text("in");
    if (in.empty()) reject("{}: does not say where its data are (in=...)", source.name());
    if (in != "stdin") {
      other_ = source.open_named(in);
      data_ = other_.get();
      offset_ = 0;
    } else if (offset_ < 0) {
      reject("{}: has no data behind its text, although it says in=\"stdin\"; is it complete?", source.name());
    }
    read_format();
  }

  [[nodiscard]] const RsfHeader& header() const { return header_; }
  [[nodiscard]] const std::string& name() const { return data_->name(); }
  /// Its numbers are text.
  [[nodiscard]] bool is_text() const { return is_text_; }

  /// For data that check_data() accepted.
  void visit(const Rows& rows, const VisitValues& visit) const {
    if (is_text_) {
      visit_text(rows, visit);
    } else {
      read_rows(*data_, offset_, rows, coding_, visit);
    }
  }

  /// Throws InputError if the numbers of `sizes`, and `bytes_behind` them, are not all of the data.
  void check_data(std::span<const std::int64_t> sizes, std::int64_t bytes_behind) const {
    const std::int64_t there = data_->size() - offset_;
    // A number of text takes two characters, the last one of them may lack its blank.
    const std::int64_t bytes = is_text_ ? 2 : bytes_of(coding_.format);
    const std::int64_t count = bounded_product(sizes, (there + 1) / bytes);
    if (count < 0 || (!is_text_ && count * bytes + bytes_behind != there)) {
      reject("{}: has {} bytes of data, which are not the {} numbers{} that its header states", name(), there,
             fmt::join(sizes, "x"), is_text_ ? " as text" : fmt::format(" of {} bytes", bytes));
    }
  }

  /// Positions behind the samples.
  [[nodiscard]] std::vector<PerAxis<double>> positions(std::int64_t count) const {
    std::vector<PerAxis<double>> positions;
    const std::int64_t offset = data_->size() - count * kPositionBytes;
    read_rows(*data_, offset, {.length = 3, .count = count}, {SampleFormat::f64, ByteOrder::little},
              [&](std::int64_t /*row*/, std::span<const double> xyz) {
                positions.push_back({xyz[0], xyz[1], xyz[2]});
              });
    return positions;
  }

 private:
  void read_format() {
    std::string format = header_.text("data_format");
    if (format.empty()) format = "native_float";
    is_text_ = format.starts_with("ascii_");
    if (is_text_) return;
    const auto* found = std::ranges::find(kDataFormats, format, &DataFormat::name);
    if (found == kDataFormats.end()) {
      reject("{}: has data_format={}; native, xdr and ascii ones of float, double and int are read", name(),
             one_line(format));
    }
    coding_ = found->coding;
    const std::int64_t bytes = bytes_of(coding_.format);
    if (header_.integer("esize", bytes, 0) != bytes) {
      reject("{}: has esize={}, but {} has {} bytes", name(), header_.text("esize"), format, bytes);
    }
  }

  void visit_text(const Rows& rows, const VisitValues& visit) const {
    std::string text(static_cast<std::size_t>(data_->size() - offset_), '\0');
    data_->read(offset_, std::as_writable_bytes(std::span(text)));
    const char* at = text.data();
    const char* const end = text.data() + text.size();
    std::vector<double> values(static_cast<std::size_t>(rows.length));
    for (std::int64_t row = 0; row < rows.count; ++row) {
      for (std::int64_t i = 0; i < rows.length; ++i) {
        at = std::find_if(at, end, [](char c) { return c != ' ' && c != '\n' && c != '\t' && c != '\r'; });
        const auto [next, error] = std::from_chars(at, end, values[static_cast<std::size_t>(i)]);
        if (error != std::errc{}) reject("{}: {} is no number, or not there", name(), rows.place(row, i));
        at = next;
      }
      check_finite(values, rows, row, name());
      visit(row, values);
    }
  }

  RsfHeader header_;
  const ByteSource* data_;
  std::unique_ptr<ByteSource> other_;
  std::int64_t offset_;
  Coding coding_;
  bool is_text_ = false;
};

std::string number_line(std::string_view key, double value) { return fmt::format("{}={}\n", key, value); }

std::string opening(std::string_view what, const std::string& field, Precision precision) {
  return fmt::format(
      "# seismic {} written by Muster\nin=\"stdin\"\ndata_format={}\nesize={}\ncontent=\"{}\"\nfield={}\n", what,
      precision == Precision::f64 ? "\"native_double\"" : "\"native_float\"", bytes_of(precision), what,
      rsf_quoted(field));
}

std::string text_of(const Gather& gather, Precision precision) {
  std::string text = opening("gather", gather.field, precision);
  text += fmt::format("n1={}\nlabel1=\"Time\"\nunit1=\"s\"\n", gather.samples);
  text += number_line("d1", gather.interval) + number_line("o1", gather.start);
  text += fmt::format("n2={}\nd2=1\no2=1\nlabel2=\"Trace\"\nshot={}\n", gather.receivers.size(), gather.shot);
  text += number_line("source_x", gather.source.x) + number_line("source_y", gather.source.y) +
          number_line("source_z", gather.source.z);
  return text + fmt::format("receivers=\"{}\"\n{}", kBehindSamples, kRsfMark);
}

std::string text_of(const CubeInfo& cube, Precision precision) {
  std::string text = opening("cube", cube.name, precision);
  constexpr std::array kLabels{"Z (depth)", "Y", "X"};
  constexpr std::array kFastestFirst{Axis::z, Axis::y, Axis::x};
  for (std::size_t i = 0; i < 3; ++i) {
    const Axis axis = kFastestFirst[i];
    text += fmt::format("n{0}={1}\nd{0}={2}\no{0}=0\nlabel{0}=\"{3}\"\nunit{0}=\"m\"\n", i + 1, cube.extent[axis],
                        cube.spacing[axis], kLabels[i]);
  }
  return text + std::string(kRsfMark);
}

void write_text(const std::string& text, ByteSink& sink) { sink.write(std::as_bytes(std::span(text))); }

/// Axes without a third dimension, and behind it.
Extent extent_of(std::vector<std::int64_t> sizes, const std::string& name) {
  sizes.resize(std::max<std::size_t>(sizes.size(), 3), 1);
  if (std::any_of(sizes.begin() + 3, sizes.end(), [](std::int64_t size) { return size != 1; })) {
    reject("{}: has {} axes ({}); a cube has three", name, sizes.size(), fmt::join(sizes, "x"));
  }
  return {sizes[2], sizes[1], sizes[0]};
}

class RsfCodec : public Codec {
 public:
  [[nodiscard]] bool holds_cube(const ByteSource& source) const override {
    const RsfHeader header(source);
    const std::string content = header.text("content");
    if (content == "gather" || content == "cube") return content == "cube";
    const std::string label = header.text("label1");
    return header.text("unit1") != "s" && label != "Time" && label != "time" && label != "t";
  }

  [[nodiscard]] Gather read_gather(const ByteSource& source, const ReadOptions& /*options*/) const override {
    const RsfFile file(source);
    const RsfHeader& header = file.header();
    const std::vector<std::int64_t> sizes = header.sizes();
    const std::int64_t traces = bounded_product(std::span(sizes).subspan(1), INT32_MAX);
    if (traces < 0) reject("{}: has more traces than are read, {}", file.name(), INT32_MAX);
    const bool has_positions = !file.is_text() && header.text("receivers") == kBehindSamples;
    const std::int64_t bytes_behind = has_positions ? traces * kPositionBytes : 0;
    file.check_data(sizes, bytes_behind);
    Gather gather{.field = header.text("field"),
                  .shot = header.integer("shot", 1, INT64_MIN),
                  .source = {header.number("source_x"), header.number("source_y"), header.number("source_z")},
                  .start = header.number("o1"),
                  .interval = std::max(0.0, header.number("d1")),
                  .samples = sizes[0]};
    gather.values.reserve(static_cast<std::size_t>(sizes[0] * traces));
    file.visit({.length = sizes[0], .count = traces}, [&](std::int64_t /*row*/, std::span<const double> values) {
      gather.values.insert(gather.values.end(), values.begin(), values.end());
    });
    if (has_positions) gather.receivers = file.positions(traces);
    gather.receivers.resize(static_cast<std::size_t>(traces));
    return gather;
  }

  void read_cube(const ByteSource& source, const ReadOptions& options, const BeginCube& begin) const override {
    const RsfFile file(source);
    const RsfHeader& header = file.header();
    const Extent extent = extent_of(header.sizes(), source.name());
    if (options.extent != Extent{} && options.extent != extent) {
      reject("{}: has {}x{}x{} cells, but {}x{}x{} are expected", source.name(), extent.x, extent.y, extent.z,
             options.extent.x, options.extent.y, options.extent.z);
    }
    file.check_data(std::array{extent.z, extent.y, extent.x}, 0);
    const auto spacing_along = [&](const char* key) { return std::max(0.0, header.number(key)); };
    const PerAxis<double> spacing{spacing_along("d3"), spacing_along("d2"), spacing_along("d1")};
    const VisitRow visit = begin({.name = header.text("field"), .extent = extent, .spacing = spacing});
    file.visit(rows_of(extent), [&](std::int64_t row, std::span<const double> values) {
      visit(row / extent.y, row % extent.y, values);
    });
  }

  [[nodiscard]] std::int64_t file_bytes(const Gather& gather, Precision precision,
                                        const std::string& /*name*/) const override {
    return static_cast<std::int64_t>(text_of(gather, precision).size()) +
           static_cast<std::int64_t>(gather.receivers.size()) * (gather.samples * bytes_of(precision) + kPositionBytes);
  }

  [[nodiscard]] std::int64_t file_bytes(const CubeInfo& cube, Precision precision,
                                        const std::string& /*name*/) const override {
    return static_cast<std::int64_t>(text_of(cube, precision).size()) + cells_of(cube.extent) * bytes_of(precision);
  }

  void write(const Gather& gather, Precision precision, ByteSink& sink, const std::string& name) const override {
    write_text(text_of(gather, precision), sink);
    const auto traces = static_cast<std::int64_t>(gather.receivers.size());
    RowWriter samples({.length = gather.samples, .count = traces}, sample_format_of(precision), sink, name);
    for (std::size_t i = 0; i < gather.receivers.size(); ++i) samples.write(gather.trace(i));
    RowWriter positions({.length = 3, .count = traces}, SampleFormat::f64, sink, name);
    for (const PerAxis<double>& at : gather.receivers) positions.write(std::array{at.x, at.y, at.z});
  }

  void write(const CubeInfo& cube, const FillRow& fill, Precision precision, ByteSink& sink,
             const std::string& name) const override {
    write_text(text_of(cube, precision), sink);
    RowWriter writer(rows_of(cube.extent), sample_format_of(precision), sink, name);
    write_cube_rows(cube.extent, fill, writer);
  }
};

}  // namespace

const Codec& rsf_codec() {
  static const RsfCodec kCodec;
  return kCodec;
}

}  // namespace muster::seismic

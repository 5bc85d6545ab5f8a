// SEG-Y, rev 1: a text, a binary header of 400 bytes, and traces, all big-endian. Readers also take rev 2's wider words, and
// little-endian files.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

#include "app/seismic/file/codec.h"
#include "app/seismic/file/segy_text.h"
#include "app/seismic/file/trace_file.h"
#include "base/error.h"

namespace muster::seismic {
namespace {

constexpr std::int64_t kHeaderBytes = 3600;

// Offsets of words in the file, counted from 0.
constexpr std::size_t kTracesPerEnsemble = 3212;
constexpr std::size_t kInterval = 3216;
constexpr std::size_t kOriginalInterval = 3218;
constexpr std::size_t kSamples = 3220;
constexpr std::size_t kOriginalSamples = 3222;
constexpr std::size_t kFormat = 3224;
constexpr std::size_t kSorting = 3228;
constexpr std::size_t kUnits = 3254;
constexpr std::size_t kRevision = 3500;
constexpr std::size_t kFixedLength = 3502;
constexpr std::size_t kExtendedTexts = 3504;
// Rev 2.
constexpr std::size_t kWideSamples = 3268;
constexpr std::size_t kWideInterval = 3272;
constexpr std::size_t kOrderMark = 3296;
constexpr std::size_t kMoreTraceHeaders = 3506;

constexpr std::int16_t kIeeeFloat = 5;
constexpr std::int16_t kMetres = 1;
constexpr std::int16_t kCommonSource = 5;
constexpr std::int16_t kStacked = 4;
constexpr std::uint32_t kBigMark = 0x01020304;
constexpr std::uint32_t kLittleMark = 0x04030201;
constexpr std::int16_t kMostCode = 16;

// Keys of our text.
constexpr std::string_view kField = "FIELD ";
constexpr std::string_view kExactInterval = "SAMPLE INTERVAL IN SECONDS ";
constexpr std::string_view kExactStart = "FIRST SAMPLE AT SECOND ";
constexpr std::string_view kSpacing = "SPACING ALONG X Y Z IN METRES ";

struct Header {
  std::string text;
  ByteOrder order = ByteOrder::big;
  std::int16_t sorting = 0;
  double interval = 0;  ///< in microseconds; in cubes millimetres
};

std::optional<SampleFormat> sample_format(std::int16_t code) {
  switch (code) {
    case 1:
      return SampleFormat::ibm_f32;
    case 2:
      return SampleFormat::i32;
    case 3:
      return SampleFormat::i16;
    case 5:
      return SampleFormat::f32;
    case 6:
      return SampleFormat::f64;
    case 8:
      return SampleFormat::i8;
    default:
      return std::nullopt;
  }
}

/// By rev 2's mark, or else by the order in which the code of the sample format is one.
ByteOrder order_of(std::span<const std::byte> bytes) {
  const auto mark = load<std::uint32_t>(bytes, kOrderMark, ByteOrder::big);
  if (mark == kBigMark || mark == kLittleMark) return mark == kBigMark ? ByteOrder::big : ByteOrder::little;
  const auto code = load<std::int16_t>(bytes, kFormat, ByteOrder::little);
  return code >= 1 && code <= kMostCode ? ByteOrder::little : ByteOrder::big;
}

std::int64_t text_bytes(const ByteSource& source, std::span<const std::byte> bytes, ByteOrder order, bool is_wide) {
  const auto texts = load<std::int16_t>(bytes, kExtendedTexts, order);
  if (texts < 0) reject("{}: does not say how many extended texts it has; such SEG-Y is not read", source.name());
  if (is_wide && load<std::int32_t>(bytes, kMoreTraceHeaders, order) != 0) {
    reject("{}: has additional trace headers; such SEG-Y is not read", source.name());
  }
  return texts * static_cast<std::int64_t>(kSegyTextBytes);
}

/// The headers of the file, and where its traces are.
std::pair<Header, TraceFile> read_headers(const ByteSource& source) {
  std::vector<std::byte> bytes(kHeaderBytes);
  source.read(0, bytes);
  Header header{.text = decode_segy_text(std::span(bytes).first(kSegyTextBytes)), .order = order_of(bytes)};
  const ByteOrder order = header.order;
  header.sorting = load<std::int16_t>(bytes, kSorting, order);
  const auto code = load<std::int16_t>(bytes, kFormat, order);
  const std::optional<SampleFormat> format = sample_format(code);
  if (!format) {
    reject("{}: has sample format {} at byte {}; SEG-Y's formats 1, 2, 3, 5, 6 and 8 are read", source.name(), code,
           kFormat);
  }
  const bool is_wide = std::to_integer<int>(bytes[kRevision]) >= 2;
  TraceFile file{.source = source,
                 .offset = kHeaderBytes + text_bytes(source, bytes, order, is_wide),
                 .samples = load<std::uint16_t>(bytes, kSamples, order),
                 .order = order,
                 .format = *format};
  header.interval = load<std::uint16_t>(bytes, kInterval, order);
  if (is_wide && load<std::int32_t>(bytes, kWideSamples, order) > 0) {
    file.samples = load<std::int32_t>(bytes, kWideSamples, order);
  }
  if (const auto wide = load<double>(bytes, kWideInterval, order); is_wide && std::isfinite(wide) && wide > 0) {
    header.interval = wide;
  }
  if (file.samples == 0 || header.interval == 0) {
    const TraceHeader first = header_of_trace(file, 0);
    if (file.samples == 0) file.samples = first.samples;
    if (header.interval == 0) header.interval = first.interval;
  }
  if (file.samples == 0) reject("{}: does not say how many samples a trace has (byte {})", source.name(), kSamples);
  check_size(file);
  return {std::move(header), file};
}

/// Numbers of our text; none if there is anything else.
std::vector<double> numbers_of(const std::string& text) {
  std::vector<double> numbers;
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  while (at != end) {
    double number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc{} || !std::isfinite(number)) return {};
    numbers.push_back(number);
    at = next;
    while (at != end && *at == ' ') ++at;
  }
  return numbers;
}

/// The number that the text states, if it rounds to the one of the header; otherwise the latter.
double exact(const std::string& text, double unit, double rounded) {
  const std::vector<double> stated = numbers_of(text);
  if (stated.size() == 1 && std::abs(stated[0] / unit - rounded) <= 0.5) return stated[0];
  return rounded * unit;
}

PerAxis<double> spacing_of(const Header& header, const TraceFile& file, const Extent& extent) {
  const std::vector<double> stated = numbers_of(segy_text_value(header.text, kSpacing));
  if (stated.size() == 3 && std::ranges::all_of(stated, [](double value) { return value >= 0; })) {
    return {stated[0], stated[1], stated[2]};
  }
  PerAxis<double> spacing = cube_spacing(file, extent);
  spacing.z = header.interval / 1e3;
  return spacing;
}

struct BinaryHeader {
  std::int64_t traces = 0;  ///< of an ensemble
  std::uint16_t interval = 0;
  std::int64_t samples = 0;
  std::int16_t sorting = 0;
};

void write_headers(const std::vector<std::string>& lines, const BinaryHeader& header, ByteSink& sink) {
  std::vector<std::byte> bytes = encode_segy_text(lines);
  bytes.resize(kHeaderBytes);
  const auto put = [&](std::size_t offset, auto value) { store(std::span(bytes), offset, value, ByteOrder::big); };
  // 0 where 16 bits are too few, which is "not said".
  put(kTracesPerEnsemble, static_cast<std::int16_t>(header.traces <= INT16_MAX ? header.traces : 0));
  for (const std::size_t at : {kInterval, kOriginalInterval}) put(at, header.interval);
  for (const std::size_t at : {kSamples, kOriginalSamples}) put(at, static_cast<std::uint16_t>(header.samples));
  put(kFormat, kIeeeFloat);
  put(kSorting, header.sorting);
  put(kUnits, kMetres);
  put(kRevision, std::uint16_t{0x0100});
  put(kFixedLength, std::int16_t{1});
  sink.write(bytes);
}

class SegyCodec : public Codec {
 public:
  [[nodiscard]] bool holds_cube(const ByteSource& source) const override {
    const auto [header, file] = read_headers(source);
    return header.sorting == kStacked || (header.sorting != kCommonSource && header_of_trace(file, 0).line != 0);
  }

  [[nodiscard]] Gather read_gather(const ByteSource& source, const ReadOptions& /*options*/) const override {
    const auto [header, file] = read_headers(source);
    Gather gather = read_traces(file);
    gather.field = segy_text_value(header.text, kField);
    gather.interval = std::max(0.0, exact(segy_text_value(header.text, kExactInterval), 1e-6, header.interval));
    gather.start = exact(segy_text_value(header.text, kExactStart), 1e-3, header_of_trace(file, 0).delay);
    return gather;
  }

  void read_cube(const ByteSource& source, const ReadOptions& options, const BeginCube& begin) const override {
    const auto [header, file] = read_headers(source);
    const Extent extent = cube_extent(file, options.extent);
    const VisitRow visit = begin(
        {.name = segy_text_value(header.text, kField), .extent = extent, .spacing = spacing_of(header, file, extent)});
    visit_cube(file, extent, visit);
  }

  [[nodiscard]] std::int64_t file_bytes(const Gather& gather, Precision precision,
                                        const std::string& name) const override {
    check_fits(gather, precision, name);
    (void)microseconds_of(gather, name);
    return kHeaderBytes + trace_file_bytes(static_cast<std::int64_t>(gather.receivers.size()), gather.samples);
  }

  [[nodiscard]] std::int64_t file_bytes(const CubeInfo& cube, Precision precision,
                                        const std::string& name) const override {
    check_fits(cube, precision, name);
    return kHeaderBytes + trace_file_bytes(cube.extent.x * cube.extent.y, cube.extent.z);
  }

  void write(const Gather& gather, Precision /*precision*/, ByteSink& sink, const std::string& name) const override {
    const std::vector<std::string> lines{
        "SHOT GATHER WRITTEN BY MUSTER",
        fmt::format("{}{}", kField, gather.field),
        fmt::format("SHOT {}", gather.shot),
        fmt::format("{} TRACES OF {} SAMPLES, IEEE FLOAT", gather.receivers.size(), gather.samples),
        fmt::format("{}{}", kExactInterval, gather.interval),
        fmt::format("{}{}", kExactStart, gather.start),
        "POSITIONS IN METRES, Z IS DEPTH:",
        "  SOURCE X 73-76, Y 77-80, Z 49-52; RECEIVER X 81-84, Y 85-88, -Z 41-44",
        "  TO BE DIVIDED BY -(71-72) FOR X AND Y, BY -(69-70) FOR Z, WHERE NEGATIVE"};
    write_headers(lines,
                  {.traces = static_cast<std::int64_t>(gather.receivers.size()),
                   .interval = microseconds_of(gather, name),
                   .samples = gather.samples,
                   .sorting = kCommonSource},
                  sink);
    write_traces(gather, {.sink = sink}, name);
  }

  void write(const CubeInfo& cube, const FillRow& fill, Precision /*precision*/, ByteSink& sink,
             const std::string& name) const override {
    const auto& [x, y, z] = cube.extent;
    const std::vector<std::string> lines{
        "CUBE OF VALUES WRITTEN BY MUSTER",
        fmt::format("{}{}", kField, cube.name),
        fmt::format("{} X {} X {} CELLS ALONG X, Y AND Z (DEPTH), IEEE FLOAT", x, y, z),
        fmt::format("{}{} {} {}", kSpacing, cube.spacing.x, cube.spacing.y, cube.spacing.z),
        "A TRACE RUNS ALONG Z; ITS SAMPLE INTERVAL IS IN MILLIMETRES",
        "INLINE (189-192) COUNTS X FROM 1, CROSSLINE (193-196) COUNTS Y FROM 1",
        "X AND Y IN METRES IN 181-184 AND 185-188, DIVIDED BY -(71-72) WHERE NEGATIVE"};
    const double millimetres = std::round(cube.spacing.z * 1e3);
    write_headers(lines,
                  {.traces = 1,
                   .interval = static_cast<std::uint16_t>(millimetres <= 65535 ? millimetres : 0),
                   .samples = z,
                   .sorting = kStacked},
                  sink);
    write_traces(cube, fill, {.sink = sink}, name);
  }
};

}  // namespace

const Codec& segy_codec() {
  static const SegyCodec kCodec;
  return kCodec;
}

}  // namespace muster::seismic

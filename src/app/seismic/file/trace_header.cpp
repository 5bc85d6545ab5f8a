#include "app/seismic/file/trace_header.h"

#include <algorithm>
#include <cmath>

namespace muster::seismic {
namespace {

// Offsets of words, counted from 0; the standard counts from 1.
constexpr std::size_t kNumberInLine = 0;
constexpr std::size_t kNumberInFile = 4;
constexpr std::size_t kShot = 8;
constexpr std::size_t kNumberInShot = 12;
constexpr std::size_t kSourcePoint = 16;
constexpr std::size_t kEnsemble = 20;
constexpr std::size_t kIdentification = 28;
constexpr std::size_t kOffset = 36;
constexpr std::size_t kReceiverElevation = 40;
constexpr std::size_t kSurfaceElevation = 44;
constexpr std::size_t kSourceDepth = 48;
constexpr std::size_t kElevationScalar = 68;
constexpr std::size_t kCoordinateScalar = 70;
constexpr std::size_t kSourceX = 72;
constexpr std::size_t kSourceY = 76;
constexpr std::size_t kReceiverX = 80;
constexpr std::size_t kReceiverY = 84;
constexpr std::size_t kCoordinateUnits = 88;
constexpr std::size_t kDelay = 108;
constexpr std::size_t kSamples = 114;
constexpr std::size_t kInterval = 116;
// SEG-Y
constexpr std::size_t kEnsembleX = 180;
constexpr std::size_t kEnsembleY = 184;
constexpr std::size_t kInline = 188;
constexpr std::size_t kCrossline = 192;
constexpr std::size_t kTimeScalar = 214;
// SU
constexpr std::size_t kD1 = 180;
constexpr std::size_t kF1 = 184;
constexpr std::size_t kD2 = 188;

constexpr std::int16_t kLengthUnits = 1;
constexpr int kMostScale = 10000;

std::int32_t whole_number(double metres, int scale) {
  return static_cast<std::int32_t>(std::llround(std::clamp(metres * scale, -kMostMetres, kMostMetres)));
}

/// A positive scalar multiplies, a negative one divides.
double scaled(std::int64_t number, std::int16_t scalar) {
  const auto value = static_cast<double>(number);
  if (scalar == 0) return value;
  return scalar > 0 ? value * scalar : value / -static_cast<double>(scalar);
}

std::int16_t scalar_of(int scale) { return static_cast<std::int16_t>(scale == 1 ? 1 : -scale); }

}  // namespace

int position_scale(std::span<const double> metres) {
  int largest = 1;
  for (int scale = 1; scale <= kMostScale; scale *= 10) {
    bool is_whole = true;
    for (const double value : metres) {
      const double scaled = value * scale;
      if (std::abs(scaled) > kMostMetres) return largest;
      is_whole &= std::abs(scaled - std::round(scaled)) <= 1e-9 * std::max(1.0, std::abs(scaled));
    }
    largest = scale;
    if (is_whole) return scale;
  }
  return largest;
}

void encode_trace_header(const TraceHeader& header, TraceFlavour flavour, ByteOrder order, std::span<std::byte> bytes) {
  std::ranges::fill(bytes, std::byte{0});
  const auto put = [&](std::size_t offset, auto value) { store(bytes, offset, value, order); };
  for (const std::size_t at : {kNumberInLine, kNumberInFile, kNumberInShot}) put(at, header.number);
  put(kShot, header.shot);
  put(kSourcePoint, header.shot);
  put(kIdentification, header.identification);
  put(kOffset, header.offset);
  const auto [horizontal, vertical] = header.scale;
  put(kReceiverElevation, whole_number(-header.receiver.z, vertical));
  put(kSourceDepth, whole_number(header.source.z, vertical));
  put(kElevationScalar, scalar_of(vertical));
  put(kCoordinateScalar, scalar_of(horizontal));
  put(kSourceX, whole_number(header.source.x, horizontal));
  put(kSourceY, whole_number(header.source.y, horizontal));
  put(kReceiverX, whole_number(header.receiver.x, horizontal));
  put(kReceiverY, whole_number(header.receiver.y, horizontal));
  put(kCoordinateUnits, kLengthUnits);
  put(kDelay, static_cast<std::int16_t>(std::lround(header.delay)));
  put(kSamples, header.samples);
  put(kInterval, header.interval);
  if (flavour == TraceFlavour::su) {
    if (header.line != 0) put(kShot, header.line);
    put(kEnsemble, header.column);
    put(kD1, header.d1);
    put(kF1, header.f1);
    put(kD2, header.d2);
  } else if (header.line != 0) {
    put(kEnsemble, header.number);
    put(kEnsembleX, whole_number(header.cell.x, horizontal));
    put(kEnsembleY, whole_number(header.cell.y, horizontal));
    put(kInline, header.line);
    put(kCrossline, header.column);
  }
}

TraceHeader decode_trace_header(TraceFlavour flavour, ByteOrder order, std::span<const std::byte> bytes) {
  const auto word = [&](std::size_t offset) { return load<std::int32_t>(bytes, offset, order); };
  const auto half = [&](std::size_t offset) { return load<std::int16_t>(bytes, offset, order); };
  const std::int16_t vertical = half(kElevationScalar);
  const std::int16_t horizontal = half(kCoordinateScalar);
  TraceHeader header;
  header.number = word(kNumberInFile);
  header.shot = word(kShot);
  header.identification = half(kIdentification);
  header.offset = word(kOffset);
  header.source = {scaled(word(kSourceX), horizontal), scaled(word(kSourceY), horizontal),
                   scaled(std::int64_t{word(kSourceDepth)} - word(kSurfaceElevation), vertical)};
  header.receiver = {scaled(word(kReceiverX), horizontal), scaled(word(kReceiverY), horizontal),
                     scaled(-std::int64_t{word(kReceiverElevation)}, vertical)};
  header.delay = half(kDelay);
  header.samples = load<std::uint16_t>(bytes, kSamples, order);
  header.interval = load<std::uint16_t>(bytes, kInterval, order);
  if (flavour == TraceFlavour::su) {
    header.line = word(kShot);
    header.column = word(kEnsemble);
    header.cell = header.receiver;
    header.d1 = load<float>(bytes, kD1, order);
    header.f1 = load<float>(bytes, kF1, order);
    header.d2 = load<float>(bytes, kD2, order);
  } else {
    header.line = word(kInline);
    header.column = word(kCrossline);
    header.cell = {scaled(word(kEnsembleX), horizontal), scaled(word(kEnsembleY), horizontal), 0};
    header.delay = scaled(half(kDelay), half(kTimeScalar));
  }
  return header;
}

}  // namespace muster::seismic

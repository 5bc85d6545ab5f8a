#include "app/seismic/file/samples.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace muster::seismic {
namespace {

template <class T>
void decode_as(std::span<const std::byte> bytes, ByteOrder order, std::span<double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    T value;
    std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
    values[i] = static_cast<double>(reordered(value, order));
  }
}

template <class Real>
std::int64_t encode_as(std::span<const double> values, ByteOrder order, std::span<std::byte> bytes) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto value = static_cast<Real>(values[i]);
    if (!std::isfinite(value)) return static_cast<std::int64_t>(i);
    store(bytes, i * sizeof(Real), value, order);
  }
  return -1;
}

}  // namespace

double decode_ibm(std::uint32_t bits) {
  const double fraction = bits & 0xFFFFFFU;
  const int exponent = static_cast<int>(bits >> 24U & 0x7FU);
  const double size = std::ldexp(fraction, 4 * (exponent - 64) - 24);
  return (bits >> 31U) != 0 ? -size : size;
}

void decode(std::span<const std::byte> bytes, SampleFormat format, ByteOrder order, std::span<double> values) {
  MUSTER_ASSERT(bytes.size() == values.size() * static_cast<std::size_t>(bytes_of(format)), "{} samples in {} bytes",
                values.size(), bytes.size());
  switch (format) {
    case SampleFormat::ibm_f32:
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = decode_ibm(load<std::uint32_t>(bytes, 4 * i, order));
      return;
    case SampleFormat::i32:
      return decode_as<std::int32_t>(bytes, order, values);
    case SampleFormat::i16:
      return decode_as<std::int16_t>(bytes, order, values);
    case SampleFormat::i8:
      return decode_as<std::int8_t>(bytes, order, values);
    case SampleFormat::f32:
      return decode_as<float>(bytes, order, values);
    case SampleFormat::f64:
      return decode_as<double>(bytes, order, values);
  }
}

std::int64_t encode(std::span<const double> values, SampleFormat format, ByteOrder order, std::span<std::byte> bytes) {
  MUSTER_ASSERT(format == SampleFormat::f32 || format == SampleFormat::f64, "only real numbers are written");
  return format == SampleFormat::f32 ? encode_as<float>(values, order, bytes) : encode_as<double>(values, order, bytes);
}

std::int64_t first_not_finite(std::span<const double> values) {
  // Almost always all are finite, which a loop without exits finds out many at a time: the exponents of others are all ones.
  constexpr std::uint64_t kExponent = 0x7FF0000000000000U;
  bool is_any = false;
  for (const double value : values) is_any |= (std::bit_cast<std::uint64_t>(value) & kExponent) == kExponent;
  if (!is_any) return -1;
  const auto found = std::ranges::find_if_not(values, [](double value) { return std::isfinite(value); });
  return found == values.end() ? -1 : found - values.begin();
}

double decimal_of(float value) {
  std::array<char, 32> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value);
  double decimal = value;
  std::from_chars(text.data(), written.ptr, decimal);
  return decimal;
}

}  // namespace muster::seismic

// Samples as files code them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "app/seismic/file/bytes.h"

namespace muster::seismic {

enum class SampleFormat : unsigned char { ibm_f32, i32, i16, i8, f32, f64 };

constexpr std::int64_t bytes_of(SampleFormat format) {
  return format == SampleFormat::f64 ? 8 : format == SampleFormat::i16 ? 2 : format == SampleFormat::i8 ? 1 : 4;
}

/// IBM's hexadecimal float: sign, exponent of 16 with a bias of 64, 24 bits of fraction.
double decode_ibm(std::uint32_t bits);

/// One value per sample.
void decode(std::span<const std::byte> bytes, SampleFormat format, ByteOrder order, std::span<double> values);

/// f32 or f64, as many as there are values. Returns the index of the first value that the format does not hold (too large, infinite, not
/// a number), or -1.
std::int64_t encode(std::span<const double> values, SampleFormat format, ByteOrder order, std::span<std::byte> bytes);

/// The index of the first value that is infinite or not a number, or -1.
std::int64_t first_not_finite(std::span<const double> values);

/// The shortest decimal that rounds to the number: 0.002f is 0.002, although it is not the double nearest to it.
double decimal_of(float value);

}  // namespace muster::seismic

// Numbers in bytes, in either order.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "base/error.h"

namespace muster::seismic {

enum class ByteOrder : unsigned char { big, little };

inline constexpr ByteOrder kNativeOrder = std::endian::native == std::endian::big ? ByteOrder::big : ByteOrder::little;

/// The number with its bytes in the other order, if `order` is not this machine's.
template <class T>
T reordered(T value, ByteOrder order) {
  if (order == kNativeOrder) return value;
  if constexpr (sizeof(T) == 2) {
    return std::bit_cast<T>(__builtin_bswap16(std::bit_cast<std::uint16_t>(value)));
  } else if constexpr (sizeof(T) == 4) {
    return std::bit_cast<T>(__builtin_bswap32(std::bit_cast<std::uint32_t>(value)));
  } else if constexpr (sizeof(T) == 8) {
    return std::bit_cast<T>(__builtin_bswap64(std::bit_cast<std::uint64_t>(value)));
  } else {
    static_assert(sizeof(T) == 1);
    return value;
  }
}

template <class T>
T load(std::span<const std::byte> bytes, std::size_t offset, ByteOrder order) {
  static_assert(std::is_arithmetic_v<T>);
  MUSTER_ASSERT(offset + sizeof(T) <= bytes.size(), "{} bytes at {} of {}", sizeof(T), offset, bytes.size());
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return reordered(value, order);
}

template <class T>
void store(std::span<std::byte> bytes, std::size_t offset, T value, ByteOrder order) {
  static_assert(std::is_arithmetic_v<T>);
  MUSTER_ASSERT(offset + sizeof(T) <= bytes.size(), "{} bytes at {} of {}", sizeof(T), offset, bytes.size());
  value = reordered(value, order);
  std::memcpy(bytes.data() + offset, &value, sizeof(T));
}

}  // namespace muster::seismic

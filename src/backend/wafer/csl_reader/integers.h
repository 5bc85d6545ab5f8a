// Integers in as few bytes each as their type needs: a layout's maps have a number for every PE of a wafer, and are walked
// column by column.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

namespace muster::wafer::csl {

class Integers {
 public:
  Integers() = default;
  /// Of a type with so many bits; 0: any.
  Integers(int bits, bool is_signed)
      : log_bytes_(bits == 0 || bits > 32 ? 3
                   : bits > 16            ? 2
                   : bits > 8             ? 1
                                          : 0),
        is_signed_(is_signed) {}

  [[nodiscard]] std::size_t size() const { return bytes_.size() >> log_bytes_; }
  [[nodiscard]] std::int64_t operator[](std::size_t i) const {
    switch (log_bytes_) {
      case 0:
        return is_signed_ ? load<std::int8_t>(i) : load<std::uint8_t>(i);
      case 1:
        return is_signed_ ? load<std::int16_t>(i) : load<std::uint16_t>(i);
      case 2:
        return is_signed_ ? load<std::int32_t>(i) : load<std::uint32_t>(i);
      default:
        return load<std::int64_t>(i);
    }
  }
  /// The number fits into the type.
  void set(std::size_t i, std::int64_t number) {
    switch (log_bytes_) {
      case 0:
        return store<std::uint8_t>(i, number);
      case 1:
        return store<std::uint16_t>(i, number);
      case 2:
        return store<std::uint32_t>(i, number);
      default:
        return store<std::int64_t>(i, number);
    }
  }
  void assign(std::size_t count, std::int64_t number) {
    bytes_.assign(count << log_bytes_, 0);
    for (std::size_t i = 0; number != 0 && i < count; ++i) set(i, number);
  }
  void reserve(std::size_t count) { bytes_.reserve(count << log_bytes_); }
  void push_back(std::int64_t number) {
    bytes_.resize(bytes_.size() + (std::size_t{1} << log_bytes_));
    set(size() - 1, number);
  }
  void clear() { bytes_.clear(); }
  /// Whether both have the same numbers, whatever their types.
  bool operator==(const Integers& other) const {
    if (log_bytes_ == other.log_bytes_ && is_signed_ == other.is_signed_) return bytes_ == other.bytes_;
    if (size() != other.size()) return false;
    for (std::size_t i = 0; i < size(); ++i) {
      if ((*this)[i] != other[i]) return false;
    }
    return true;
  }

 private:
  template <class T>
  [[nodiscard]] std::int64_t load(std::size_t i) const {
    T number;
    std::memcpy(&number, bytes_.data() + i * sizeof(T), sizeof(T));
    return number;
  }
  template <class T>
  void store(std::size_t i, std::int64_t value) {
    const auto number = static_cast<T>(value);
    std::memcpy(bytes_.data() + i * sizeof(T), &number, sizeof(T));
  }

  std::vector<std::uint8_t> bytes_;
  int log_bytes_ = 3;
  bool is_signed_ = true;
};

}  // namespace muster::wafer::csl

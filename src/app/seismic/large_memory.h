// Memory for the arrays of a grid.
#pragma once

#include <cstddef>

namespace muster::seismic {

/// What an array lies in: bytes that nobody has written yet. Large ones are asked for in large pages, of which a processor
/// remembers more memory; and each of them begins elsewhere in its first page, at a multiple of 128 bytes, so that the same cells of several
/// arrays do not meet in one set of a cache.
class LargeMemory {
 public:
  LargeMemory() = default;
  explicit LargeMemory(std::size_t bytes);
  LargeMemory(LargeMemory&& other) noexcept;
  LargeMemory& operator=(LargeMemory&& other) noexcept;
  LargeMemory(const LargeMemory&) = delete;
  LargeMemory& operator=(const LargeMemory&) = delete;
  ~LargeMemory();

  /// Null if there are no bytes.
  [[nodiscard]] void* data() const { return data_; }

 private:
  std::size_t alignment_ = 0;
  void* allocated_ = nullptr;
  void* data_ = nullptr;
};

}  // namespace muster::seismic

#include "app/seismic/large_memory.h"

#include <cstdint>
#include <new>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace muster::seismic {
namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20U;  // of x86-64, and of aarch64 with small pages of 4 KiB
constexpr std::align_val_t kAlignment{kLargePage};
constexpr std::size_t kStep = 128;   ///< between the begins of arrays
constexpr std::size_t kBegins = 32;  ///< of which there are so many, in 4 KiB

}  // namespace

LargeMemory::LargeMemory(std::size_t bytes) {
  if (bytes == 0) return;
  const std::size_t all = bytes + kStep * kBegins;
  allocated_ = ::operator new(all, kAlignment);
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  if (bytes >= kLargePage) static_cast<void>(madvise(allocated_, all, MADV_HUGEPAGE));  // only a wish
#endif
  const std::size_t begin = reinterpret_cast<std::uintptr_t>(allocated_) / kLargePage * 13 % kBegins;
  data_ = static_cast<std::byte*>(allocated_) + begin * kStep;
}

LargeMemory::LargeMemory(LargeMemory&& other) noexcept
    : allocated_(std::exchange(other.allocated_, nullptr)), data_(std::exchange(other.data_, nullptr)) {}

LargeMemory& LargeMemory::operator=(LargeMemory&& other) noexcept {
  std::swap(allocated_, other.allocated_);
  std::swap(data_, other.data_);
  return *this;
}

LargeMemory::~LargeMemory() {
  if (allocated_ != nullptr) ::operator delete(allocated_, kAlignment);
}

}  // namespace muster::seismic

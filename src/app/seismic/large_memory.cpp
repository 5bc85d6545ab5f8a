#include "app/seismic/large_memory.h"

#include <atomic>
#include <new>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace muster::seismic {
namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20U;  // of x86-64, and of aarch64 with small pages of 4 KiB
constexpr std::size_t kLine = 128;
/// Arrays begin at different distances from their large pages. Addresses that differ by a multiple of 4 KiB meet in a set of the first cache
/// of many processors, and those 64 KiB apart in one of the second: a kernel reads the same cell of dozens of arrays, which would push each other out.
/// With an odd number of lines between the begins, 32 of them meet in neither.
constexpr std::size_t kStep = 17 * kLine;
constexpr std::size_t kBegins = 32;

}  // namespace

LargeMemory::LargeMemory(std::size_t bytes) : alignment_(bytes >= kLargePage ? kLargePage : kLine) {
  if (bytes == 0) return;
  if (bytes < kLargePage) {
    allocated_ = data_ = ::operator new (bytes, std::align_val_t{alignment_});
    return;
  }
  const std::size_t all = bytes + kStep * kBegins;
  allocated_ = ::operator new (all, std::align_val_t{alignment_});
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  static_cast<void>(madvise(allocated_, all, MADV_HUGEPAGE));  // only a wish
#endif
  static std::atomic<std::size_t> count = 0;  // of all arrays of the process: shots in flight make theirs side by side
  data_ = static_cast<std::byte*>(allocated_) + count++ % kBegins * kStep;
}

LargeMemory::LargeMemory(LargeMemory&& other) noexcept
    : alignment_(other.alignment_),
      allocated_(std::exchange(other.allocated_, nullptr)),
      data_(std::exchange(other.data_, nullptr)) {}

LargeMemory& LargeMemory::operator=(LargeMemory&& other) noexcept {
  std::swap(alignment_, other.alignment_);
  std::swap(allocated_, other.allocated_);
  std::swap(data_, other.data_);
  return *this;
}

LargeMemory::~LargeMemory() {
  if (allocated_ != nullptr) ::operator delete (allocated_, std::align_val_t{alignment_});
}

}  // namespace muster::seismic

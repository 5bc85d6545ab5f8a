#include "backend/torus/metalium/device_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "base/index.h"

namespace muster::torus {
namespace {

constexpr std::uint64_t kPage = 0x10000;  // of the systems with the largest ones

}  // namespace

DeviceMemory::DeviceMemory(std::int64_t cores, std::uint64_t core_bytes, std::int64_t banks)
    : core_bytes_(core_bytes),
      stride_((core_bytes + kPage - 1) / kPage * kPage),
      total_(stride_ * static_cast<std::uint64_t>(cores)),
      banks_(at(banks)) {
  file_ = memfd_create("muster", MFD_CLOEXEC);
  if (file_ < 0 || ftruncate(file_, static_cast<off_t>(total_)) != 0) reject("no memory for {} cores", cores);
  void* const mapped = mmap(nullptr, total_, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  if (mapped == MAP_FAILED) reject("no memory for {} cores", cores);
  all_ = static_cast<std::uint8_t*>(mapped);
}

DeviceMemory::~DeviceMemory() {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): kernels know this address as a number
  if (shown_ >= 0) munmap(reinterpret_cast<void*>(kLowest), stride_ - kLowest);
  munmap(all_, total_);
  close(file_);
}

std::uint8_t* DeviceMemory::bank(std::int64_t bank, std::uint64_t address, std::uint64_t bytes) {
  std::vector<std::uint8_t>& all = banks_[at(bank)];
  if (all.size() < address + bytes) all.resize(address + bytes);
  return all.data() + address;
}

void DeviceMemory::show(std::int64_t core) {
  if (core == shown_) return;
  // Nothing of ours may be there when it is mapped for the first time.
  const int where = shown_ < 0 ? MAP_FIXED_NOREPLACE : MAP_FIXED;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): kernels know this address as a number
  void* const wanted = reinterpret_cast<void*>(kLowest);
  const auto offset = static_cast<off_t>(static_cast<std::uint64_t>(core) * stride_ + kLowest);
  if (mmap(wanted, stride_ - kLowest, PROT_READ | PROT_WRITE, MAP_SHARED | where, file_, offset) != wanted) {
    reject(
        "this system does not let programs use memory at address {:#x}, where kernels expect the L1 of their core; "
        "see vm.mmap_min_addr",
        kLowest);
  }
  shown_ = core;
}

}  // namespace muster::torus

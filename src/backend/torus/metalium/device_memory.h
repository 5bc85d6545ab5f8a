// The memories of a simulated chip, in bytes: the L1 of every worker and the DRAM banks.
//
// Kernels use addresses of 32 bits as pointers. So the memory of the core whose kernel runs is mapped at these addresses of our own
// process: show() changes which one it is.
#pragma once

#include <cstdint>
#include <vector>

namespace muster::torus {

class DeviceMemory {
 public:
  /// Kernels see no lower addresses: systems let no program map them. TT-Metalium keeps more than that for itself.
  static constexpr std::uint64_t kLowest = 0x10000;

  DeviceMemory(std::int64_t cores, std::uint64_t core_bytes, std::int64_t banks);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  [[nodiscard]] std::uint64_t core_bytes() const { return core_bytes_; }
  /// The byte of a core, for as long as this object lives.
  [[nodiscard]] std::uint8_t* core(std::int64_t core, std::uint64_t address) {
    return all_ + static_cast<std::uint64_t>(core) * stride_ + address;
  }
  /// Bytes of a bank, which grows as needed.
  [[nodiscard]] std::uint8_t* bank(std::int64_t bank, std::uint64_t address, std::uint64_t bytes);
  void show(std::int64_t core);

 private:
  std::uint64_t core_bytes_;
  std::uint64_t stride_;
  std::uint64_t total_;
  int file_ = -1;
  std::uint8_t* all_ = nullptr;
  std::int64_t shown_ = -1;
  std::vector<std::vector<std::uint8_t>> banks_;
};

}  // namespace muster::torus

// A program of kernels as its host file describes it, call by call.
#pragma once

#include <stand_in/bridge.h>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace muster::torus {

struct KernelOfCore {
  std::int32_t kernel = -1;  ///< -1: the processor has none
  std::uint8_t noc = 0;
};

struct CircularBufferOfCore {
  std::uint64_t address = 0;
  std::uint32_t pages = 0;
  std::uint32_t page_bytes = 0;
  muster_stand_in::Format format = muster_stand_in::Format::other;
};

struct CoreProgram {
  std::array<KernelOfCore, 3> kernels;
  std::array<std::vector<std::uint32_t>, 3> arguments;
  std::vector<std::optional<std::uint32_t>> semaphores;  ///< initial values, by id
  std::map<std::uint32_t, CircularBufferOfCore> buffers;
};

/// A compiled kernel.
struct Kernel {
  std::string file;
  void (*attach)(muster_stand_in::Processor*) = nullptr;
  void (*main)() = nullptr;
  std::vector<std::uint32_t> common_arguments;
};

struct KernelProgram {
  std::vector<CoreProgram> cores;  ///< of all workers, row by row
  std::vector<Kernel> kernels;
};

}  // namespace muster::torus

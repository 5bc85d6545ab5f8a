// The capability to run kernels: a folder of source files that a user wrote for a machine's own programming interface, or that we emitted.
#pragma once

#include <cstdint>
#include <filesystem>

#include "machine/machine.h"
#include "result/kernels.h"

namespace muster {

struct KernelFolder {
  std::filesystem::path folder;
  std::filesystem::path
      data;  ///< the folder of the program's own data: it holds share/, with the headers that take the interface's place
};

class KernelSimulator {
 public:
  virtual ~KernelSimulator() = default;
  /// Compiles the files and runs them on the machine. Throws InputError, with file and line, where they do not compile or ask for what
  /// the machine does not have.
  [[nodiscard]] virtual KernelsAnswer simulate(const Machine& machine, const KernelFolder& files,
                                               std::uint64_t seed) const = 0;
};

}  // namespace muster

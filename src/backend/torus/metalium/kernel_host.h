// Runs a folder of files for TT-Metalium: compiles its host file and its kernels with the stand-in's headers and runs them on a
// simulated chip.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "backend/torus/metalium/findings.h"
#include "machine/torus.h"
#include "result/result.h"

namespace muster::torus {

struct KernelFiles {
  std::filesystem::path folder;
  std::filesystem::path headers;  ///< share/metalium
};

struct KernelsRun {
  struct CoreEnd {
    Coordinates logical;
    Cycle end = 0;
  };
  Cycle cycles = 0;            ///< of all its programs, until the last processor ended
  std::int64_t programs = 0;   ///< that were run
  int status = 0;              ///< of the host's main()
  std::string output;          ///< what the host printed
  std::vector<CoreEnd> cores;  ///< of the first program
  std::vector<Resource> resources;
  std::vector<Finding> findings;
  std::optional<Finding> stuck;
};

/// Throws InputError where the files do not compile or ask for what the chip does not have.
KernelsRun run_kernels(const Torus& torus, const KernelFiles& files, std::uint64_t seed);

}  // namespace muster::torus

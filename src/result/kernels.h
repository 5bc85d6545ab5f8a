// What a run of a folder of kernels returns. Independent of families.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "result/result.h"

namespace muster {

/// A race or a misuse that was found while the kernels ran.
struct KernelFinding {
  std::string kind;
  std::string location;  ///< the core and its processor
  std::string file;
  std::int64_t line = 0;
  Ticks cycle;             ///< when it was found first
  std::int64_t times = 1;  ///< how often it was found at this line
  std::string message;
};

struct CoreTime {
  std::string core;
  Ticks end;
};

struct KernelsAnswer {
  std::string machine;
  std::string engine;
  Ticks cycles;  ///< of all programs that the host ran, each until its last processor ended
  Seconds seconds;
  std::int64_t programs = 0;
  std::vector<CoreTime> cores;      ///< of the first program: when the last kernel of each core ended
  std::vector<Resource> resources;  ///< in the first program
  std::int64_t host_status = 0;     ///< what main() of the host returned
  std::string host_output;
  std::vector<KernelFinding> findings;
  std::optional<Fault> fault;
  [[nodiscard]] bool is_right() const { return findings.empty() && !fault && host_status == 0 && programs > 0; }
};

}  // namespace muster

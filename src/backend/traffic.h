// The capability to run traffic: a list of transactions that a user wrote down, or that another tool wrote.
#pragma once

#include <cstdint>
#include <string>

#include "backend/emitter.h"
#include "machine/machine.h"
#include "result/traffic.h"

namespace muster {

class TrafficSimulator {
 public:
  virtual ~TrafficSimulator() = default;
  /// Runs the list in `file` on the machine. Throws InputError, with file and line, where the text is wrong.
  [[nodiscard]] virtual TrafficAnswer simulate(const Machine& machine, const EmittedFile& file,
                                               std::uint64_t seed) const = 0;
};

}  // namespace muster

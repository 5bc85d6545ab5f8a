// The capability to check a program without running it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "backend/program.h"
#include "result/result.h"

namespace muster {

/// What the static checks of a program found.
struct ProgramCheck {
  std::optional<Fault> fault = {};       ///< the program fails when it runs, with a counterexample
  std::optional<Fault> finding = {};     ///< a correct program would not do this, though it may run
  std::string unsupported = {};          ///< not empty: why the program could not be checked; then nothing else is set
  std::int64_t messages = 0;             ///< that were followed
  std::vector<std::string> checks = {};  ///< what was checked, a line each
  /// What to show: a finding comes first and explains the fault.
  [[nodiscard]] std::optional<Fault> counterexample() const { return finding ? finding : fault; }
};

class Checker {
 public:
  virtual ~Checker() = default;
  [[nodiscard]] virtual ProgramCheck check(const Program& program) const = 0;
};

}  // namespace muster

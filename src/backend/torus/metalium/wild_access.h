// Kernels that use a pointer to where nothing is: the run ends with a sentence instead of a signal.
#pragma once

#include <csignal>
#include <string>

namespace muster::torus {

/// While it lives, SIGSEGV and SIGBUS end the process with exit code 1 and a line on standard error that names the processor which runs.
class WildAccessGuard {
 public:
  WildAccessGuard();
  ~WildAccessGuard();
  WildAccessGuard(const WildAccessGuard&) = delete;
  WildAccessGuard& operator=(const WildAccessGuard&) = delete;

 private:
  std::string stack_;  ///< of the handler
  stack_t old_stack_{};
  struct sigaction old_segv_ {};
  struct sigaction old_bus_ {};
};

/// The processor that runs from now on, and the kernel's last call: "core 0-0, dataflow 1, after own.cpp:12".
void running(const char* processor, const char* file, int line);

}  // namespace muster::torus

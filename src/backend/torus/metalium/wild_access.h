// Kernels that use a pointer to where nothing is, divide by zero, abort, or never call anything again: the run ends with a sentence
// instead of a signal, or of never.
#pragma once

#include <csignal>
#include <iterator>
#include <string>

namespace muster::torus {

/// While it lives, such signals, and a processor that makes no call for long, end the process with exit code 1 and a line on standard
/// error that names the processor which runs.
class WildAccessGuard {
 public:
  WildAccessGuard();
  ~WildAccessGuard();
  WildAccessGuard(const WildAccessGuard&) = delete;
  WildAccessGuard& operator=(const WildAccessGuard&) = delete;

 private:
  std::string stack_;  ///< of the handler
  stack_t old_stack_{};
  static constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGVTALRM};
  struct sigaction old_[std::size(kSignals)]{};
};

/// The processor that runs from now on, and the kernel's last call: "core 0-0, dataflow 1, after own.cpp:12".
void running(const char* processor, const char* file, int line);
/// No code of the user runs.
void paused();

}  // namespace muster::torus

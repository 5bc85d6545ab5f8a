#include "backend/torus/metalium/wild_access.h"

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

namespace muster::torus {
namespace {

/// What the handler prints. A handler of a signal reaches nothing but globals.
struct Running {
  char processor[64] = "the host";
  const char* file = "";
  int line = 0;
};
Running now;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

constexpr std::size_t kStackBytes = std::size_t{64} * 1024;

void end(int /*signal*/, siginfo_t* info, void* /*context*/) {
  char text[400];
  const char* const name = std::strrchr(now.file, '/');
  const int length =
      std::snprintf(text, sizeof(text),
                    "muster: %s uses memory at 0x%llx, which is not its core's L1; its last call before was %s:%d\n",
                    now.processor, static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(info->si_addr)),
                    name != nullptr ? name + 1 : now.file, now.line);
  if (write(2, text, static_cast<std::size_t>(length)) < 0) _exit(1);
  _exit(1);
}

}  // namespace

void running(const char* processor, const char* file, int line) {
  std::snprintf(now.processor, sizeof(now.processor), "%s", processor);
  now.file = file;
  now.line = line;
}

WildAccessGuard::WildAccessGuard() : stack_(kStackBytes, '\0') {
  running("the host", "", 0);
  stack_t stack{};
  stack.ss_sp = stack_.data();
  stack.ss_size = stack_.size();
  sigaltstack(&stack, &old_stack_);
  struct sigaction action {};
  action.sa_sigaction = end;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &action, &old_segv_);
  sigaction(SIGBUS, &action, &old_bus_);
}

WildAccessGuard::~WildAccessGuard() {
  sigaction(SIGSEGV, &old_segv_, nullptr);
  sigaction(SIGBUS, &old_bus_, nullptr);
  sigaltstack(&old_stack_, nullptr);
}

}  // namespace muster::torus

#include "backend/torus/metalium/wild_access.h"

#include <sys/time.h>
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
  bool is_paused = false;
  long calls = 0;
  long calls_before = -1;  ///< when the watch looked last
};
Running now;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

constexpr std::size_t kStackBytes = std::size_t{64} * 1024;

/// Seconds of processor time without a call, after which a loop is called endless.
constexpr int kPatience = 10;

const char* reason_of(int signal) {
  if (signal == SIGFPE) return "divides by zero";
  if (signal == SIGABRT) return "aborts, or throws what nothing catches";
  if (signal == SIGVTALRM) return "makes no call for 10 s: in an endless loop? (a loop that polls memory needs a call)";
  return "runs an instruction that there is not";
}

void end(int signal, siginfo_t* info, void* /*context*/) {
  if (signal == SIGVTALRM && (now.is_paused || now.calls != now.calls_before)) {
    now.calls_before = now.calls;
    return;
  }
  char what[160];
  if (signal == SIGSEGV || signal == SIGBUS) {
    std::snprintf(what, sizeof(what), "uses memory at 0x%llx, which is not its core's L1",
                  static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(info->si_addr)));
  } else {
    std::snprintf(what, sizeof(what), "%s", reason_of(signal));
  }
  char text[400];
  const char* const name = std::strrchr(now.file, '/');
  const int length = now.line == 0
                         ? std::snprintf(text, sizeof(text), "muster: %s %s\n", now.processor, what)
                         : std::snprintf(text, sizeof(text), "muster: %s %s; its last call before was %s:%d\n",
                                         now.processor, what, name != nullptr ? name + 1 : now.file, now.line);
  if (write(2, text, static_cast<std::size_t>(length)) < 0) _exit(1);
  _exit(1);
}

}  // namespace

void running(const char* processor, const char* file, int line) {
  std::snprintf(now.processor, sizeof(now.processor), "%s", processor);
  now.file = file;
  now.line = line;
  now.is_paused = false;
  ++now.calls;
}

void paused() { now.is_paused = true; }

WildAccessGuard::WildAccessGuard() : stack_(kStackBytes, '\0') {
  running("the host", "", 0);
  stack_t stack{};
  stack.ss_sp = stack_.data();
  stack.ss_size = stack_.size();
  sigaltstack(&stack, &old_stack_);
  struct sigaction action {};
  action.sa_sigaction = end;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (std::size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &action, &old_[i]);
  const itimerval watch{.it_interval = {.tv_sec = kPatience, .tv_usec = 0},
                        .it_value = {.tv_sec = kPatience, .tv_usec = 0}};
  setitimer(ITIMER_VIRTUAL, &watch, nullptr);
}

WildAccessGuard::~WildAccessGuard() {
  const itimerval none{};
  setitimer(ITIMER_VIRTUAL, &none, nullptr);
  for (std::size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &old_[i], nullptr);
  sigaltstack(&old_stack_, nullptr);
}

}  // namespace muster::torus

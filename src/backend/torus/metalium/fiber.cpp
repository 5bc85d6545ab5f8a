#include "backend/torus/metalium/fiber.h"

#include <sys/mman.h>

#include <cstdint>

#include "base/error.h"

#if defined(__SANITIZE_ADDRESS__)
#define MUSTER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MUSTER_ASAN 1
#endif
#endif
#ifdef MUSTER_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

namespace muster::torus {
namespace {

constexpr std::size_t kStackBytes = std::size_t{256} * 1024;

}  // namespace

Fiber::Fiber(std::function<void()> body) : body_(std::move(body)) {
  stack_ = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  MUSTER_ASSERT(stack_ != MAP_FAILED, "no memory for the stack of a processor");
  getcontext(&inside_);
  inside_.uc_stack.ss_sp = stack_;
  inside_.uc_stack.ss_size = kStackBytes;
  inside_.uc_link = &outside_;
  const auto self = reinterpret_cast<std::uintptr_t>(this);
  // makecontext() passes ints: a pointer is two of them.
  makecontext(&inside_, reinterpret_cast<void (*)()>(enter), 2, static_cast<unsigned>(std::uint64_t{self} >> 32U),
              static_cast<unsigned>(self & 0xffffffffU));
}

Fiber::~Fiber() { munmap(stack_, kStackBytes); }

void Fiber::enter(unsigned high, unsigned low) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): makecontext passes numbers
  auto* const self = reinterpret_cast<Fiber*>(static_cast<std::uintptr_t>((std::uint64_t{high} << 32U) | low));
#ifdef MUSTER_ASAN
  __sanitizer_finish_switch_fiber(nullptr, &self->outside_stack_, &self->outside_size_);
#endif
  self->body_();
  self->has_ended_ = true;
#ifdef MUSTER_ASAN
  __sanitizer_start_switch_fiber(nullptr, self->outside_stack_, self->outside_size_);
#endif
  swapcontext(&self->inside_, &self->outside_);
}

void Fiber::resume() {
#ifdef MUSTER_ASAN
  __sanitizer_start_switch_fiber(&outside_fake_stack_, stack_, kStackBytes);
#endif
  swapcontext(&outside_, &inside_);
#ifdef MUSTER_ASAN
  __sanitizer_finish_switch_fiber(outside_fake_stack_, nullptr, nullptr);
#endif
}

void Fiber::stop() {
#ifdef MUSTER_ASAN
  __sanitizer_start_switch_fiber(&inside_fake_stack_, outside_stack_, outside_size_);
#endif
  swapcontext(&inside_, &outside_);
#ifdef MUSTER_ASAN
  __sanitizer_finish_switch_fiber(inside_fake_stack_, &outside_stack_, &outside_size_);
#endif
}

}  // namespace muster::torus

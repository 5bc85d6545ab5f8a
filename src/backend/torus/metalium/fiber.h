// A function with a stack of its own, which stops in the middle and goes on later: a processor that runs a kernel.
#pragma once

#include <ucontext.h>

#include <functional>
#include <memory>

namespace muster::torus {

class Fiber {
 public:
  explicit Fiber(std::function<void()> body);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// From outside: runs it until it stops or ends.
  void resume();
  /// From inside: back to where it was resumed.
  void stop();
  [[nodiscard]] bool has_ended() const { return has_ended_; }

 private:
  static void enter(unsigned high, unsigned low);

  std::function<void()> body_;
  void* stack_ = nullptr;
  ucontext_t inside_{};
  ucontext_t outside_{};
  [[maybe_unused]] void* outside_fake_stack_ = nullptr;  ///< what AddressSanitizer keeps of a stack that is left
  [[maybe_unused]] void* inside_fake_stack_ = nullptr;
  [[maybe_unused]] const void* outside_stack_ = nullptr;
  [[maybe_unused]] std::size_t outside_size_ = 0;
  bool has_ended_ = false;
};

}  // namespace muster::torus

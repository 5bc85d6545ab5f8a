// Calls of a collective one after another, without a barrier: a core begins its next call as soon as its own processors have ended the
// one before.
//
// Then a core that is ahead sends messages of call k + 1 to one that is still in call k. They must not change what that one still uses.
//   granted     every message waits for a grant of its receiver, which gives it in the same call: nothing can come early.
//   alternating calls with odd numbers have memory, DRAM and counters of their own. If nobody ends a call before everybody has begun
//               it, then whoever is in call k + 1 knows that everybody has ended call k - 1, which had this memory before.
// Counters go on counting from call to call.
#pragma once

#include <string>
#include <vector>

#include "backend/torus/program.h"

namespace muster::torus {

class Repetition {
 public:
  explicit Repetition(const TorusProgram& program);

  /// Why calls cannot follow each other in this way; empty: they can.
  [[nodiscard]] const std::string& refusal() const { return refusal_; }
  /// The calls of a processor in the collective's call `k`.
  [[nodiscard]] std::vector<Call> calls(NodeId node, Processor processor, int k) const;

  /// Of a core's and a bank's memory, and counters of a core.
  [[nodiscard]] std::int64_t memory() const { return program_.memory_used + stride_; }
  [[nodiscard]] std::int64_t bank_memory() const { return program_.bank_memory.end + bank_stride_; }
  [[nodiscard]] std::int32_t counters() const { return alternates() ? 2 * counters_ : counters_; }
  /// Where what a core has at an address in the first call lies in call `k`.
  [[nodiscard]] Address moved(Address address, int k) const {
    return address + (address >= input_end_ && k % 2 == 1 ? stride_ : 0);
  }

 private:
  [[nodiscard]] bool alternates() const { return stride_ > 0; }
  void refuse_what_is_unsafe();
  void count_messages();
  [[nodiscard]] Address moved_in_bank(Address address, int k) const {
    return address + (k % 2 == 1 ? bank_stride_ : 0);
  }
  void move(Call& call, int k) const;

  const TorusProgram& program_;
  std::int32_t counters_ = 0;
  Address input_end_ = 0;    ///< inputs lie before it, and stay: only their core uses them
  std::int64_t stride_ = 0;  ///< of a core's memory; 0: all calls use the same
  std::int64_t bank_stride_ = 0;
  std::string refusal_;
  std::vector<std::vector<std::int64_t>> counted_;  ///< by core and counter: by how much a call increases it
};

}  // namespace muster::torus

// The rules of queues: a wavelet goes into a queue only if that had space at the start of the cycle.
#pragma once

#include "backend/wafer/stream/solver.h"
#include "backend/wafer/stream/times.h"
#include "backend/wafer/stream/window.h"

namespace muster::wafer {

class QueueRules {
 public:
  QueueRules(const Times& times, Window& window, Solver& solver) : times_(times), window_(window), solver_(solver) {}

  /// Adds to the solver what a transit waits for: space at the end of its links, and in the ramp to the processor.
  void add_space(const Transit& transit);
  /// The same for an execution, whose elements leave it `cost` cycles after they are used.
  void add_output_space(const Execution& execution, std::int32_t cost);
  /// The first cycle in which the queue to the router has space for the wavelet after all data of the message.
  [[nodiscard]] std::int64_t space_for_control(const Message& message) const;

  /// Marks the writers of the queue that transit `id` takes from, of this message and of the next ones: all, or those that had to
  /// wait, perhaps for this queue.
  void mark_senders(std::int32_t id, bool all);
  /// The same for the queues that an execution takes from.
  void mark_senders(const Execution& execution, bool all);

 private:
  void add_queue_space(std::int32_t child, std::int32_t capacity);
  void add_ramp_space(const Transit& transit);
  void limit_to(std::int32_t transit, std::int64_t first, Reader reader);
  void limit_to_taker(std::int32_t taker, std::int64_t first, Reader reader);

  const Times& times_;
  Window& window_;
  Solver& solver_;
};

}  // namespace muster::wafer

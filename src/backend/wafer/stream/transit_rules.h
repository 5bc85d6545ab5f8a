// The times of messages at routers, one transit at a time.
#pragma once

#include "backend/wafer/stream/link_arbiter.h"
#include "backend/wafer/stream/queue_rules.h"

namespace muster::wafer {

/// A wavelet moves when it has arrived, one per cycle, if there is space at the next router and no lower color takes the link.
class TransitRules {
 public:
  TransitRules(Times& times, Window& window, Solver& solver)
      : times_(times), window_(window), solver_(solver), queues_(times, window, solver), arbiter_(times) {}

  /// Gives a transit the earliest times that the current times of the others allow, and marks those affected. True if
  /// its times changed.
  bool evaluate(std::int32_t id);

 private:
  [[nodiscard]] Question question(std::int32_t id) const;
  std::int32_t add_arrival(const Transit& transit, const Message& message);
  void mark_others(std::int32_t id, const Runs& now);

  Times& times_;
  Window& window_;
  Solver& solver_;
  QueueRules queues_;
  LinkArbiter arbiter_;
  Run control_{};  ///< the control wavelet of the current message
};

}  // namespace muster::wafer

// The times of operations, one execution at a time.
#pragma once

#include "backend/wafer/stream/queue_rules.h"

namespace muster::wafer {

/// An element is used when all its operands have arrived, the datapath and the ramp are free, and there is space for what it
/// sends. The control wavelets follow the last one.
class ExecutionRules {
 public:
  ExecutionRules(Times& times, Window& window, Solver& solver)
      : times_(times), window_(window), solver_(solver), queues_(times, window, solver), sends_(times) {}

  /// Gives an execution the earliest times that the current times of the others allow, and marks those affected. True
  /// if its times changed.
  bool evaluate(std::int32_t id);

 private:
  /// The sending half of an exchange, which has priority over the receiving half.
  struct SendChain final : Rivals::Chain {
    explicit SendChain(const Times& all) : times(all) {}
    const Times& times;
    [[nodiscard]] Runs runs(std::int32_t id) const override { return times.executions[id]; }
    [[nodiscard]] std::int32_t after(std::int32_t) const override { return kNone; }
  };
  bool evaluate_work(std::int32_t id, const LaneEnd& start);
  bool evaluate_send(std::int32_t id, const LaneEnd& start);
  bool evaluate_take(std::int32_t id, const LaneEnd& start);
  [[nodiscard]] LaneEnd start_of(const Execution& execution) const;
  [[nodiscard]] Question question(std::int32_t id, std::int32_t count, std::int64_t floor, std::int32_t step) const;
  std::int32_t add_operands(const Execution& execution);
  bool store_times(std::int32_t id, Lateness lateness);
  bool finish(std::int32_t id, LaneEnd end, bool progress);
  bool send_controls(std::int32_t id, LaneEnd& end, bool& progress);

  Times& times_;
  Window& window_;
  Solver& solver_;
  QueueRules queues_;
  SendChain sends_;
};

}  // namespace muster::wafer

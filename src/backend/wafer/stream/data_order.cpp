// Depth first, with a list of its own instead of recursion: a chain may be a million executions long.
#include "backend/wafer/stream/data_order.h"

#include "base/index.h"

namespace muster::wafer {
namespace {

class Demand {
 public:
  Demand(const Cells& cells, const Trace& trace)
      : cells_(cells),
        trace_(trace),
        last_(cells.program().class_of.size(), kNone),
        before_(trace.executions.size(), kNone),
        after_(trace.executions.size(), kNone),
        done_(trace.executions.size(), false) {
    order_.reserve(trace.executions.size());
    // Executions are numbered as they happened, so this is an order of a processor's lanes that works.
    for (std::int32_t e = 0; e < static_cast<std::int32_t>(trace.executions.size()); ++e) {
      std::int32_t& last = last_[at(trace.executions[at(e)].node)];
      before_[at(e)] = last;
      if (last != kNone) after_[at(last)] = e;
      last = e;
    }
  }

  /// All executions of a node.
  void want(NodeId node) {
    if (last_[at(node)] != kNone) wanted_.push_back(last_[at(node)]);
    while (!wanted_.empty()) {
      const std::int32_t execution = wanted_.back();
      const std::int32_t missing = done_[at(execution)] ? kNone : first_missing(execution);
      if (missing != kNone) {
        wanted_.push_back(missing);
        continue;
      }
      wanted_.pop_back();
      if (!done_[at(execution)]) add(execution);
    }
  }

  std::vector<std::int32_t> order() && { return std::move(order_); }

 private:
  [[nodiscard]] std::int32_t first_missing(std::int32_t id) const {
    const std::int32_t before = before_[at(id)];
    if (before != kNone && !done_[at(before)]) return before;
    const Execution& execution = trace_.executions[at(id)];
    for (std::int32_t i = 0; i < execution.take_count; ++i) {
      const std::int32_t transit = trace_.takes[at(execution.first_take + i)];
      const std::int32_t sender = trace_.messages[at(trace_.transits[at(transit)].message)].execution;
      if (!done_[at(sender)]) return sender;
    }
    return kNone;
  }

  /// What moves no data comes along: no one may ask for it, but a node's memory is free once its last execution is over.
  void add(std::int32_t id) {
    do {
      done_[at(id)] = true;
      order_.push_back(id);
      id = after_[at(id)];
    } while (id != kNone && !done_[at(id)] && moves_nothing(trace_.executions[at(id)]));
  }

  [[nodiscard]] bool moves_nothing(const Execution& execution) const {
    const OperationShape& shape = cells_.shape(execution.node).operations[at(execution.operation)];
    return shape.count == 0 && !shape.exchange;
  }

  const Cells& cells_;
  const Trace& trace_;
  std::vector<std::int32_t> last_;    ///< of each node
  std::vector<std::int32_t> before_;  ///< of each execution, on its node
  std::vector<std::int32_t> after_;   ///< of each execution, on its node
  std::vector<bool> done_;
  std::vector<std::int32_t> wanted_;  ///< each waits for the next one
  std::vector<std::int32_t> order_;
};

}  // namespace

std::vector<std::int32_t> executions_on_demand(const Cells& cells, const Trace& trace, const DataContract& contract) {
  Demand demand(cells, trace);
  for (NodeId node = 0; node < static_cast<NodeId>(cells.program().class_of.size()); ++node) {
    if (contract.owes(node)) demand.want(node);
  }
  return std::move(demand).order();
}

}  // namespace muster::wafer

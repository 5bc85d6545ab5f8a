#include "backend/wafer/stream/measures.h"

#include <algorithm>
#include <bit>
#include <span>

#include "base/index.h"

namespace muster::wafer {

TrafficCounter::TrafficCounter(const Cells& cells, const Trace& trace) : cells_(cells), trace_(trace) {
  traffic.resize(cells.program().class_of.size());
  for (const Transit& transit : trace.transits) add(transit);
  for (const Execution& execution : trace.executions) add(execution);
}

void TrafficCounter::add(const Transit& transit) {
  const Message& message = trace_.messages[at(transit.message)];
  Traffic& t = traffic[at(cells_.router(transit.cell))];
  for (unsigned left = transit.to & ~set_of(Direction::ramp); left != 0; left &= left - 1) {
    t.link[at(std::countr_zero(left))] += message.wavelets();
    hops += message.words;
  }
  if (has(transit.to, Direction::ramp)) {
    t.ramp_in += message.wavelets();
    t.data_in += message.words;
  }
  if (transit.parent == kNone) {
    t.ramp_out += message.wavelets();
    t.data_out += message.words;
  }
}

void TrafficCounter::add(const Execution& execution) {
  const OperationShape& shape = cells_.shape(execution.node).operations[at(execution.operation)];
  const bool sends = execution.kind == Execution::Kind::send;
  traffic[at(execution.node)].busy +=
      sends ? shape.sent_count : static_cast<std::int64_t>(shape.count) * std::max(1, shape.cost);
}

namespace {

/// The position in a span of its last element that is owed, or -1.
std::int64_t last_owed(const DataContract& contract, NodeId node, Buffer buffer, std::span<const Range> span) {
  std::int64_t first = 0, last = -1;
  for (const Range& range : span) {
    std::int64_t length = contract.owes(node, buffer, range) == DataContract::Owes::none ? 0 : range.count;
    while (length > 0 && !contract.owes(node, buffer, range.first + length - 1)) --length;
    if (length > 0) last = first + length - 1;
    first += range.count;
  }
  return last;
}

/// When the last element that the node owes is stored by the execution; 0 if it stores none.
std::int64_t last_owed_store(const Cells& cells, const DataContract& contract, const Execution& execution,
                             const Runs& used) {
  const OperationShape& shape = cells.shape(execution.node).operations[at(execution.operation)];
  const Operation& o = *shape.operation;
  if (execution.kind == Execution::Kind::send || o.store == Buffer::none || !contract.owes(execution.node)) return 0;
  const SpanTable& spans = cells.program().spans;
  const std::int64_t k = last_owed(contract, execution.node, o.store, spans.ranges(o.store_elements));
  return k < 0 ? 0 : used.time(static_cast<std::int32_t>(k)) + std::max(1, shape.cost);
}

}  // namespace

std::vector<std::vector<NodeTimes>> node_times(const Cells& cells, const Trace& trace, const Timing& timing,
                                               const DataContract& contract, int calls) {
  std::vector<std::vector<NodeTimes>> times(at(calls), std::vector<NodeTimes>(cells.program().class_of.size()));
  for (std::size_t e = 0; e < trace.executions.size(); ++e) {
    const Execution& execution = trace.executions[e];
    const auto id = static_cast<std::int32_t>(e);
    NodeTimes& node = times[at(execution.call)][at(execution.node)];
    node.owed = std::max(node.owed, Cycles(last_owed_store(cells, contract, execution, timing.used(id))));
    if (execution.last_of_call) node.finished = std::max(node.finished, Cycles(timing.end(id).finish));
  }
  return times;
}

}  // namespace muster::wafer

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

/// When the first word of a message was sent to a router: by the router before it, or by the processor.
std::int64_t first_sent(const Trace& trace, const Timing& timing, const Transit& transit) {
  if (transit.parent != kNone) return timing.moved(transit.parent).begin[0].time;
  const std::int32_t sender = trace.messages[at(transit.message)].execution;
  const Runs used = timing.used(sender);
  return used.known > 0 ? used.begin[0].time : timing.end(sender).finish;
}

}  // namespace

LinkUse link_use(const Cells& cells, const Trace& trace, const Timing& timing) {
  LinkUse use(cells.program().class_of.size());
  for (std::size_t t = 0; t < trace.transits.size(); ++t) {
    const Transit& transit = trace.transits[t];
    const std::size_t node = at(cells.router(transit.cell));
    const std::int64_t sent = first_sent(trace, timing, transit);
    for (unsigned left = transit.to; left != 0; left &= left - 1) {
      const auto link = at(std::countr_zero(left));
      const bool is_used = direction_at(static_cast<int>(link)) == Direction::ramp && transit.taker != kNone;
      const Runs last = is_used ? timing.used(transit.taker) : timing.moved(static_cast<std::int32_t>(t));
      std::int64_t& first = use.first_sent[node].at(link);
      if (first == kNever || sent < first) first = sent;
      use.last_moved[node].at(link) = std::max(use.last_moved[node].at(link), last.last());
    }
  }
  return use;
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

std::vector<LaneEnd> lane_ends(const Cells& cells, const Trace& trace, const Timing& timing) {
  std::vector<LaneEnd> ends(cells.program().class_of.size());
  for (std::size_t e = 0; e < trace.executions.size(); ++e) {
    const Execution& execution = trace.executions[e];
    if (execution.after == kNone) ends[at(execution.node)] = timing.end(static_cast<std::int32_t>(e));
  }
  return ends;
}

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

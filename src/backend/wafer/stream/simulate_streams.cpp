// The stream engine: messages, then times, then data; what it cannot do goes to the cycle engine.
#include <algorithm>
#include <bit>

#include "backend/wafer/simulate/make_result.h"
#include "backend/wafer/stream/data.h"
#include "backend/wafer/stream/timing.h"
#include "backend/wafer/wafer.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

Result hand_over(const WaferProgram& program, const SimulateOptions& options, const std::string& why,
                 std::int64_t effort = 0) {
  Result result;
  if (!options.streams_only) result = simulate(program, options);
  result.effort = effort;
  result.note = "the stream engine was not used: " + why;
  return result;
}

/// Why the engine is not for such a request, or nothing.
std::string beyond_streams(const Mesh& mesh, const SimulateOptions& options) {
  if (options.timeline) return "it keeps no timeline";
  if (mesh.operation_start.value() > 0 || mesh.receive_gap.value() > 0) return "operations have a start-up or a gap";
  if (mesh.arbitration != Arbitration::lowest_color) return "link arbitration is not lowest color first";
  return "";
}

/// What passes each router and works in each processor does not depend on times.
class TrafficCounter {
 public:
  TrafficCounter(const Cells& cells, const Trace& trace) : cells_(cells), trace_(trace) {
    traffic.resize(cells.program().class_of.size());
    for (const Transit& transit : trace.transits) add(transit);
    for (const Execution& execution : trace.executions) add(execution);
  }
  std::vector<Traffic> traffic;
  std::int64_t hops = 0;

 private:
  void add(const Transit& transit) {
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
  void add(const Execution& execution) {
    const OperationShape& shape = cells_.shape(execution.node).operations[at(execution.operation)];
    const bool sends = execution.kind == Execution::Kind::send;
    traffic[at(execution.node)].busy +=
        sends ? shape.sent_count : static_cast<std::int64_t>(shape.count) * std::max(1, shape.cost);
  }
  const Cells& cells_;
  const Trace& trace_;
};

/// When the last element that the node owes is stored by the execution; 0 if it stores none.
std::int64_t last_owed_store(const Cells& cells, const DataContract& contract, const Execution& execution,
                             const Runs& used) {
  const OperationShape& shape = cells.shape(execution.node).operations[at(execution.operation)];
  const Operation& o = *shape.operation;
  if (execution.kind == Execution::Kind::send || o.store == Buffer::none || !contract.owes(execution.node)) return 0;
  std::int32_t k = shape.count - 1;
  const SpanTable& spans = cells.program().spans;
  while (k >= 0 && !contract.owes(execution.node, o.store, spans.element(o.store_elements, k))) --k;
  return k < 0 ? 0 : used.time(k) + std::max(1, shape.cost);
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

/// The last cycle in which anything moves.
std::int64_t last_cycle(const Trace& trace, const Timing& timing) {
  std::int64_t last = 0;
  for (std::int32_t t = 0; t < static_cast<std::int32_t>(trace.transits.size()); ++t) {
    last = std::max(last, timing.moved(t).last());
  }
  for (std::int32_t e = 0; e < static_cast<std::int32_t>(trace.executions.size()); ++e) {
    last = std::max(last, timing.end(e).finish);
  }
  return last;
}

}  // namespace

Result simulate_streams(const WaferProgram& program, const SimulateOptions& options) {
  if (const std::string why = beyond_streams(program.mesh(), options); !why.empty()) {
    return hand_over(program, options, why);
  }
  const int calls = std::max(1, options.calls);
  const Cells cells(program);
  const Trace trace = trace_messages(cells, calls);
  if (!trace.unsupported.empty()) return hand_over(program, options, trace.unsupported);
  if (!trace.parts.empty()) return hand_over(program, options, trace.parts);
  if (trace.fault) return hand_over(program, options, trace.fault->kind + " at " + trace.fault->location);
  Timing timing(cells, trace);
  if (const std::string why = timing.unsupported(); !why.empty()) return hand_over(program, options, why);
  if (!timing.run(options.most_effort)) {
    const bool given_up = timing.evaluations() >= options.most_effort;
    const std::string why =
        given_up ? fmt::format("it is not done after {} steps", timing.evaluations()) : "its times do not converge";
    return hand_over(program, options, why, timing.evaluations());
  }
  if (last_cycle(trace, timing) >= options.give_up.value()) return hand_over(program, options, "too many cycles");

  const DataContract contract(program);
  auto times = node_times(cells, trace, timing, contract, calls);
  std::vector<Cycles> call_ends;
  for (const auto& call : times) {
    const auto last = std::max_element(call.begin(), call.end(),
                                       [](const NodeTimes& a, const NodeTimes& b) { return a.owed < b.owed; });
    call_ends.push_back(last == call.end() ? Cycles(0) : last->owed);
  }
  const TrafficCounter counter(cells, trace);
  Result result = make_result(Measured{
      .program = program, .traffic = counter.traffic, .hops = counter.hops, .call_ends = std::move(call_ends)});
  result.engine = "stream";
  result.effort = timing.evaluations();
  if (trace.finding) {
    result.note = fmt::format("{} at {}: {}", trace.finding->kind, trace.finding->location, trace.finding->message);
  }
  result.node_times = std::move(times);
  result.outputs = compute_data(cells, trace, contract, {.calls = calls, .seed = options.seed}).outputs;
  return result;
}

}  // namespace muster::wafer

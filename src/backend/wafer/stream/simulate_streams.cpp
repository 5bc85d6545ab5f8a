// The stream engine: messages, then times, then data; what it cannot do goes to the cycle engine.
#include <algorithm>

#include "backend/wafer/simulate/make_result.h"
#include "backend/wafer/stream/data.h"
#include "backend/wafer/stream/measures.h"
#include "backend/wafer/stream/phases.h"
#include "backend/wafer/wafer.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

/// Up to so many processors, phases are simulated together, with the data of the whole.
constexpr std::size_t kSimulatedWhole = 1024;

Result hand_over(const WaferProgram& program, const SimulateOptions& options, const std::string& why,
                 std::int64_t effort = 0) {
  Result result;
  if (!options.streams_only) result = simulate(program, options);
  result.effort = effort;
  result.note = "the stream engine was not used: " + why;
  return result;
}

}  // namespace

std::string beyond_streams(const Mesh& mesh, const SimulateOptions& options) {
  if (options.timeline) return "it keeps no timeline, which --trace and --svg show";
  if (mesh.operation_start.value() > 0 || mesh.receive_gap.value() > 0) return "operations have a start-up or a gap";
  if (mesh.receive_interval.value() > 1) return "processors take less than an element per cycle";
  if (mesh.arbitration != Arbitration::lowest_color) return "link arbitration is not lowest color first";
  return "";
}

namespace {

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
  if (program.class_of.size() > kSimulatedWhole) {
    if (auto result = simulate_phases(program, options)) return *std::move(result);
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
  if (!options.times_only) {
    result.outputs = compute_data(cells, trace, contract, {.calls = calls, .seed = options.seed}).outputs;
  }
  return result;
}

}  // namespace muster::wafer

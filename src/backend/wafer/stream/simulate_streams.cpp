// The stream engine: messages, then times, then data; what it cannot do goes to the cycle engine.
#include <algorithm>

#include "backend/wafer/simulate/make_result.h"
#include "backend/wafer/stream/data.h"
#include "backend/wafer/stream/joined_pieces.h"
#include "backend/wafer/stream/measures.h"
#include "backend/wafer/stream/phases.h"
#include "backend/wafer/wafer.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

/// Up to so many processors, phases are simulated together, with the data of the whole, and the cycle engine's state fits into
/// caches.
constexpr std::size_t kSimulatedWhole = 1024;

// Where streams contend or messages are short, the cycle engine is quicker. It takes 15 to 25 ns per hop; the stream engine takes
// 200 ns per evaluation of an item (a transit or an execution): measured with a star, a tree and a two-phase reduce of 512 PEs.
constexpr std::int64_t kHopsPerStep = 16;   ///< more than an evaluation is worth, so that little is lost by trying
constexpr std::int64_t kFewSteps = 16'384;  ///< milliseconds: no reason to change the engine
constexpr std::int64_t kQuickPasses = 4;  ///< evaluations of each item where streams do not contend, the proof included

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
  if (mesh.local_interval.value() > 1) return "processors work on less than an element per cycle in memory";
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

std::string finding_text(const Trace& trace) {
  const auto& finding = trace.finding;
  return finding ? fmt::format("{} at {}: {}", finding->kind, finding->location, finding->message) : "";
}

/// How many evaluations the stream engine may make before the cycle engine is the quicker choice, if that may be chosen.
std::int64_t worthwhile_effort(const Trace& trace, std::int64_t hops, const WaferProgram& program,
                               const SimulateOptions& options) {
  const bool may_choose =
      options.engine == Engine::automatic && !options.streams_only && program.class_of.size() <= kSimulatedWhole;
  if (!may_choose) return options.most_effort;
  const auto items = static_cast<std::int64_t>(trace.order.size());
  const std::int64_t limit = std::max(hops / kHopsPerStep, kFewSteps);
  return std::min(options.most_effort, items > limit ? 0 : std::max(limit, kQuickPasses * items));
}

std::string not_done_after(std::int64_t evaluations) {
  return fmt::format("it is not done after {} steps", evaluations);
}

Result by_cycles(const WaferProgram& program, const SimulateOptions& options, const Trace& trace, std::int64_t effort) {
  Result result = hand_over(program, options, "the cycle engine takes less time", effort);
  if (trace.finding) result.note = finding_text(trace);
  return result;
}

/// The program `given`, followed through these cells.
Result simulate_traced(const WaferProgram& given, const Cells& cells, const Trace& trace,
                       const SimulateOptions& options) {
  const int calls = std::max(1, options.calls);
  if (!trace.unsupported.empty()) return hand_over(given, options, trace.unsupported);
  if (!trace.parts.empty()) return hand_over(given, options, trace.parts);
  if (trace.fault) return hand_over(given, options, trace.fault->kind + " at " + trace.fault->location);
  const DataContract contract(given);
  const auto outputs = [&] {
    return compute_data(cells, trace, contract, {.calls = calls, .seed = options.seed}).outputs;
  };
  if (options.data_only) return {.engine = "stream", .note = finding_text(trace), .outputs = outputs()};
  Timing timing(cells, trace);
  if (const std::string why = timing.unsupported(); !why.empty()) return hand_over(given, options, why);
  const TrafficCounter counter(cells, trace);
  const std::int64_t most = worthwhile_effort(trace, counter.hops, given, options);
  const bool is_timed = most > 0 && timing.run(most);
  if (!is_timed && most < options.most_effort && timing.evaluations() >= most) {
    return by_cycles(given, options, trace, timing.evaluations() + counter.hops / kHopsPerStep);
  }
  if (!is_timed) {
    const bool given_up = timing.evaluations() >= options.most_effort;
    const std::string why = given_up ? not_done_after(timing.evaluations()) : "its times do not converge";
    return hand_over(given, options, why, timing.evaluations());
  }
  if (last_cycle(trace, timing) >= options.give_up.value()) return hand_over(given, options, "too many cycles");

  auto times = node_times(cells, trace, timing, contract, calls);
  std::vector<Cycles> call_ends;
  for (const auto& call : times) {
    const auto last = std::max_element(call.begin(), call.end(),
                                       [](const NodeTimes& a, const NodeTimes& b) { return a.owed < b.owed; });
    call_ends.push_back(last == call.end() ? Cycles(0) : last->owed);
  }
  Result result = make_result(
      Measured{.program = given, .traffic = counter.traffic, .hops = counter.hops, .call_ends = std::move(call_ends)});
  result.engine = "stream";
  result.effort = timing.evaluations();
  result.note = finding_text(trace);
  result.node_times = std::move(times);
  if (!options.times_only) result.outputs = outputs();
  return result;
}

Result simulate_whole(const WaferProgram& program, const SimulateOptions& options) {
  const int calls = std::max(1, options.calls);
  if (const auto joined = with_joined_pieces(program)) {
    const Cells cells(*joined);
    const Trace trace = trace_messages(cells, calls);
    const bool has_messages = trace.unsupported.empty() && trace.parts.empty() && !trace.fault;
    if (has_messages) return simulate_traced(program, cells, trace, options);
  }
  const Cells cells(program);
  return simulate_traced(program, cells, trace_messages(cells, calls), options);
}

}  // namespace

Result simulate_streams(const WaferProgram& program, const SimulateOptions& options) {
  if (const std::string why = beyond_streams(program.mesh(), options); !why.empty()) {
    return hand_over(program, options, why);
  }
  if (const std::string what = beyond_combining(program); !what.empty()) {
    return hand_over(program, options, fmt::format("the program has {}", what));
  }
  Effort effort{.most = options.most_effort};
  if (program.class_of.size() > kSimulatedWhole && !options.data_only) {
    if (auto result = simulate_phases(program, options, effort)) return *std::move(result);
    if (effort.left() <= 0) return hand_over(program, options, not_done_after(effort.spent), effort.spent);
  }
  SimulateOptions left = options;
  left.most_effort = effort.left();
  Result result = simulate_whole(program, left);
  result.effort += effort.spent;
  return result;
}

}  // namespace muster::wafer

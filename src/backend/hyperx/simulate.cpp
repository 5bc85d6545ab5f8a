// Chooses the engine, and puts its times and data together.
#include "backend/hyperx/check.h"
#include "backend/hyperx/data.h"
#include "backend/hyperx/hyperx.h"
#include "backend/hyperx/lines.h"
#include "backend/hyperx/measure.h"
#include "backend/hyperx/memories.h"
#include "backend/hyperx/packets.h"
#include "backend/hyperx/timeline.h"

namespace muster::hyperx {
namespace {

Result failed(const char* engine, Fault fault) {
  Result result;
  result.engine = engine;
  result.fault = std::move(fault);
  return result;
}

std::uint64_t seed_of_call(const SimulateOptions& options, int call) {
  return options.seed + static_cast<std::uint64_t>(call);
}

/// The result that times make, with what was asked for of them.
Result measured(const Wiring& wiring, const Timing& timing, std::span<const RowTimes> times,
                const SimulateOptions& options) {
  Result result = measure(wiring, timing, times, options.calls);
  if (options.timeline) result.timeline = timeline_of(wiring, timing, times, result.cycles->value());
  return result;
}

Result simulate_packets(const Wiring& wiring, const Timing& timing, const SimulateOptions& options) {
  Result result;
  std::vector<Outputs> outputs;
  std::int64_t events = 0;
  for (int call = 0; call < options.calls; ++call) {
    PacketRun run = run_packets(wiring, timing, seed_of_call(options, call), options.progress);
    if (run.fault) return failed("packets", *std::move(run.fault));
    if (call == 0) result = measured(wiring, timing, run.times, options);
    outputs.push_back(std::move(run.outputs));
    events += run.events;
  }
  result.engine = "packets";
  result.outputs = std::move(outputs);
  result.effort = events;
  return result;
}

Result simulate_lines(const Wiring& wiring, const Timing& timing, const SimulateOptions& options) {
  const RowOrder order = order_of(wiring);
  if (auto fault = check_wiring(wiring, order)) return failed("lines", *std::move(fault));
  const LineRun run = run_lines(wiring, order, timing);
  Result result = measured(wiring, timing, run.times, options);
  result.engine = "lines";
  if (run.ids_in_blocks > 0) {
    result.note = fmt::format(
        "buffers do not cover the round-trip time of the links: {} of {} ids were simulated packet by packet, {}",
        run.ids_in_blocks, wiring.registers().segments.size(),
        run.ids_to_the_end > 0 ? "to the end" : "until the times became periodic");
  }
  result.effort = run.effort;
  for (int call = 0; call < options.calls && words_held(wiring.program()) <= kMostComputedWords; ++call) {
    result.outputs.push_back(compute_data(wiring, order, seed_of_call(options, call)));
  }
  return result;
}

}  // namespace

Result simulate(const HyperXProgram& program, const SimulateOptions& options) {
  const bool moves_packets = options.engine == Engine::cycle;
  if (auto fault = check_form(program)) return failed(moves_packets ? "packets" : "lines", *std::move(fault));
  const Wiring wiring(program);
  const Timing timing(wiring, options.options.of<HyperXOptions>());
  return moves_packets ? simulate_packets(wiring, timing, options) : simulate_lines(wiring, timing, options);
}

}  // namespace muster::hyperx

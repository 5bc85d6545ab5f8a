#include "backend/torus/run_program.h"

#include <algorithm>

#include "backend/torus/link_load.h"
#include "backend/torus/processor.h"
#include "backend/torus/timeline.h"
#include "base/index.h"
#include "machine/routing.h"
#include "result/time_base.h"

namespace muster::torus {
namespace {

Seconds seconds_of(const Torus& torus, Cycle cycles) {
  return to_seconds(Ticks(cycles), {.ticks_per_second = torus.clock.value(), .is_clock = true});
}

/// What the dataflow processors and the compute processor of the slowest core did until it had its result.
std::vector<TimePart> parts_of(const TorusProgram& program, const Cores& cores, Cycle end) {
  NodeId slowest = 0;
  for (NodeId node = 0; node < std::ssize(program.cores); ++node) {
    if (cores.result_at(node) == end) slowest = node;
  }
  const Torus& torus = program.torus();
  const Cycle combining = cores.processor(slowest, Processor::compute).combining();
  const Cycle issuing = std::max(cores.processor(slowest, Processor::dataflow_0).issuing(),
                                 cores.processor(slowest, Processor::dataflow_1).issuing());
  const Cycle software = std::min(issuing, std::max<Cycle>(end - combining, 0));
  return {{.name = "combining", .seconds = seconds_of(torus, combining)},
          {.name = "software", .seconds = seconds_of(torus, software)},
          {.name = "network", .seconds = seconds_of(torus, end - combining - software)}};
}

/// Appends one call of the collective, from when the calls before it have ended everywhere.
void run_call(const TorusProgram& program, const SimulateOptions& options, Chip::Detail detail, std::uint64_t seed,
              Result& result) {
  const Torus& torus = program.torus();
  Chip chip(torus, seed, detail);
  const bool has_data = detail == Chip::Detail::flits;
  Cores cores(program, chip, has_data ? std::optional(seed) : std::nullopt);
  const bool records = options.timeline && result.call_cycles.empty();
  if (records) cores.record();
  cores.start();
  chip.run(options.give_up.value());
  const Cycle before = result.call_cycles.empty() ? 0 : result.call_cycles.back().value();
  if (const auto stuck = cores.stuck(); !stuck.empty()) {
    const bool gave_up = chip.now() >= options.give_up.value();
    result.fault = Fault{.kind = gave_up ? "gave up" : "deadlock",
                         .location = node_text(program.machine, stuck.front().node),
                         .cycle = Ticks(before + chip.now()),
                         .message = fmt::format("{} of {} processors never end; this one waits for {}", stuck.size(),
                                                program.cores.size() * kProcessors, stuck.front().waits_for)};
    return;
  }
  Cycle end = 0;
  auto& times = result.node_times.emplace_back();
  for (NodeId node = 0; node < std::ssize(program.cores); ++node) {
    end = std::max(end, cores.result_at(node));
    times.push_back(
        {.owed = Ticks(before + cores.result_at(node)), .finished = Ticks(before + cores.finished_at(node))});
  }
  if (records) {
    CallNumber last;
    for (NodeId node = 0; node < std::ssize(program.cores); ++node) {
      if (cores.result_at(node) == end && cores.result_call(node).processor >= 0) last = cores.result_call(node);
    }
    result.timeline = last.processor < 0 ? Timeline{} : timeline_of(program, cores.log(), last);
  }
  if (result.call_cycles.empty()) {
    result.parts = parts_of(program, cores, end);
    for (int noc = 0; noc < 2; ++noc) result.resources.push_back(link_load(chip, noc, end));
    result.utilization = (result.resources[0].utilization + result.resources[1].utilization) / 2;
    for (const Resource& resource : result.resources) result.hops += resource.bytes.value() / torus.flit.value();
    result.max_port_load = cores.most_words();
  }
  result.call_cycles.emplace_back(before + end);
  if (has_data) result.outputs.push_back(cores.memories().outputs());
}

}  // namespace

Result run_program(const TorusProgram& program, const SimulateOptions& options, Chip::Detail detail) {
  Result result{.engine = detail == Chip::Detail::flits ? "flit" : "flow",
                .note = detail == Chip::Detail::flits ? "" : "flows are approximate and move no data"};
  for (int call = 0; call < options.calls && !result.fault; ++call) {
    run_call(program, options, detail, options.seed + static_cast<std::uint64_t>(call), result);
  }
  if (result.fault) {
    result.outputs.clear();
    return result;
  }
  result.cycles = result.call_cycles.front();
  result.seconds = seconds_of(program.torus(), result.cycles->value());
  return result;
}

}  // namespace muster::torus

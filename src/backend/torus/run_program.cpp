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

/// What the processors of the busiest core did in the first call; the rest of the call is the network's. (The slowest core may have done
/// nothing but wait.)
std::vector<TimePart> parts_of(const TorusProgram& program, const Cores& cores) {
  const Cycle end = cores.end(0);
  Cycle combining = 0;
  Cycle issuing = 0;
  for (NodeId node = 0; node < std::ssize(program.cores); ++node) {
    const Cycle combines = cores.processor(node, Processor::compute).combining();
    const Cycle issues = std::max(cores.processor(node, Processor::dataflow_0).issuing(),
                                  cores.processor(node, Processor::dataflow_1).issuing());
    if (combines + issues <= combining + issuing) continue;
    combining = combines;
    issuing = issues;
  }
  combining = std::min(combining, end);
  const Torus& torus = program.torus();
  const Cycle software = std::min(issuing, end - combining);
  return {{.name = "combining", .seconds = seconds_of(torus, combining)},
          {.name = "software", .seconds = seconds_of(torus, software)},
          {.name = "network", .seconds = seconds_of(torus, end - combining - software)}};
}

Timeline timeline_of_first_call(const TorusProgram& program, const Cores& cores) {
  CallNumber last;
  for (NodeId node = 0; node < std::ssize(program.cores); ++node) {
    if (cores.times(0, node).result == cores.end(0) && cores.result_call(node).processor >= 0) {
      last = cores.result_call(node);
    }
  }
  return last.processor < 0 ? Timeline{} : timeline_of(program, cores.log(), last);
}

std::optional<Fault> fault_of(const TorusProgram& program, const SimulateOptions& options, const Chip& chip,
                              const Cores& cores, Cycle before) {
  const auto stuck = cores.stuck();
  if (stuck.empty()) return std::nullopt;
  const bool gave_up = chip.now() >= options.give_up.value();
  return Fault{.kind = gave_up ? "gave up" : "deadlock",
               .location = node_text(program.machine, stuck.front().node),
               .cycle = Ticks(before + chip.now()),
               .message = fmt::format("{} of {} processors never end; this one waits for {}", stuck.size(),
                                      program.cores.size() * kProcessors, stuck.front().waits_for)};
}

/// The times of one more call, which began `before`.
void add_call(const TorusProgram& program, Cores& cores, int round, Cycle before, Result& result) {
  auto& times = result.node_times.emplace_back();
  for (NodeId node = 0; node < std::ssize(program.cores); ++node) {
    const Cores::Times& t = cores.times(round, node);
    times.push_back({.owed = Ticks(before + t.result),
                     .finished = Ticks(before + t.finished),
                     .started = Ticks(before + t.started)});
  }
  result.call_cycles.emplace_back(before + cores.end(round));
  if (!cores.outputs(round).empty()) result.outputs.push_back(std::move(cores.outputs(round)));
}

/// Appends calls of the collective that follow each other on every core; the first begins when the calls before it have ended everywhere.
void run_calls(const TorusProgram& program, const SimulateOptions& options, Chip::Detail detail, int calls,
               Result& result) {
  const std::uint64_t seed = options.seed + result.call_cycles.size();
  Chip chip(program.torus(), seed, detail);
  const bool has_data = detail == Chip::Detail::flits;
  Cores cores(program, chip, has_data ? std::optional(seed) : std::nullopt, calls);
  const bool is_first = result.call_cycles.empty();
  if (options.timeline && is_first) cores.record();
  cores.start();
  chip.run(options.give_up.value());
  Cycle before = 0;
  if (!is_first) {
    for (const NodeTimes& times : result.node_times.back()) before = std::max<Cycle>(before, times.finished.value());
  }
  result.fault = fault_of(program, options, chip, cores, before);
  if (result.fault) return;
  for (int round = 0; round < calls; ++round) add_call(program, cores, round, before, result);
  if (!is_first) return;
  if (options.timeline) result.timeline = timeline_of_first_call(program, cores);
  result.parts = parts_of(program, cores);
  for (int noc = 0; noc < 2; ++noc) result.resources.push_back(link_load(chip, noc, cores.end(calls - 1)));
  result.utilization = (result.resources[0].utilization + result.resources[1].utilization) / 2;
  for (const Resource& resource : result.resources) {
    result.hops += resource.bytes.value() / program.torus().flit.value();
  }
  result.max_port_load = cores.most_words();
}

}  // namespace

Result run_program(const TorusProgram& program, const SimulateOptions& options, Chip::Detail detail) {
  Result result{.engine = detail == Chip::Detail::flits ? "flit" : "flow",
                .note = detail == Chip::Detail::flits ? "" : "flows are approximate and move no data"};
  const std::string refusal = options.calls == 1 ? "" : Repetition(program).refusal();
  if (refusal.empty()) {
    run_calls(program, options, detail, options.calls, result);
  } else {
    if (!result.note.empty()) result.note += "; ";
    result.note += "each call begins when the one before has ended everywhere: " + refusal;
    for (int call = 0; call < options.calls && !result.fault; ++call) run_calls(program, options, detail, 1, result);
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

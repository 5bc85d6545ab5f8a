#include "backend/torus/lower.h"

#include <algorithm>

#include "backend/torus/fitness.h"
#include "backend/torus/lowerer.h"
#include "base/index.h"
#include "machine/routing.h"

namespace muster::torus {
namespace {

std::int64_t events_needed(const Schedule& flat) {
  std::int64_t events = 0;
  for (const Step& step : flat.steps) events += step.outputs.count > 0 ? 2 : 1;
  return events;
}

}  // namespace

/// The NoC that a route takes: its first hop tells.
Processor Lowerer::processor_of(StreamId stream) const {
  const Stream& s = flat_.streams[at(stream)];
  if (s.route == kDefaultRoute) return Processor::dataflow_0;
  const auto& hops = flat_.routes[at(s.route)];
  const auto first = std::find_if(hops.begin(), hops.end(), [&](const Hop& hop) { return hop.from == s.source; });
  if (first == hops.end()) return Processor::dataflow_0;
  return hops_on(torus_, 0, first->from, first->to) == 1 ? Processor::dataflow_0 : Processor::dataflow_1;
}

/// The processor that sends next in the step's lane: with the step itself if it pushes its result.
std::optional<Processor> Lowerer::next_sender(StepId step) const {
  for (StepId s = step; s != kNoStep; s = index_.behind(s)) {
    if (s == step && flat_.steps[at(s)].is_exchange()) continue;
    for (const StreamId stream : flat_.outputs_of(flat_.steps[at(s)])) {
      if (carries_data(flat_, stream)) return processor_of(stream);
    }
  }
  return std::nullopt;
}

/// Who looks for what a step takes: not the one that sends in this step, which is busy; else the one that sends next.
Processor Lowerer::listener_of(StepId step) {
  if (flat_.steps[at(step)].is_exchange()) {
    for (const StreamId stream : flat_.outputs_of(flat_.steps[at(step)])) {
      if (carries_data(flat_, stream)) return other(processor_of(stream));
    }
  }
  return next_sender(step).value_or(writer(index_.node_of[at(step)]).idler());
}

std::optional<std::string> Lowerer::exceeded() const {
  const std::int64_t used = *std::max_element(landing_end_.begin(), landing_end_.end());
  const std::int64_t free = torus_.memory.value() - kReservedMemory.value();
  if (used <= free) return std::nullopt;
  return fmt::format("memory: a tile has {} free, the program needs {}; use fewer elements", to_text(Bytes(free)),
                     to_text(Bytes(used)));
}

/// Every processor ends when all that it began is done, and the result is there.
void Lowerer::finish_cores() {
  for (NodeId node = 0; node < ranks_; ++node) {
    Core& core = program_->cores.emplace_back(writer(node).finish());
    core.counters = groups_.counters_of(node);
    for (auto& calls : core.calls) {
      for (Call& call : calls) groups_.number_counters(node, call);
    }
    const Processor last = writer(node).idler();
    for (const Await& await : groups_.unawaited(node, writer(node))) core.calls[number(last)].emplace_back(await);
    for (const Processor p : {Processor::dataflow_0, Processor::dataflow_1}) {
      auto& calls = core.calls[number(p)];
      bool writes = false, increments = false;
      for (const Call& call : calls) {
        writes |= std::holds_alternative<Write>(call) || std::holds_alternative<Multicast>(call) ||
                  std::holds_alternative<SetEverywhere>(call);
        increments |= std::holds_alternative<Increment>(call);
      }
      if (writes) calls.emplace_back(WriteBarrier{});
      if (increments) calls.emplace_back(AtomicBarrier{});
    }
  }
}

Outcome<std::unique_ptr<TorusProgram>> Lowerer::run() {
  map_memory();
  if (std::ssize(events_) < events_needed(flat_)) {
    return Refusal{"memory: the schedule needs more than one vector for what arrives; use fewer elements"};
  }
  for (const Event& event : events_) event.sends ? send(event.step) : take(event.step);
  if (const auto reason = exceeded()) return Refusal{*reason};
  for (NodeId node = 0; node < ranks_; ++node) groups_.note_awaits(node, writer(node));
  groups_.assign();
  finish_cores();
  program_->pieces = pieces_;
  program_->memory_used = *std::max_element(landing_end_.begin(), landing_end_.end());
  return std::move(program_);
}

Outcome<std::unique_ptr<TorusProgram>> lower(const Schedule& flat, const Machine& machine,
                                             const LowerOptions& options) {
  if (is_linear(flat)) return Refusal{std::string(kLinearRefusal)};
  if (std::any_of(flat.contracts.begin(), flat.contracts.end(),
                  [](const Contract& c) { return is_partly_in_place(c); })) {
    return Refusal{
        "tiles keep all vectors of a reduce in one buffer, but the root holds its own in another; let it copy it"};
  }
  if (const auto reason = unfit_streams(flat, machine)) return Refusal{*reason};
  if (!options.options.of<TorusOptions>().handshake) {
    auto apart = Lowerer(flat, machine, options, true).run();
    if (apart || apart.reason().rfind("memory", 0) != 0) return apart;
  }
  return Lowerer(flat, machine, options, false).run();
}

}  // namespace muster::torus

#include <algorithm>

#include "backend/torus/fitness.h"
#include "backend/torus/lowerer.h"
#include "base/index.h"

namespace muster::torus {

/// Before a core sends what will lie where other data lay, the receiver says that it has used that.
void Lowerer::ask(StreamId stream, NodeId sink) {
  if (lands_apart_) return;
  const NodeId source = flat_.streams[at(stream)].source;
  const Processor sender = processor_of(stream);
  CoreWriter& granter = writer(sink);
  // The one that would send back: so all grants to a sender are counted together.
  const Processor by = hops_on(torus_, 0, sink, source) <= hops_on(torus_, 1, sink, source) ? Processor::dataflow_0
                                                                                            : Processor::dataflow_1;
  const std::int32_t before = granter.count(by);
  bool was_used = false;
  for (const std::int32_t piece : labels(flat_.streams[at(stream)].elements)) {
    const Fact& used = consumed_[at(sink)][at(piece)];
    was_used |= used.kind != Fact::Kind::nothing;
    granter.know(by, used);
  }
  if (!was_used && !options_.handshake) return;
  std::int32_t& granted = granted_.emplace(std::tuple(sink, by, source), -1).first->second;
  // Right behind another grant to the same sender, that one says it, too.
  const bool is_said = granted == before && granter.count(by) == before;
  const GroupId group = groups_.of(source, {.sender = sink, .processor = by, .grants = true});
  if (!is_said) {
    granter.call(by, Increment{.at = source, .counter = group});
    granted = granter.count(by);
    groups_.sent(source, group);
  }
  writer(source).know(
      sender, {.kind = Fact::Kind::arrival, .group = group, .value = groups_.count(source, group), .listener = sender});
}

void Lowerer::settle_banks(NodeId node, Processor processor) {
  for (const Processor p : {Processor::dataflow_0, Processor::dataflow_1}) {
    if (!std::exchange(unsettled_[at(node)].to_banks[number(p)], false)) continue;
    writer(node).call(p, WriteBarrier{});
    settle(node, p);
    writer(node).know(processor, writer(node).done(p));
  }
}

/// With the processor's last call, all that it has sent has left.
void Lowerer::settle(NodeId node, Processor processor) {
  for (auto& sent : unsettled_[at(node)].sends[number(processor)]) {
    if (sent.settled < 0) sent.settled = writer(node).count(processor);
  }
}

/// Before memory changes, what was sent from it has left.
void Lowerer::settle_sends(NodeId node, Address first, Address end, Processor processor) {
  for (const Processor p : {Processor::dataflow_0, Processor::dataflow_1}) {
    const auto& sends = unsettled_[at(node)].sends[number(p)];
    std::int32_t calls = 0;
    for (const auto& sent : sends) {
      if (sent.first >= end || first >= sent.end) continue;
      if (sent.settled < 0) {
        writer(node).call(p, Flush{});
        settle(node, p);
      }
      calls = std::max(calls, sent.settled);
    }
    if (calls > 0) writer(node).know(processor, {.kind = Fact::Kind::calls, .processor = p, .calls = calls});
  }
}

std::vector<Value> Lowerer::sources_of(StepId step) {
  const Step& s = flat_.steps[at(step)];
  const NodeId node = index_.node_of[at(step)];
  if (!s.is_exchange()) return results_[at(step)];
  std::vector<Value> sources;
  for (const std::int32_t piece : pieces_.in(flat_, s.sent, s.sent_elements))
    sources.push_back(value(node, s.sent, piece));
  return sources;
}

void Lowerer::send(StepId step) {
  if (!is_core(index_.node_of[at(step)])) return;  // who takes from DRAM reads
  const std::vector<Value> sources = sources_of(step);
  for (const StreamId stream : flat_.outputs_of(flat_.steps[at(step)])) {
    if (!carries_data(flat_, stream)) continue;
    send_stream(step, stream, sources);
    sent_[at(step)] = writer(index_.node_of[at(step)]).done(processor_of(stream));
  }
}

void Lowerer::send_stream(StepId step, StreamId stream, const std::vector<Value>& sources) {
  const Stream& s = flat_.streams[at(stream)];
  const Processor processor = processor_of(stream);
  know_before(s.source, processor, step);
  for (const Value& source : sources) writer(s.source).know(processor, source.ready);
  const auto sinks = flat_.sinks_of(s);
  if (sinks.size() > 1) {
    multicast(stream, sources);
  } else if (is_core(sinks[0])) {
    write_to_core(stream, sinks[0], sources);
  } else {
    write_to_bank(stream, sinks[0], sources);
  }
}

/// Its data may not have left its memory.
void Lowerer::note_sent(StreamId stream, const std::vector<Value>& sources) {
  const Stream& s = flat_.streams[at(stream)];
  auto& sends = unsettled_[at(s.source)].sends[number(processor_of(stream))];
  const auto all = labels(s.elements);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const Address first = sources[i].address;
    std::erase_if(sends, [&](const auto& sent) { return sent.settled >= 0 && sent.first == first; });
    sends.push_back({.first = first, .end = first + label(all[i]).bytes()});
  }
}

std::vector<Address> addresses_of(const std::vector<Value>& values) {
  std::vector<Address> all;
  for (const Value& value : values) all.push_back(value.address);
  return all;
}

void Lowerer::write_to_core(StreamId stream, NodeId sink, const std::vector<Value>& sources) {
  const Stream& s = flat_.streams[at(stream)];
  const Processor processor = processor_of(stream);
  ask(stream, sink);
  settle_banks(s.source, processor);
  const bool directly = dependences_.can_land_directly(stream, taker_at(stream, sink));
  Landing& landing = land(stream, sink, directly, landing_end_[at(sink)]);
  const std::vector<Address> from = addresses_of(sources);
  for (const Run& run : runs_of(labels(s.elements), from, from, landing.addresses, false)) {
    writer(s.source).call(processor, Write{.to = sink, .source = run.left, .target = run.target, .bytes = run.bytes});
  }
  note_sent(stream, sources);
  if (options_.handshake) {
    writer(s.source).call(processor, WriteBarrier{});
    settle(s.source, processor);
  }
  const GroupId group = groups_.of(sink, {.sender = s.source, .processor = processor});
  writer(s.source).call(processor, Increment{.at = sink, .counter = group});
  groups_.sent(sink, group);
  landing.arrival = {.kind = Fact::Kind::arrival, .group = group, .value = groups_.count(sink, group)};
}

void Lowerer::multicast(StreamId stream, const std::vector<Value>& sources) {
  const Stream& s = flat_.streams[at(stream)];
  const Processor processor = processor_of(stream);
  const auto sinks = flat_.sinks_of(s);
  for (const NodeId sink : sinks) ask(stream, sink);
  settle_banks(s.source, processor);
  const bool directly = std::all_of(sinks.begin(), sinks.end(), [&](NodeId sink) {
    return dependences_.can_land_directly(stream, taker_at(stream, sink));
  });
  Address free = 0;
  for (const NodeId sink : sinks) free = std::max(free, landing_end_[at(sink)]);
  const Landing* first = nullptr;
  for (const NodeId sink : sinks) {
    const Landing& landing = land(stream, sink, directly, free);
    if (first == nullptr) first = &landing;
    MUSTER_ASSERT(landing.addresses == first->addresses, "a multicast lands at different addresses");
  }
  const Rectangle area = rectangle_of(torus_, sinks, program_->noc_of[number(processor)]);
  const bool includes_self = std::find(sinks.begin(), sinks.end(), s.source) != sinks.end();
  const std::vector<Address> from = addresses_of(sources);
  for (const Run& run : runs_of(labels(s.elements), from, from, first->addresses, false)) {
    writer(s.source).call(processor, Multicast{.area = area,
                                               .includes_self = includes_self,
                                               .source = run.left,
                                               .target = run.target,
                                               .bytes = run.bytes});
  }
  note_sent(stream, sources);
  const std::int32_t shared =
      groups_.shared_by({sinks.begin(), sinks.end()}, {.sender = s.source, .processor = processor});
  std::int64_t value = 0;
  for (const NodeId sink : sinks) {
    const GroupId group = groups_.of_shared(shared, sink);
    groups_.sent(sink, group);
    value = groups_.count(sink, group);
    arrivals_[at(stream)][sink].arrival = {.kind = Fact::Kind::arrival, .group = group, .value = value};
  }
  writer(s.source).call(processor,
                        SetEverywhere{.area = area, .includes_self = includes_self, .counter = shared, .value = value});
}

void Lowerer::write_to_bank(StreamId stream, NodeId bank, const std::vector<Value>& sources) {
  const Stream& s = flat_.streams[at(stream)];
  const Processor processor = processor_of(stream);
  const StepId taker = index_.takers.of(stream)[0];
  const Step& step = flat_.steps[at(taker)];
  std::vector<Address> to;
  for (const std::int32_t piece : pieces_.in(flat_, step.store, step.store_elements)) {
    to.push_back(program_->bank_memory.of(step.store, piece));
  }
  const std::vector<Address> from = addresses_of(sources);
  for (const Run& run : runs_of(labels(s.elements), from, from, to, false)) {
    writer(s.source).call(processor, Write{.to = bank, .source = run.left, .target = run.target, .bytes = run.bytes});
  }
  note_sent(stream, sources);
  unsettled_[at(s.source)].to_banks[number(processor)] = true;
}

}  // namespace muster::torus

#include "backend/torus/lower.h"

#include <algorithm>
#include <map>
#include <optional>

#include "backend/torus/core_writer.h"
#include "backend/torus/dependences.h"
#include "backend/torus/fitness.h"
#include "backend/torus/groups.h"
#include "base/counted.h"
#include "base/index.h"
#include "machine/routing.h"

namespace muster::torus {
namespace {

/// So few words are combined by a dataflow processor: a tile for them would take longer.
constexpr std::int64_t kFewWords = 8;
/// Padding that is sent along, rather than sending two messages.
constexpr std::int64_t kMostPadding = 1024;

/// Where the current value of a piece lies, and from when on.
struct Value {
  Address address = -1;
  Fact ready;
};

/// What arrives at one node as one stream.
struct Landing {
  std::vector<Address> addresses;  ///< by piece of the stream
  bool is_direct = false;          ///< where the taker stores it
  Fact arrival;
};

struct Run {
  Address left = 0;
  Address right = 0;
  Address target = 0;
  std::int64_t bytes = 0;
};

class Lowerer {
 public:
  Lowerer(const Schedule& flat, const Machine& machine, const LowerOptions& options, bool lands_apart)
      : flat_(flat),
        torus_(*as<Torus>(machine)),
        index_(flat),
        options_(options.options.of<TorusOptions>()),
        ranks_(rank_count(torus_)),
        lands_apart_(lands_apart),
        keeps_lanes_(std::any_of(index_.node_of.begin(), index_.node_of.end(), [&](NodeId n) { return n >= ranks_; })),
        pieces_(flat),
        events_(sequence_of(flat, index_, !lands_apart)),
        dependences_(flat, index_, pieces_, events_),
        writers_(at(ranks_)),
        groups_(ranks_),
        values_(at(ranks_)),
        results_(flat.steps.size()),
        done_(flat.steps.size()),
        sent_(flat.steps.size()),
        arrivals_(flat.streams.size()),
        landing_end_(at(ranks_)),
        consumed_(at(ranks_)),
        unsettled_(at(ranks_)) {
    program_ = std::make_unique<TorusProgram>();
    program_->machine = machine;
    program_->arithmetic = options.arithmetic;
    program_->contracts = flat.contracts;
    program_->extent = flat.extent;
    if (options_.swapped) program_->noc_of = {1, 0};
    program_->lands_apart = lands_apart;
    program_->tile_bytes = torus_.compute.tile_elements * size_of(options.arithmetic.type).value();
  }

  Outcome<std::unique_ptr<TorusProgram>> run();

 private:
  [[nodiscard]] bool is_core(NodeId node) const { return node < ranks_; }
  [[nodiscard]] CoreWriter& writer(NodeId node) { return writers_[at(node)]; }
  [[nodiscard]] Value& value(NodeId node, Buffer buffer, std::int32_t piece) {
    return values_[at(node)][static_cast<std::size_t>(buffer)][at(piece)];
  }
  [[nodiscard]] std::vector<std::int32_t> labels(SpanId span) const { return pieces_.in(flat_, Buffer::none, span); }
  [[nodiscard]] const Piece& label(std::int32_t piece) const { return pieces_.of(Buffer::none)[at(piece)]; }

  void map_memory();
  void map_buffers(MemoryMap& map, bool cores);
  [[nodiscard]] Processor processor_of(StreamId stream) const;
  [[nodiscard]] Processor listener_of(StepId step);
  [[nodiscard]] std::optional<Processor> next_sender(StepId step) const;

  void send(StepId step);
  std::vector<Value> sources_of(StepId step);
  void send_stream(StepId step, StreamId stream, const std::vector<Value>& sources);
  void note_sent(StreamId stream, const std::vector<Value>& sources);
  void write_to_core(StreamId stream, NodeId sink, const std::vector<Value>& sources);
  void multicast(StreamId stream, const std::vector<Value>& sources);
  void write_to_bank(StreamId stream, NodeId bank, const std::vector<Value>& sources);
  [[nodiscard]] StepId taker_at(StreamId stream, NodeId sink) const;
  Landing& land(StreamId stream, NodeId sink, bool directly, Address free);
  void ask(StreamId stream, NodeId sink);
  void settle_banks(NodeId node, Processor processor);
  void settle(NodeId node, Processor processor);
  void settle_sends(NodeId node, Address first, Address end, Processor processor);

  void take(StepId step);
  void read_from_bank(StepId step, StreamId stream);
  void combine(StepId step, const std::vector<std::int32_t>& stores);
  void know_before(NodeId node, Processor processor, StepId step);
  std::vector<Run> runs_of(const std::vector<std::int32_t>& labels, const std::vector<Address>& left,
                           const std::vector<Address>& right, const std::vector<Address>& target, bool pads) const;

  std::optional<std::string> exceeded() const;
  void finish_cores();

  const Schedule& flat_;
  const Torus& torus_;
  const ScheduleIndex index_;
  const TorusOptions options_;
  const NodeId ranks_;
  const bool lands_apart_;
  /// Whether a step waits for the one before it in its lane even if it needs no data of it: DRAM does not say who has written to it,
  /// so the lanes of the cores do.
  const bool keeps_lanes_;
  const Pieces pieces_;
  const std::vector<Event> events_;
  const Dependences dependences_;
  std::unique_ptr<TorusProgram> program_;
  std::vector<CoreWriter> writers_;
  Groups groups_;
  std::vector<std::array<std::vector<Value>, 4>> values_;  ///< by rank, buffer and piece
  std::vector<std::vector<Value>> results_;                ///< by step: what it pushes
  std::vector<Fact> done_;                                 ///< by step: it has taken, combined and stored
  std::vector<Fact> sent_;                                 ///< by step
  std::vector<std::map<NodeId, Landing>> arrivals_;        ///< by stream and sink
  std::vector<Address> landing_end_;                       ///< by rank
  std::vector<std::vector<Fact>> consumed_;                ///< by rank and label: what arrived there last was used
  /// Writes whose data may not have left the memory, and writes to DRAM that may not be there.
  struct Unsettled {
    struct Sent {
      Address first = 0;
      Address end = 0;
      std::int32_t settled = -1;  ///< after so many calls of the processor it has left; -1: not yet
    };
    std::array<std::vector<Sent>, 2> sends;  ///< by processor
    std::array<bool, 2> to_banks{};
  };
  std::vector<Unsettled> unsettled_;  ///< by rank
  std::map<std::tuple<NodeId, Processor, NodeId>, std::int32_t>
      granted_;  ///< by granter and sender: the granter's calls then
};

std::int64_t events_needed(const Schedule& flat) {
  std::int64_t events = 0;
  for (const Step& step : flat.steps) events += step.outputs.count > 0 ? 2 : 1;
  return events;
}

std::size_t number(Processor processor) { return static_cast<std::size_t>(processor); }
Processor other(Processor processor) {
  return processor == Processor::dataflow_0 ? Processor::dataflow_1 : Processor::dataflow_0;
}

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

void Lowerer::map_buffers(MemoryMap& map, bool cores) {
  std::array<std::vector<bool>, 4> used;
  for (std::size_t b = 0; b < used.size(); ++b) used[b].resize(pieces_.of(static_cast<Buffer>(b)).size());
  const auto use = [&](Buffer buffer, SpanId span) {
    if (buffer == Buffer::none) return;
    for (const std::int32_t piece : pieces_.in(flat_, buffer, span))
      used[static_cast<std::size_t>(buffer)][at(piece)] = true;
  };
  for (StepId s = 0; s < std::ssize(flat_.steps); ++s) {
    if (is_core(index_.node_of[at(s)]) != cores) continue;
    const Step& step = flat_.steps[at(s)];
    use(step.own, step.own_elements);
    use(step.store, step.store_elements);
    if (step.is_exchange()) use(step.sent, step.sent_elements);
  }
  if (cores && !lands_apart_) used[0].assign(used[0].size(), true);
  for (std::size_t b = 0; b < used.size(); ++b) {
    const auto& pieces = pieces_.of(static_cast<Buffer>(b));
    map.address[b].assign(pieces.size(), -1);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (!used[b][i]) continue;
      map.address[b][i] = map.end;
      map.end += whole_tiles(pieces[i].bytes(), program_->tile_bytes);
    }
  }
}

void Lowerer::map_memory() {
  map_buffers(program_->memory, true);
  map_buffers(program_->bank_memory, false);
  std::fill(landing_end_.begin(), landing_end_.end(), program_->memory.end);
  for (NodeId node = 0; node < ranks_; ++node) {
    consumed_[at(node)].resize(pieces_.of(Buffer::none).size());
    for (std::size_t b = 0; b < 4; ++b) {
      const auto& addresses = program_->memory.address[b];
      values_[at(node)][b].resize(addresses.size());
      for (std::size_t i = 0; i < addresses.size(); ++i) values_[at(node)][b][i].address = addresses[i];
    }
  }
}

/// Neighbouring pieces whose addresses are neighbours too are moved or combined together.
std::vector<Run> Lowerer::runs_of(const std::vector<std::int32_t>& labels, const std::vector<Address>& left,
                                  const std::vector<Address>& right, const std::vector<Address>& target,
                                  bool pads) const {
  std::vector<Run> runs;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::int64_t bytes = label(labels[i]).bytes();
    if (!runs.empty()) {
      Run& last = runs.back();
      const std::int64_t step = whole_tiles(last.bytes, program_->tile_bytes);
      const bool follows =
          last.left + step == left[i] && last.right + step == right[i] && last.target + step == target[i];
      if (follows && (pads || step - last.bytes <= kMostPadding)) {
        last.bytes = step + bytes;
        continue;
      }
    }
    runs.push_back({.left = left[i], .right = right[i], .target = target[i], .bytes = bytes});
  }
  return runs;
}

StepId Lowerer::taker_at(StreamId stream, NodeId sink) const {
  const auto takers = index_.takers.of(stream);
  return *std::find_if(takers.begin(), takers.end(), [&](StepId s) { return index_.node_of[at(s)] == sink; });
}

/// Directly where it is stored; otherwise from `free` on, if it has memory of its own.
Landing& Lowerer::land(StreamId stream, NodeId sink, bool directly, Address free) {
  const Step& step = flat_.steps[at(taker_at(stream, sink))];
  Landing& landing = arrivals_[at(stream)][sink];
  landing.is_direct = directly;
  if (directly) {
    for (const std::int32_t piece : pieces_.in(flat_, step.store, step.store_elements)) {
      landing.addresses.push_back(program_->memory.of(step.store, piece));
    }
    return landing;
  }
  Address next = free;
  for (const std::int32_t piece : labels(flat_.streams[at(stream)].elements)) {
    if (!lands_apart_) {
      landing.addresses.push_back(program_->memory.of(Buffer::none, piece));
      continue;
    }
    landing.addresses.push_back(next);
    next += whole_tiles(label(piece).bytes(), program_->tile_bytes);
  }
  if (lands_apart_) landing_end_[at(sink)] = std::max(landing_end_[at(sink)], next);
  return landing;
}

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

void Lowerer::know_before(NodeId node, Processor processor, StepId step) {
  for (const StepId wait : flat_.waits_of(flat_.steps[at(step)])) writer(node).know(processor, done_[at(wait)]);
  const StepId before = index_.before(step);
  if (!keeps_lanes_ || before == kNoStep) return;
  writer(node).know(processor, done_[at(before)]);
  writer(node).know(processor, sent_[at(before)]);
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

/// The step's stream comes from DRAM: its core reads it.
void Lowerer::read_from_bank(StepId step, StreamId stream) {
  const Stream& s = flat_.streams[at(stream)];
  const NodeId node = index_.node_of[at(step)];
  const Processor processor = processor_of(stream);
  const Step& pusher = flat_.steps[at(index_.producer[at(stream)])];
  const bool sends_old = pusher.is_exchange();
  const Buffer buffer = sends_old ? pusher.sent : pusher.own;
  std::vector<Address> from;
  for (const std::int32_t piece : pieces_.in(flat_, buffer, sends_old ? pusher.sent_elements : pusher.own_elements)) {
    from.push_back(program_->bank_memory.of(buffer, piece));
  }
  settle_banks(node, processor);
  know_before(node, processor, step);
  // Its own core writes it: what came before in the lane is over.
  const Step& taker = flat_.steps[at(step)];
  Landing& landing =
      land(stream, node, taker.operands.count == 1 && taker.store != Buffer::none, landing_end_[at(node)]);
  const auto all = labels(s.elements);
  for (const Run& run : runs_of(all, from, from, landing.addresses, false)) {
    if (landing.is_direct) settle_sends(node, run.target, run.target + run.bytes, processor);
    writer(node).call(processor, Read{.of = s.source, .source = run.left, .target = run.target, .bytes = run.bytes});
  }
  writer(node).call(processor, ReadBarrier{});
  landing.arrival = writer(node).done(processor);
}

void Lowerer::take(StepId step) {
  const Step& s = flat_.steps[at(step)];
  const NodeId node = index_.node_of[at(step)];
  if (!is_core(node)) return;
  const Processor listener = listener_of(step);
  for (const StreamId stream : flat_.operands_of(s)) {
    if (stream == kOwn || !carries_data(flat_, stream)) continue;
    if (!is_core(flat_.streams[at(stream)].source)) read_from_bank(step, stream);
    arrivals_[at(stream)].at(node).arrival.listener = listener;
  }
  const std::vector<std::int32_t> stores =
      s.store == Buffer::none ? std::vector<std::int32_t>{} : pieces_.in(flat_, s.store, s.store_elements);
  const auto operands = flat_.operands_of(s);
  if (flat_.spans.count(s.elements) == 0) return;
  if (operands.size() == 1 && operands[0] != kOwn) {
    const Landing& landing = arrivals_[at(operands[0])].at(node);
    if (landing.is_direct) {
      for (std::size_t i = 0; i < stores.size(); ++i) {
        value(node, s.store, stores[i]) = {.address = landing.addresses[i], .ready = landing.arrival};
        results_[at(step)].push_back(value(node, s.store, stores[i]));
      }
      done_[at(step)] = landing.arrival;
      return;
    }
  }
  combine(step, stores);
}

/// Combines the operands of a step, or copies its only one, unless it can stay where it is.
void Lowerer::combine(StepId step, const std::vector<std::int32_t>& stores) {
  const Step& s = flat_.steps[at(step)];
  const NodeId node = index_.node_of[at(step)];
  CoreWriter& core = writer(node);
  const std::vector<std::int32_t> all = labels(s.elements);

  struct Operand {
    std::vector<Address> addresses;
    std::vector<Fact> ready;
    bool arrived = false;
  };
  std::vector<Operand> operands;
  const Operand* landed = nullptr;
  operands.reserve(flat_.operands_of(s).size());
  for (const StreamId stream : flat_.operands_of(s)) {
    Operand& operand = operands.emplace_back();
    if (stream == kOwn) {
      for (const std::int32_t piece : pieces_.in(flat_, s.own, s.own_elements)) {
        operand.addresses.push_back(value(node, s.own, piece).address);
        operand.ready.push_back(value(node, s.own, piece).ready);
      }
    } else {
      const Landing& landing = arrivals_[at(stream)].at(node);
      operand = {.addresses = landing.addresses, .ready = {landing.arrival}, .arrived = true};
    }
  }
  for (const Operand& operand : operands) {
    if (operand.arrived && landed == nullptr) landed = &operand;
  }

  // A result that is not the last one stays where data has landed: there, nothing waits to be sent.
  std::vector<Address> target;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_last = s.store != Buffer::none && dependences_.last_store(node, s.store, stores[i]) == step;
    const bool stays = s.store == Buffer::none || (lands_apart_ && !is_last && landed != nullptr);
    if (stays) {
      target.push_back(landed != nullptr ? landed->addresses[i] : operands[0].addresses[i]);
    } else {
      target.push_back(program_->memory.of(s.store, stores[i]));
    }
  }

  const std::int64_t words = flat_.spans.count(s.elements);
  const bool is_copy = operands.size() == 1;
  const bool moves = !is_copy || target != operands[0].addresses;
  Fact done;
  if (moves) {
    const Processor by = !is_copy && words <= kFewWords ? listener_of(step) : Processor::compute;
    know_before(node, by, step);
    for (const Operand& operand : operands) {
      for (const Fact& fact : operand.ready) core.know(by, fact);
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      settle_sends(node, target[i], target[i] + label(all[i]).bytes(), by);
    }
    const auto tiles = [&](const Run& run) {
      return whole_tiles(run.bytes, program_->tile_bytes) / program_->tile_bytes;
    };
    if (is_copy) {
      for (const Run& run : runs_of(all, operands[0].addresses, operands[0].addresses, target, true)) {
        core.call(by, Copy{.source = run.left, .target = run.target, .tiles = tiles(run)});
      }
    }
    // Intermediate results stay where the first of them landed: one of the first two operands did.
    for (std::size_t k = 1; k < operands.size(); ++k) {
      const std::vector<Address>& left = k == 1 ? operands[0].addresses : landed->addresses;
      const std::vector<Address>& result = k + 1 == operands.size() ? target : landed->addresses;
      for (const Run& run : runs_of(all, left, operands[k].addresses, result, by == Processor::compute)) {
        if (by == Processor::compute) {
          core.call(by, Combine{.left = run.left, .right = run.right, .target = run.target, .tiles = tiles(run)});
        } else {
          core.call(by,
                    CombineWords{
                        .left = run.left, .right = run.right, .target = run.target, .words = run.bytes / kWordBytes});
        }
      }
    }
    done = core.done(by);
  } else if (!operands[0].ready.empty()) {
    done = operands[0].ready.front();
  }
  done_[at(step)] = done;
  for (std::size_t i = 0; i < all.size(); ++i) {
    Fact ready = done;
    if (!moves) ready = operands[0].ready[std::min(i, operands[0].ready.size() - 1)];
    const Value result{.address = target[i], .ready = ready};
    if (s.store != Buffer::none) value(node, s.store, stores[i]) = result;
    results_[at(step)].push_back(result);
    if (!lands_apart_) consumed_[at(node)][at(all[i])] = done;
  }
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
  for (NodeId node = 0; node < ranks_; ++node) {
    if (groups_.counters_of(node) > torus_.semaphores) {
      return Refusal{fmt::format("semaphores: {} needs {}, and a tile has {}; use another algorithm or fewer chunks",
                                 node_text(program_->machine, node), groups_.counters_of(node), torus_.semaphores)};
    }
  }
  finish_cores();
  program_->pieces = pieces_;
  program_->memory_used = *std::max_element(landing_end_.begin(), landing_end_.end());
  return std::move(program_);
}

}  // namespace

Outcome<std::unique_ptr<TorusProgram>> lower(const Schedule& flat, const Machine& machine,
                                             const LowerOptions& options) {
  if (const auto reason = unfit_streams(flat, machine)) return Refusal{*reason};
  if (!options.options.of<TorusOptions>().handshake) {
    auto apart = Lowerer(flat, machine, options, true).run();
    if (apart || apart.reason().rfind("memory", 0) != 0) return apart;
  }
  return Lowerer(flat, machine, options, false).run();
}

}  // namespace muster::torus

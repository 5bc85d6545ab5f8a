#include "backend/torus/processor.h"

#include <algorithm>

#include "backend/torus/fitness.h"
#include "base/index.h"
#include "machine/routing.h"

namespace muster::torus {
namespace {

template <class... Kinds>
bool is_any(const Call& call) {
  return (std::holds_alternative<Kinds>(call) || ...);
}

/// The bytes that a call puts on a NoC.
std::int64_t bytes_of(const Call& call) {
  if (const auto* const write = std::get_if<Write>(&call)) return write->bytes;
  if (const auto* const read = std::get_if<Read>(&call)) return read->bytes;
  if (const auto* const multicast = std::get_if<Multicast>(&call)) return multicast->bytes;
  return kWordBytes;
}

/// The tile that a call talks to; -1: several, or none.
NodeId target_of(const Call& call) {
  if (const auto* const write = std::get_if<Write>(&call)) return write->to;
  if (const auto* const read = std::get_if<Read>(&call)) return read->of;
  if (const auto* const increment = std::get_if<Increment>(&call)) return increment->at;
  return -1;
}

std::string_view processor_name(Processor processor) {
  switch (processor) {
    case Processor::dataflow_0:
      return "dataflow processor 0";
    case Processor::dataflow_1:
      return "dataflow processor 1";
    case Processor::compute:
      return "the compute processor";
  }
  return "";
}

}  // namespace

Cores::Cores(const TorusProgram& program, Chip& chip, std::optional<std::uint64_t> seed, int rounds)
    : program_(program),
      repetition_(program),
      rounds_(rounds),
      chip_(chip),
      memories_(program, repetition_, seed),
      times_(at(rounds), std::vector<Times>(program.cores.size())),
      outputs_(at(rounds), Outputs(seed ? program.cores.size() : 0)),
      states_(program.cores.size()) {
  MUSTER_ASSERT(rounds == 1 || repetition_.refusal().empty(), "calls follow each other: {}", repetition_.refusal());
  const Torus& torus = program.torus();
  node_of_.resize(at(chip.topology(0).routers()));
  for (NodeId node = 0; node < node_count(torus); ++node) {
    tile_of_.push_back(chip.topology(0).at(coordinates_of(torus, node)));
    bank_of_.push_back(bank_at(torus, node));
    node_of_[at(tile_of(node))] = node;
  }
  sent_words_.resize(node_of_.size());
  received_words_.resize(node_of_.size());
  for (NodeId node = 0; node < std::ssize(program.cores); ++node) {
    states_[at(node)].counters.resize(at(repetition_.counters()));
    for (int p = 0; p < kProcessors; ++p) {
      processors_.push_back(std::make_unique<ProcessorActor>(*this, node, static_cast<Processor>(p)));
    }
  }
}

Cores::~Cores() = default;

void Cores::record() { log_.resize(processors_.size()); }

CallNumber Cores::result_call(NodeId node) const {
  CallNumber last;
  Cycle end = -1;
  for (int p = 0; p < kProcessors; ++p) {
    const ProcessorActor& actor = processor(node, static_cast<Processor>(p));
    if (actor.result_call().processor < 0 || actor.first_result_at() <= end) continue;
    end = actor.first_result_at();
    last = actor.result_call();
  }
  return last;
}

void Cores::start() {
  for (const auto& processor : processors_) chip_.resume_at(*processor, 0);
}

const ProcessorActor& Cores::processor(NodeId node, Processor processor) const {
  return *processors_[at(node) * kProcessors + static_cast<std::size_t>(processor)];
}

Cycle Cores::end(int round) const {
  Cycle last = 0;
  for (const Times& times : times_[at(round)]) last = std::max(last, times.result);
  return last;
}

void Cores::end_round(Chip& chip, NodeId node, Cycle now) {
  CoreState& core = states_[at(node)];
  if (++core.ended < kProcessors) return;
  core.ended = 0;
  Times& times = times_[at(core.round)][at(node)];
  for (int p = 0; p < kProcessors; ++p) {
    const ProcessorActor& actor = processor(node, static_cast<Processor>(p));
    times.result = std::max(times.result, actor.result_at());
    times.finished = std::max(times.finished, actor.finished_at());
  }
  if (!outputs_[at(core.round)].empty()) outputs_[at(core.round)][at(node)] = memories_.outputs(node, core.round);
  if (++core.round == rounds_) return;
  memories_.put_inputs(node, core.round);
  // Processors tell each other by tokens that they have ended.
  const Cycle start = now + 2 * program_.torus().issue.token.value();
  times_[at(core.round)][at(node)].started = start;
  for (int p = 0; p < kProcessors; ++p) {
    ProcessorActor& actor = *processors_[at(node) * kProcessors + at(p)];
    actor.begin_round(core.round);
    chip.resume_at(actor, start);
  }
}

std::int64_t Cores::most_words() const {
  std::int64_t most = 0;
  for (std::size_t i = 0; i < program_.cores.size(); ++i) most = std::max({most, sent_words_[i], received_words_[i]});
  return most;
}

std::vector<Cores::Stuck> Cores::stuck() const {
  std::vector<Stuck> all;
  for (NodeId node = 0; node < std::ssize(program_.cores); ++node) {
    for (int p = 0; p < kProcessors; ++p) {
      const ProcessorActor& actor = processor(node, static_cast<Processor>(p));
      if (actor.is_finished()) continue;  // or it waits for another one of its core
      Stuck stuck{.node = node, .processor = static_cast<Processor>(p), .waits_for = "packets that do not arrive"};
      if (const auto* const await = std::get_if<Await>(&actor.call())) {
        stuck.waits_for = fmt::format("counter {} to become {}, which is {}", await->counter, await->value,
                                      states_[at(node)].counters[at(await->counter)]);
      } else if (const auto* const expect = std::get_if<Expect>(&actor.call())) {
        stuck.waits_for = fmt::format("a token from {}", processor_name(expect->from));
      }
      all.push_back(std::move(stuck));
    }
  }
  return all;
}

std::int64_t Cores::add(Transfer transfer) {
  if (free_.empty()) {
    transfers_.push_back(std::move(transfer));
    return std::ssize(transfers_) - 1;
  }
  const std::int64_t tag = free_.back();
  free_.pop_back();
  transfers_[at(tag)] = std::move(transfer);
  return tag;
}

void Cores::departed(Chip& chip, std::int64_t tag) {
  Transfer& transfer = transfers_[at(tag)];
  if (transfer.kind == Transfer::Kind::write) {
    transfer.words = memories_.read(transfer.from, transfer.source, transfer.bytes);
    sent_words_[at(transfer.from)] += transfer.bytes / kWordBytes;
  }
  if (transfer.kind != Transfer::Kind::write && transfer.kind != Transfer::Kind::set) return;
  transfer.issuer->left();
  if (transfer.issuer->waits_for_departure()) chip.resume_at(*transfer.issuer, chip.now());
}

void Cores::delivered(Chip& chip, std::int64_t tag, RouterId tile, Cycle visible) {
  Transfer& transfer = transfers_[at(tag)];
  const NodeId node = node_of(tile);
  switch (transfer.kind) {
    case Transfer::Kind::write:
      memories_.write(node, transfer.target, transfer.words);
      received_words_[at(node)] += transfer.bytes / kWordBytes;
      break;
    case Transfer::Kind::read:
      transfer.words = memories_.read(transfer.from, transfer.source, transfer.bytes);
      return;
    case Transfer::Kind::increment:
    case Transfer::Kind::set:
      change_counter(chip, transfer, node, visible);
      break;
  }
  if (--transfer.left > 0) return;
  transfer.words.clear();
  free_.push_back(tag);
}

void Cores::returned(Chip& /*chip*/, std::int64_t tag) {
  const Transfer& transfer = transfers_[at(tag)];
  memories_.write(transfer.to, transfer.target, transfer.words);
  received_words_[at(transfer.to)] += transfer.bytes / kWordBytes;
  free_.push_back(tag);
}

void Cores::change_counter(Chip& chip, const Transfer& transfer, NodeId node, Cycle visible) {
  CoreState& core = states_[at(node)];
  std::int64_t& counter = core.counters[at(transfer.counter)];
  counter = transfer.kind == Transfer::Kind::set ? transfer.value : counter + 1;
  std::erase_if(core.waiters, [&](const CoreState::Waiter& waiter) {
    if (core.counters[at(waiter.counter)] < waiter.value) return false;
    waiter.who->caused_by(transfer.call);
    chip.resume_at(*waiter.who, std::max(visible, chip.now()));
    return true;
  });
}

ProcessorActor::ProcessorActor(Cores& cores, NodeId node, Processor processor)
    : cores_(cores),
      node_(node),
      processor_(processor),
      calls_(cores.repetition_.calls(node, processor, 0)),
      writes_(cores.chip_.new_counter()),
      reads_(cores.chip_.new_counter()),
      atomics_(cores.chip_.new_counter()) {}

void ProcessorActor::begin_round(int round) {
  calls_ = cores_.repetition_.calls(node_, processor_, round);
  round_ = round;
  next_ = 0;
  result_ = 0;
  has_ended_ = false;
}

CoreState& ProcessorActor::state() const { return cores_.states_[at(node_)]; }

int ProcessorActor::noc() const { return cores_.program_.noc_of[static_cast<std::size_t>(processor_)]; }

bool ProcessorActor::is_combining() const { return is_any<Combine, CombineWords, Copy>(call()); }

bool ProcessorActor::gives_result() const { return is_combining() || is_any<Await, ReadBarrier>(call()); }

bool ProcessorActor::is_ready(Chip& chip) {
  if (const auto* const await = std::get_if<Await>(&call())) {
    if (state().counters[at(await->counter)] >= await->value) return true;
    state().waiters.push_back({.counter = await->counter, .value = await->value, .who = this});
    return false;
  }
  if (const auto* const expect = std::get_if<Expect>(&call())) {
    const auto from = static_cast<std::size_t>(expect->from), to = static_cast<std::size_t>(processor_);
    if (state().tokens[from][to] > 0) return true;
    state().expecting[from][to] = this;
    return false;
  }
  if (std::holds_alternative<Flush>(call())) return under_way_ == 0;
  const auto is_done = [&](CounterId counter) {
    if (chip.is_done(counter)) return true;
    chip.resume_when_done(*this, counter);
    return false;
  };
  if (std::holds_alternative<WriteBarrier>(call())) return is_done(writes_);
  if (std::holds_alternative<ReadBarrier>(call())) return is_done(reads_);
  if (std::holds_alternative<AtomicBarrier>(call())) return is_done(atomics_);
  return true;
}

Cycle ProcessorActor::cost(const Torus& torus) const {
  const NodeId target = target_of(call());
  const bool is_new = offset_ == 0 && target >= 0 && last_target_ >= 0 && target != last_target_;
  const Cycle turn = is_new ? torus.issue.destination.value() : 0;
  const bool is_16bit = size_of(cores_.program_.arithmetic.type) == Bytes(2);
  const Cycle tile = (is_16bit ? torus.compute.tile_16bit : torus.compute.tile_32bit).value();
  if (is_any<Write>(call())) return torus.issue.write.value() + turn;
  if (is_any<Read>(call())) return torus.issue.read.value() + turn;
  if (is_any<Multicast, SetEverywhere>(call())) return torus.issue.multicast.value();
  if (is_any<Increment>(call())) return torus.issue.atomic.value() + turn;
  if (is_any<Post, Expect>(call())) return torus.issue.token.value();
  if (const auto* const combine = std::get_if<Combine>(&call()))
    return torus.compute.start.value() + combine->tiles * tile;
  if (const auto* const copy = std::get_if<Copy>(&call())) return torus.compute.start.value() + copy->tiles * tile;
  if (const auto* const combine = std::get_if<CombineWords>(&call()))
    return combine->words * torus.compute.word.value();
  return torus.issue.barrier.value();
}

bool ProcessorActor::issue(Chip& chip, Cycle now) {
  const Torus& torus = chip.torus();
  const std::int64_t bytes = std::min(bytes_of(call()) - offset_, torus.packet.value());
  Request request{.noc = static_cast<std::uint8_t>(noc()),
                  .issuer = cores_.tile_of(node_),
                  .bytes = static_cast<std::int32_t>(bytes),
                  .counter = writes_,
                  .observer = &cores_};
  Cores::Transfer transfer{.issuer = this, .from = node_, .bytes = bytes};
  if (const NodeId target = target_of(call()); target >= 0) {
    request.target = cores_.tile_of(target);
    if (target >= std::ssize(cores_.program_.cores)) request.bank = cores_.bank_of_[at(target)];
    last_target_ = target;
  }
  const auto spread = [&](const Rectangle& area, bool includes_self, bool is_linked) {
    request.area = area;
    request.skips_issuer = !includes_self;
    request.is_linked = is_linked;
    transfer.left = 0;
    const Topology& topology = chip.topology(noc());
    for (RouterId tile = 0; tile < topology.routers(); ++tile) {
      if (!topology.is_worker(tile) || !topology.contains(area, tile)) continue;
      if (includes_self || tile != request.issuer) ++transfer.left;
    }
  };
  if (const auto* const write = std::get_if<Write>(&call())) {
    transfer.source = write->source + offset_;
    transfer.target = write->target + offset_;
  } else if (const auto* const read = std::get_if<Read>(&call())) {
    request.access = Access::read;
    request.counter = reads_;
    transfer.kind = Cores::Transfer::Kind::read;
    transfer.from = read->of;
    transfer.to = node_;
    transfer.source = read->source + offset_;
    transfer.target = read->target + offset_;
  } else if (const auto* const multicast = std::get_if<Multicast>(&call())) {
    transfer.source = multicast->source + offset_;
    transfer.target = multicast->target + offset_;
    // The message that says so follows on the same path and gives it back.
    spread(multicast->area, multicast->includes_self, true);
  } else if (const auto* const set = std::get_if<SetEverywhere>(&call())) {
    transfer.kind = Cores::Transfer::Kind::set;
    transfer.counter = set->counter;
    transfer.value = set->value;
    spread(set->area, set->includes_self, false);
  } else if (const auto* const increment = std::get_if<Increment>(&call())) {
    request.access = Access::atomic;
    request.counter = atomics_;
    transfer.kind = Cores::Transfer::Kind::increment;
    transfer.counter = increment->counter;
  }
  if (transfer.kind == Cores::Transfer::Kind::write || transfer.kind == Cores::Transfer::Kind::set) ++under_way_;
  transfer.call = number();
  request.tag = cores_.add(std::move(transfer));
  chip.issue(request, now);
  offset_ += bytes;
  if (offset_ < bytes_of(call())) return false;
  offset_ = 0;
  return true;
}

bool ProcessorActor::act(Chip& chip, Cycle now) {
  if (is_any<Write, Read, Multicast, SetEverywhere, Increment>(call())) return issue(chip, now);
  const auto own = static_cast<std::size_t>(processor_);
  if (const auto* const post = std::get_if<Post>(&call())) {
    const auto to = static_cast<std::size_t>(post->to);
    ++state().tokens[own][to];
    if (ProcessorActor* const who = std::exchange(state().expecting[own][to], nullptr)) {
      who->caused_by(number());
      chip.resume_at(*who, now);
    }
  } else if (const auto* const expect = std::get_if<Expect>(&call())) {
    --state().tokens[static_cast<std::size_t>(expect->from)][own];
  } else if (const auto* const combine = std::get_if<Combine>(&call())) {
    cores_.memories_.combine(node_, combine->left, combine->right, combine->target,
                             combine->tiles * cores_.program_.tile_bytes);
  } else if (const auto* const words = std::get_if<CombineWords>(&call())) {
    cores_.memories_.combine(node_, words->left, words->right, words->target, words->words * kWordBytes);
  } else if (const auto* const copy = std::get_if<Copy>(&call())) {
    const std::vector<Word> what = cores_.memories_.read(node_, copy->source, copy->tiles * cores_.program_.tile_bytes);
    cores_.memories_.write(node_, copy->target, what);
  }
  return true;
}

void ProcessorActor::resume(Chip& chip, Cycle now) {
  while (!is_finished()) {
    if (!has_begun_) record_ = {.begin = now};
    has_begun_ = true;
    if (!is_charged_) {
      if (!is_ready(chip)) return;
      if (offset_ == 0) record_.start = now;
      is_charged_ = true;
      const Cycle cycles = cost(chip.torus());
      if (round_ == 0) (is_combining() ? combining_ : issuing_) += cycles;
      return chip.resume_at(*this, now + cycles);
    }
    const bool is_packet = is_any<Write, Read, Multicast, SetEverywhere, Increment>(call());
    if (is_packet && !chip.accepts(noc(), cores_.tile_of(node_))) {
      return chip.resume_when_accepted(*this, noc(), cores_.tile_of(node_));
    }
    const bool is_over = act(chip, now);
    is_charged_ = false;
    if (!is_over) continue;
    if (gives_result()) {
      result_ = now;
      if (round_ == 0) {
        first_result_ = now;
        result_call_ = number();
      }
    }
    record_.end = finished_ = now;
    if (!cores_.log_.empty() && round_ == 0) cores_.log_[at(number().processor)].push_back(record_);
    has_begun_ = false;
    ++next_;
  }
  if (!std::exchange(has_ended_, true)) cores_.end_round(chip, node_, now);
}

}  // namespace muster::torus

// Processors of the simulated fabric.
#include "backend/wafer/simulate/processor.h"

#include <algorithm>

#include "base/index.h"

namespace muster::wafer {
namespace {

constexpr std::int64_t kNever = std::int64_t{1} << 62;

bool sends_control(const Output& output) { return output.ending == Ending::advance || output.ending == Ending::reset; }

/// Passes over outputs that end without a control wavelet.
void skip_silent_endings(LaneState& lane, const OperationCode& o) {
  const auto& outputs = o.operation->outputs;
  while (lane.controls < outputs.size() && !sends_control(outputs[lane.controls])) ++lane.controls;
}

}  // namespace

Processors::Processors(Fabric& fabric, Routers& routers, int calls, std::uint64_t seed)
    : call_ends(at(calls)),
      node_times(at(calls), std::vector<NodeTimes>(fabric.program.class_of.size())),
      outputs(at(calls)),
      fabric_(fabric),
      routers_(routers),
      calls_(calls),
      seed_(seed),
      arithmetic_(fabric.program.arithmetic),
      ramp_latency_(fabric.program.mesh().ramp_latency.value()),
      operation_start_(fabric.program.mesh().operation_start.value()),
      receive_gap_(fabric.program.mesh().receive_gap.value()),
      contract_(fabric.program),
      processors_(fabric.program.class_of.size()),
      memory_(processors_.size()),
      calendar_(at(ramp_latency_) + 2) {
  for (std::int32_t c = 0; c < static_cast<std::int32_t>(fabric.program.classes.size()); ++c) {
    codes_.push_back(prepare(fabric, c));
    for (const Operation& o : fabric.program.classes[at(c)].operations) {
      longest_element_ = std::max(longest_element_, static_cast<std::int64_t>(o.operands.size() + o.outputs.size()));
    }
  }
  for (auto& call : outputs) call.resize(processors_.size());
  for (NodeId node = 0; node < static_cast<NodeId>(processors_.size()); ++node) {
    if (code(node).operations == 0) {
      processors_[at(node)].call = calls_;
      for (int call = 0; call < calls_; ++call) keep_output(node, call);
      continue;
    }
    ++unfinished_;
    processors_[at(node)].first_lane = static_cast<std::int64_t>(lanes_.size());
    lanes_.resize(lanes_.size() + code(node).lanes.size());
    begin_call(node);
    wake(node, 0);
  }
}

const ProcessorCode& Processors::code(NodeId node) const { return codes_[at(fabric_.program.class_of[at(node)])]; }

bool Processors::run(std::int64_t now) {
  bool any = false;
  due_.clear();
  std::swap(due_, calendar_[slot(now)]);
  for (const NodeId node : due_) {
    Processor& p = processors_[at(node)];
    if (p.last_run == now || p.call >= calls_) continue;
    p.last_run = now;
    const bool progress = run_processor(node, now);
    any |= progress;
    // Whoever waits for a wavelet or for space in the router is woken by it.
    if (progress || p.datapath_free > now || p.ramp_free > now || p.starting > now) wake(node, now + 1);
  }
  return any;
}

bool Processors::run_processor(NodeId node, std::int64_t now) {
  LaneState* const lanes = &lanes_[at(processors_[at(node)].first_lane)];
  const ProcessorCode& code = this->code(node);
  bool progress = false, left = false;
  for (std::size_t l = 0; l < code.lanes.size(); ++l) {
    progress |= run_lane(node, lanes[l], code.lanes[l], now);
    left |= at(lanes[l].operation) < code.lanes[l].operations.size();
  }
  if (left) return progress;
  end_call(node, now);
  return true;
}

/// At most one element or control wavelet of the lane; operations with nothing to do pass in no time. An operation that
/// finishes is progress too: another lane may wait for it.
bool Processors::run_lane(NodeId node, LaneState& lane, const LaneCode& code, std::int64_t now) {
  bool finished = false;
  while (at(lane.operation) < code.operations.size()) {
    const OperationCode& o = code.operations[at(lane.operation)];
    if (!lane.begun && !begin(node, lane, o, now)) return finished;
    if (lane.acts > now) return finished;
    const bool data_left = lane.taken < o.elements.count || lane.sent < o.sends_old();
    bool progress = false;
    if (lane.sent < o.sends_old()) progress = try_send_old(node, lane, o, now);
    if (!progress && lane.taken < o.elements.count) progress = try_element(node, lane, o, now);
    if (!data_left) progress = try_control(node, lane, o, now);
    if (lane.taken == o.elements.count && lane.sent == o.sends_old()) skip_silent_endings(lane, o);
    const bool complete =
        lane.taken == o.elements.count && lane.sent == o.sends_old() && lane.controls == o.operation->outputs.size();
    if (complete) next_operation(node, lane, code, progress ? now + 1 : now);
    finished |= complete;
    if (progress || !complete) return progress || finished;
  }
  return finished;
}

bool Processors::begin(NodeId node, LaneState& lane, const OperationCode& o, std::int64_t now) {
  const auto& finished = memory_[at(node)].finished;
  lane.begun = std::all_of(o.operation->after.begin(), o.operation->after.end(),
                           [&](std::int32_t other) { return finished[at(other)] <= now; });
  if (!lane.begun) return false;
  lane.acts = now + operation_start_;
  lane.takes = o.takes() ? std::max(now, lane.took + receive_gap_) + operation_start_ : lane.acts;
  Processor& p = processors_[at(node)];
  p.starting = std::max({p.starting, lane.acts, lane.takes});
  return true;
}

/// The queue from the processor to the router, or kNoQueue.
std::int32_t Processors::ramp_queue_out(NodeId node, std::int32_t slot) const {
  if (slot == kNoCell) return kNoQueue;
  return fabric_.cells[at(fabric_.first_cell[at(node)] + slot)].in[at(index_of(Direction::ramp))];
}

/// The queue from the router to the processor, or kNoQueue.
std::int32_t Processors::ramp_queue_in(NodeId node, std::int32_t slot) const {
  if (slot == kNoCell) return kNoQueue;
  return fabric_.cells[at(fabric_.first_cell[at(node)] + slot)].out[at(index_of(Direction::ramp))];
}

/// Whether the router has space for a wavelet on one output.
bool Processors::can_push(NodeId node, const OperationCode& o, std::size_t output, std::int64_t now) {
  const std::int32_t queue = ramp_queue_out(node, o.output_slots[output]);
  if (queue != kNoQueue) return fabric_.has_space(queue);
  if (!fabric_.fault) {
    fabric_.fault = Fault{.kind = "no route",
                          .place = fabric_.place(node, o.operation->outputs[output].color),
                          .cycle = Cycles(now),
                          .message = "the processor sends on a color that its router does not take from the ramp"};
  }
  return false;
}

bool Processors::can_push_all(NodeId node, const OperationCode& o, std::int64_t enters, std::int64_t now) {
  if (processors_[at(node)].ramp_free > enters) return false;
  for (std::size_t i = 0; i < o.output_slots.size(); ++i) {
    if (!can_push(node, o, i, now)) return false;
  }
  return true;
}

bool Processors::operands_ready(NodeId node, const OperationCode& o, std::int64_t now) const {
  for (std::size_t i = 0; i < o.operand_slots.size(); ++i) {
    if (o.operation->operands[i] == kOwnOperand) continue;
    const std::int32_t queue = ramp_queue_in(node, o.operand_slots[i]);
    if (queue == kNoQueue || fabric_.head(queue, now) == nullptr) return false;
  }
  return true;
}

/// Takes the next element of every operand and combines them, left to right.
Word Processors::combine(NodeId node, const OperationCode& o, std::int64_t k) {
  Word result = 0;
  for (std::size_t i = 0; i < o.operand_slots.size(); ++i) {
    const Word word = o.operation->operands[i] == kOwnOperand
                          ? read(node, o.operation->own, o.own.element(k))
                          : fabric_.pop(ramp_queue_in(node, o.operand_slots[i])).word;
    result = i == 0 ? word : arithmetic_.combine(result, word);
  }
  return result;
}

bool Processors::try_element(NodeId node, LaneState& lane, const OperationCode& o, std::int64_t now) {
  Processor& p = processors_[at(node)];
  if (p.datapath_free > now || lane.takes > now || (o.overwrites && lane.sent <= lane.taken)) return false;
  if (!operands_ready(node, o, now)) return false;
  const std::int64_t enters = now + o.cost;  // what comes from memory can leave at once
  const bool pushes = !o.exchange && !o.output_slots.empty();
  if (pushes && !can_push_all(node, o, enters, now)) return false;

  const Word result = combine(node, o, lane.taken);
  const std::int64_t busy = std::max<std::int64_t>(1, o.cost);
  p.datapath_free = now + busy;
  fabric_.traffic[at(node)].busy += busy;
  if (o.operation->store != Buffer::none) {
    store(node, o.operation->store, o.store.element(lane.taken), result, now + busy);
  }
  ++lane.taken;
  if (pushes) push_all(node, o, result, lane.taken == o.elements.count, enters);
  return true;
}

bool Processors::try_send_old(NodeId node, LaneState& lane, const OperationCode& o, std::int64_t now) {
  Processor& p = processors_[at(node)];
  if (p.datapath_free > now || !can_push_all(node, o, now, now)) return false;
  p.datapath_free = now + 1;
  ++fabric_.traffic[at(node)].busy;
  const Word word = read(node, o.operation->sent, o.sent.element(lane.sent));
  ++lane.sent;
  push_all(node, o, word, lane.sent == o.sent.count, now);
  return true;
}

/// Control wavelets follow the data, one per cycle; they need the ramp, but not the datapath.
bool Processors::try_control(NodeId node, LaneState& lane, const OperationCode& o, std::int64_t now) {
  skip_silent_endings(lane, o);
  if (lane.controls == o.operation->outputs.size() || processors_[at(node)].ramp_free > now) return false;
  if (!can_push(node, o, lane.controls, now)) return false;
  const bool advances = o.operation->outputs[lane.controls].ending == Ending::advance;
  push(node, ramp_queue_out(node, o.output_slots[lane.controls]), 0,
       advances ? Wavelet::Kind::advance : Wavelet::Kind::reset, now);
  ++lane.controls;
  processors_[at(node)].ramp_free = now + 1;
  return true;
}

void Processors::push_all(NodeId node, const OperationCode& o, Word word, bool last, std::int64_t enters) {
  for (std::size_t i = 0; i < o.output_slots.size(); ++i) {
    const bool advances = last && o.operation->outputs[i].ending == Ending::advance_own;
    push(node, ramp_queue_out(node, o.output_slots[i]), word,
         advances ? Wavelet::Kind::data_advance_own : Wavelet::Kind::data, enters++);
    ++fabric_.traffic[at(node)].data_out;
  }
  processors_[at(node)].ramp_free = enters;
}

void Processors::push(NodeId node, std::int32_t queue, Word word, Wavelet::Kind kind, std::int64_t enters) {
  fabric_.push(queue, {.ready = enters + ramp_latency_, .word = word, .kind = kind});
  routers_.notice(fabric_.queues[at(queue)].cell);
  ++fabric_.traffic[at(node)].ramp_out;
}

void Processors::next_operation(NodeId node, LaneState& lane, const LaneCode& code, std::int64_t finished) {
  const OperationCode& o = code.operations[at(lane.operation)];
  const bool again = ++lane.time < o.operation->times;
  if (!again) {
    auto& all = memory_[at(node)].finished;
    if (!all.empty()) all[at(code.first + lane.operation)] = finished;
  }
  const std::int32_t operation = again ? lane.operation : lane.operation + 1;
  lane = {.operation = operation, .time = again ? lane.time : 0, .took = o.takes() ? finished : lane.took};
}

void Processors::begin_call(NodeId node) {
  Processor& p = processors_[at(node)];
  const ProcessorCode& code = this->code(node);
  std::fill_n(lanes_.begin() + p.first_lane, code.lanes.size(), LaneState{});
  p.last_owed = 0;
  auto& [buffers, finished] = memory_[at(node)];
  if (code.has_waits) finished.assign(code.operations, kNever);
  const std::uint64_t seed = seed_ + static_cast<std::uint64_t>(p.call);
  for (std::size_t b = 0; b < buffers.size(); ++b) {
    if (!code.stored[b]) continue;
    buffers[b].assign(at(fabric_.program.extent[b]), 0);
    if (!contract_.holds(node, static_cast<Buffer>(b + 1))) continue;
    for (std::size_t e = 0; e < buffers[b].size(); ++e) {
      buffers[b][e] = arithmetic_.input(node, static_cast<std::int64_t>(e), seed);
    }
  }
}

/// A buffer that is owed, held and never stored to (in place) is what it was.
void Processors::keep_output(NodeId node, int call) {
  const Buffer output = contract_.output(node);
  if (output == Buffer::none) return;
  const std::size_t b = static_cast<std::size_t>(output) - 1;
  auto& words = outputs[at(call)][at(node)];
  words = std::move(memory_[at(node)].buffers[b]);
  if (!words.empty() || !contract_.holds(node, output) || !contract_.owes(node)) return;
  for (std::int64_t e = 0; e < fabric_.program.extent[b]; ++e) {
    words.push_back(arithmetic_.input(node, e, seed_ + static_cast<std::uint64_t>(call)));
  }
}

void Processors::end_call(NodeId node, std::int64_t now) {
  Processor& p = processors_[at(node)];
  call_ends[at(p.call)] = std::max(call_ends[at(p.call)], Cycles(p.last_owed));
  node_times[at(p.call)][at(node)] = {.owed = Cycles(p.last_owed), .finished = Cycles(now)};
  keep_output(node, p.call);
  if (++p.call < calls_) {
    begin_call(node);
  } else {
    --unfinished_;
  }
}

Word Processors::read(NodeId node, Buffer buffer, std::int64_t element) const {
  const auto& memory = memory_[at(node)].buffers[static_cast<std::size_t>(buffer) - 1];
  if (!memory.empty()) return memory[at(element)];
  const std::uint64_t seed = seed_ + static_cast<std::uint64_t>(processors_[at(node)].call);
  return contract_.holds(node, buffer) ? arithmetic_.input(node, element, seed) : 0;
}

void Processors::store(NodeId node, Buffer buffer, std::int64_t element, Word word, std::int64_t exists) {
  Processor& p = processors_[at(node)];
  memory_[at(node)].buffers[static_cast<std::size_t>(buffer) - 1][at(element)] = word;
  if (exists > p.last_owed && contract_.owes(node, buffer, element)) p.last_owed = exists;
}

}  // namespace muster::wafer

// Processors of the simulated fabric: operations of any kind, element by element.
#include "backend/wafer/simulate/processor.h"

#include <algorithm>

#include "base/index.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

bool sends_control(const Output& output) { return output.ending == Ending::advance || output.ending == Ending::reset; }

/// Passes over outputs that end without a control wavelet.
void skip_silent_endings(LaneState& lane, const OperationCode& o) {
  const auto& outputs = o.operation->outputs;
  while (lane.controls < outputs.size() && !sends_control(outputs[lane.controls])) ++lane.controls;
}

}  // namespace

Processors::Processors(Fabric& fabric, Routers& routers, NumberSet& active, const Options& options)
    : call_ends(at(options.calls)),
      node_times(at(options.calls), std::vector<NodeTimes>(fabric.program.class_of.size())),
      outputs(at(options.calls)),
      fabric_(fabric),
      routers_(routers),
      active_(active),
      recorder_(options.recorder),
      calls_(options.calls),
      seed_(options.seed),
      arithmetic_(fabric.program.arithmetic),
      ramp_latency_(static_cast<Tick>(fabric.program.mesh().ramp_latency.value())),
      operation_start_(static_cast<Tick>(fabric.program.mesh().operation_start.value())),
      receive_gap_(static_cast<Tick>(fabric.program.mesh().receive_gap.value())),
      receive_interval_(static_cast<Tick>(fabric.program.mesh().receive_interval.value())),
      contract_(fabric.program),
      processors_(fabric.program.class_of.size()),
      memory_(processors_.size()),
      arena_(0) {
  for (std::int32_t c = 0; c < static_cast<std::int32_t>(fabric.program.classes.size()); ++c) {
    codes_.push_back(prepare(fabric, c));
    for (const Operation& o : fabric.program.classes[at(c)].operations) {
      longest_element_ = std::max(longest_element_, static_cast<std::int64_t>(o.operands.size() + o.outputs.size()));
    }
  }
  for (auto& call : outputs) call.resize(processors_.size());
  arena_ = WordArena(stored_words());
  for (NodeId node = 0; node < static_cast<NodeId>(processors_.size()); ++node) {
    if (code(node).operations == 0) {
      memory_[at(node)].call = calls_;
      for (int call = 0; call < calls_; ++call) keep_output(node, call);
      continue;
    }
    ++unfinished_;
    memory_[at(node)].first_lane = static_cast<std::int32_t>(lanes_.size());
    lanes_.resize(lanes_.size() + code(node).lanes.size());
    place_buffers(node);
    begin_call(node);
    active_.add(node);
  }
}

const ProcessorCode& Processors::code(NodeId node) const { return codes_[at(fabric_.program.class_of[at(node)])]; }

LaneState Processors::lane(NodeId node, std::size_t lane) const {
  const Processor& p = processors_[at(node)];
  LaneState state = lanes_[at(memory_[at(node)].first_lane) + lane];
  if (p.simple.is_under_way) state.taken = p.simple.taken;
  return state;
}

std::int64_t Processors::busy(NodeId node) const {
  const SimpleOperation& simple = processors_[at(node)].simple;
  return memory_[at(node)].busy + (simple.is_under_way ? simple.taken : 0);
}

bool Processors::run_processor(NodeId node, Tick now) {
  LaneState* const lanes = &lanes_[at(memory_[at(node)].first_lane)];
  const ProcessorCode& code = this->code(node);
  memory_[at(node)].looks_again = false;
  bool progress = false, left = false;
  for (std::size_t l = 0; l < code.lanes.size(); ++l) {
    progress |= run_lane(node, lanes[l], code.lanes[l], now);
    left |= at(lanes[l].operation) < code.lanes[l].operations.size();
  }
  if (!left) {
    end_call(node, now);
    return true;
  }
  if (!progress && !processors_[at(node)].simple.is_under_way && may_sleep(node, now)) active_.remove(node);
  return progress;
}

/// Whether only a wavelet, or space in the router, can make the processor continue: then it is woken.
bool Processors::may_sleep(NodeId node, Tick now) const {
  const Processor& p = processors_[at(node)];
  const ProcessorMemory& memory = memory_[at(node)];
  if (memory.looks_again || memory.datapath_free > now || p.ramp_free > now || p.starting > now) return false;
  if (p.receive_free > now) return false;
  const auto cells = fabric_.cells_of(node);
  return std::none_of(cells.begin(), cells.end(), [&](const Cell& cell) {
    const std::int32_t id = fabric_.out(cell, Direction::ramp);
    return id != kNoQueue && fabric_.queue(id).size() > 0 && !fabric_.queue(id).is_ready(now);
  });
}

/// At most one element or control wavelet of the lane; operations with nothing to do pass in no time. An operation that
/// finishes is progress too: another lane may wait for it.
bool Processors::run_lane(NodeId node, LaneState& lane, const LaneCode& code, Tick now) {
  bool finished = false;
  while (at(lane.operation) < code.operations.size()) {
    const OperationCode& o = code.operations[at(lane.operation)];
    if (!lane.begun && !begin(node, lane, o, now)) return finished;
    if (lane.acts > now) return finished;
    const bool progress = try_operation(node, lane, o, now);
    if (progress && lane.first < 0) lane.first = now;
    const bool complete = finish_if_complete(node, lane, code, progress ? now + 1 : now);
    finished |= complete;
    if (progress || !complete) return progress || finished;
  }
  return finished;
}

bool Processors::try_operation(NodeId node, LaneState& lane, const OperationCode& o, Tick now) {
  Processor& p = processors_[at(node)];
  if (o.is_simple && lane.taken == 0 && load_simple(node, p, o)) return begin_simple(node, p, lane, now);
  if (lane.sent < o.sends_old() && try_send_old(node, lane, o, now)) return true;
  if (lane.taken < o.elements.count) return try_element(node, lane, o, now);
  return lane.sent == o.sends_old() && try_control(node, lane, o, now);
}

bool Processors::finish_if_complete(NodeId node, LaneState& lane, const LaneCode& code, Tick finished) {
  const OperationCode& o = code.operations[at(lane.operation)];
  if (lane.taken < o.elements.count || lane.sent < o.sends_old()) return false;
  skip_silent_endings(lane, o);
  if (lane.controls < o.operation->outputs.size()) return false;
  next_operation(node, lane, code, finished);
  return true;
}

bool Processors::begin(NodeId node, LaneState& lane, const OperationCode& o, Tick now) {
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
  return fabric_.out(fabric_.cells[at(fabric_.first_cell[at(node)] + slot)], Direction::ramp);
}

/// Whether the router has space for a wavelet on one output. If not, the processor is woken when it has.
bool Processors::can_push(NodeId node, const OperationCode& o, std::size_t output, Tick now) {
  const std::int32_t id = ramp_queue_out(node, o.output_slots[output]);
  if (id != kNoQueue) {
    Queue& queue = fabric_.queue(id);
    if (queue.has_space(now)) return true;
    if (queue.is_full()) {
      queue.waiter = Waiter::processor(node);
    } else {
      memory_[at(node)].looks_again = true;
    }
    return false;
  }
  if (!fabric_.fault) {
    fabric_.fault = Fault{.kind = "no route",
                          .location = fabric_.location(node, o.operation->outputs[output].color),
                          .cycle = Cycles(now),
                          .message = "the processor sends on a color that its router does not accept from the ramp"};
  }
  return false;
}

bool Processors::can_push_all(NodeId node, const OperationCode& o, Tick enters, Tick now) {
  if (processors_[at(node)].ramp_free > enters) return false;
  for (std::size_t i = 0; i < o.output_slots.size(); ++i) {
    if (!can_push(node, o, i, now)) return false;
  }
  return true;
}

bool Processors::operands_ready(NodeId node, const OperationCode& o, Tick now) const {
  for (std::size_t i = 0; i < o.operand_slots.size(); ++i) {
    if (o.operation->operands[i] == kOwnOperand) continue;
    const std::int32_t queue = ramp_queue_in(node, o.operand_slots[i]);
    if (queue == kNoQueue || !fabric_.queue(queue).is_ready(now)) return false;
  }
  return true;
}

/// Takes the next element of every operand and combines them, left to right.
Word Processors::combine(NodeId node, const OperationCode& o, std::int64_t k, Tick now) {
  Word result = 0;
  for (std::size_t i = 0; i < o.operand_slots.size(); ++i) {
    Word word = 0;
    if (o.operation->operands[i] == kOwnOperand) {
      word = read(node, o.operation->own, o.own.element(k));
    } else {
      Queue& queue = fabric_.queue(ramp_queue_in(node, o.operand_slots[i]));
      word = queue.pop(now).word();
      routers_.wake_waiter(queue);
      --fabric_.in_flight;
    }
    result = i == 0 ? word : arithmetic_.combine(result, word);
  }
  return result;
}

bool Processors::try_element(NodeId node, LaneState& lane, const OperationCode& o, Tick now) {
  Tick& datapath_free = memory_[at(node)].datapath_free;
  if (datapath_free > now || lane.takes > now || (o.overwrites && lane.sent <= lane.taken)) return false;
  if (o.cost > 0 && processors_[at(node)].receive_free > now) return false;
  if (!operands_ready(node, o, now)) return false;
  const Tick enters = now + o.cost;  // what comes from memory can leave at once
  const bool pushes = !o.exchange && !o.output_slots.empty();
  if (pushes && !can_push_all(node, o, enters, now)) return false;

  const Word result = combine(node, o, lane.taken, now);
  const Tick busy = std::max(1, o.cost);
  datapath_free = now + busy;
  memory_[at(node)].busy += busy;
  if (o.cost > 0) wait_for_next(node, o, lane.taken + 1 == o.elements.count, now);
  if (o.operation->store != Buffer::none) {
    store(node, o.operation->store, o.store.element(lane.taken), result, now + busy);
  }
  ++lane.taken;
  if (pushes) push_all(node, o, result, lane.taken == o.elements.count, enters);
  return true;
}

/// The interval after an element is waited for unless nothing follows in the operation; an exchange can send meanwhile.
void Processors::wait_for_next(NodeId node, const OperationCode& o, bool is_last, Tick now) {
  const Tick interval = o.cost * receive_interval_;
  processors_[at(node)].receive_free = now + interval;
  if (!is_last) memory_[at(node)].waits += std::max(0, interval - o.cost - (o.exchange ? 1 : 0));
}

bool Processors::try_send_old(NodeId node, LaneState& lane, const OperationCode& o, Tick now) {
  if (memory_[at(node)].datapath_free > now || !can_push_all(node, o, now, now)) return false;
  memory_[at(node)].datapath_free = now + 1;
  ++memory_[at(node)].busy;
  const Word word = read(node, o.operation->sent, o.sent.element(lane.sent));
  ++lane.sent;
  push_all(node, o, word, lane.sent == o.sent.count, now);
  return true;
}

/// Control wavelets follow the data, one per cycle; they need the ramp, but not the datapath.
bool Processors::try_control(NodeId node, LaneState& lane, const OperationCode& o, Tick now) {
  skip_silent_endings(lane, o);
  if (lane.controls == o.operation->outputs.size() || processors_[at(node)].ramp_free > now) return false;
  if (!can_push(node, o, lane.controls, now)) return false;
  const bool advances = o.operation->outputs[lane.controls].ending == Ending::advance;
  push(ramp_queue_out(node, o.output_slots[lane.controls]), 0, advances ? Wavelet::Kind::advance : Wavelet::Kind::reset,
       now);
  ++fabric_.commands[at(node)];
  ++lane.controls;
  processors_[at(node)].ramp_free = now + 1;
  return true;
}

void Processors::push_all(NodeId node, const OperationCode& o, Word word, bool last, Tick enters) {
  for (std::size_t i = 0; i < o.output_slots.size(); ++i) {
    const bool advances = last && o.operation->outputs[i].ending == Ending::advance_own;
    push(ramp_queue_out(node, o.output_slots[i]), word,
         advances ? Wavelet::Kind::data_advance_own : Wavelet::Kind::data, enters++);
  }
  processors_[at(node)].ramp_free = enters;
}

void Processors::push(std::int32_t queue, Word word, Wavelet::Kind kind, Tick enters) {
  Queue& out = fabric_.queue(queue);
  out.push({word, kind, enters + ramp_latency_});
  routers_.wake(out.reader);
  ++fabric_.in_flight;
}

void Processors::next_operation(NodeId node, LaneState& lane, const LaneCode& code, Tick finished) {
  const OperationCode& o = code.operations[at(lane.operation)];
  const bool again = ++lane.time < o.operation->times;
  if (!again) {
    auto& all = memory_[at(node)].finished;
    if (!all.empty()) all[at(code.first + lane.operation)] = finished;
  }
  if (recorder_ != nullptr) {
    recorder_->operation(node, *o.operation, lane.first < 0 ? finished : lane.first, finished);
  }
  const std::int32_t operation = again ? lane.operation : lane.operation + 1;
  lane = {.operation = operation, .time = again ? lane.time : 0, .took = o.takes() ? finished : lane.took};
}

}  // namespace muster::wafer

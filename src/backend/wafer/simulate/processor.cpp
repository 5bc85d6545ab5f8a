// Processors of the simulated fabric: operations of any kind, element by element.
#include "backend/wafer/simulate/processor.h"

#include <algorithm>

#include "backend/wafer/weights.h"
#include "base/index.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

/// Passes over outputs that end without a control wavelet.
void skip_silent_endings(LaneState& lane, const OperationCode& o) {
  const auto& outputs = o.operation->outputs;
  while (lane.controls < outputs.size() && outputs[lane.controls].controls() == 0) ++lane.controls;
}

}  // namespace

Processors::Processors(Fabric& fabric, const PreparedProgram& prepared, StripState& strip, Routers& routers,
                       const Options& options)
    : call_ends(at(options.calls)),
      node_times(at(options.calls), std::vector<NodeTimes>(strip.nodes.size())),
      outputs(at(options.calls)),
      fabric_(fabric),
      prepared_(prepared),
      strip_(strip),
      routers_(routers),
      recorder_(strip.recorder ? &*strip.recorder : nullptr),
      calls_(options.calls),
      seed_(options.seed),
      initial_(options.initial),
      arithmetic_(fabric.program.arithmetic),
      ramp_latency_(static_cast<Tick>(fabric.program.mesh().ramp_latency.value())),
      operation_start_(static_cast<Tick>(fabric.program.mesh().operation_start.value())),
      receive_gap_(static_cast<Tick>(fabric.program.mesh().receive_gap.value())),
      receive_interval_(static_cast<Tick>(fabric.program.mesh().receive_interval.value())),
      processors_(strip.nodes.size()),
      memory_(processors_.size()),
      arena_(stored_words()) {
  for (auto& call : outputs) call.resize(processors_.size());
  for (NodeId node = strip.nodes.first; node < strip.nodes.end; ++node) {
    if (code(node).operations == 0) {
      memory(node).call = calls_;
      for (int call = 0; call < calls_; ++call) keep_output(node, call);
      continue;
    }
    ++unfinished_;
    memory(node).first_lane = static_cast<std::int32_t>(lanes_.size());
    lanes_.resize(lanes_.size() + code(node).lanes.size());
    place_buffers(node);
    begin_call(node);
    strip.wake_processor(node);
  }
}

const ProcessorCode& Processors::code(NodeId node) const {
  return prepared_.codes[at(fabric_.program.class_of[at(node)])];
}

LaneState Processors::lane(NodeId node, std::size_t lane) const {
  const Processor& p = processor(node);
  LaneState state = lanes_[at(memory(node).first_lane) + lane];
  if (p.simple.is_under_way) state.taken = p.simple.taken;
  return state;
}

std::int64_t Processors::busy(NodeId node) const {
  const SimpleOperation& simple = processor(node).simple;
  return memory(node).busy + (simple.is_under_way ? simple.taken : 0);
}

bool Processors::run_processor(NodeId node, Tick now) {
  LaneState* const lanes = this->lanes(node);
  const ProcessorCode& code = this->code(node);
  memory(node).looks_again = false;
  bool progress = false, left = false;
  for (std::size_t l = 0; l < code.lanes.size(); ++l) {
    progress |= run_lane(node, lanes[l], code.lanes[l], now);
    left |= at(lanes[l].operation) < code.lanes[l].operations.size();
  }
  if (!left) {
    end_step(node, now);
    return true;
  }
  if (!progress && !processor(node).simple.is_under_way && may_sleep(node, now)) sleep(node);
  return progress;
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
  Processor& p = processor(node);
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
  const auto& finished = memory(node).finished;
  lane.begun = std::all_of(o.operation->after.begin(), o.operation->after.end(),
                           [&](std::int32_t other) { return finished[at(other)] <= now; });
  if (!lane.begun) return false;
  lane.acts = now + operation_start_;
  lane.takes = o.takes() ? std::max(now, lane.took + receive_gap_) + operation_start_ : lane.acts;
  Processor& p = processor(node);
  p.starting = std::max({p.starting, lane.acts, lane.takes});
  return true;
}

/// The queue from the processor to the router, or kNoQueue.
std::int32_t Processors::ramp_queue_out(NodeId node, std::int32_t slot) const {
  if (slot == kNoCell) return kNoQueue;
  return fabric_.in(fabric_.cells[at(fabric_.first_cell[at(node)] + slot)], Direction::ramp);
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
    const Stamp space = queue.space();
    if (space.is_free(now)) return true;
    if (space.is_wavelet()) {
      queue.waiter = Waiter::processor(node);
    } else {
      memory(node).looks_again = true;
    }
    return false;
  }
  if (!strip_.processor_fault) {
    strip_.processor_fault =
        Fault{.kind = "no route",
              .location = fabric_.location(node, o.operation->outputs[output].color),
              .cycle = Cycles(now),
              .message = "the processor sends on a color that its router does not accept from the ramp"};
  }
  return false;
}

bool Processors::can_push_all(NodeId node, const OperationCode& o, Tick enters, Tick now) {
  if (processor(node).ramp_free > enters) return false;
  for (std::size_t i = 0; i < o.output_slots.size(); ++i) {
    if (!can_push(node, o, i, now)) return false;
  }
  return true;
}

bool Processors::operands_ready(NodeId node, const OperationCode& o, Tick now) const {
  for (std::size_t i = 0; i < o.operand_slots.size(); ++i) {
    if (o.operation->operands[i] == kOwnOperand) continue;
    const std::int32_t queue = ramp_queue_in(node, o.operand_slots[i]);
    if (queue == kNoQueue || !fabric_.queue(queue).first().stamp().is_ready(now)) return false;
  }
  return true;
}

/// The next wavelet of a color.
inline Word Processors::take(NodeId node, std::int32_t slot, Tick now) {
  Queue& queue = fabric_.queue(ramp_queue_in(node, slot));
  const Word word = queue.first().word();
  queue.pop(now);
  routers_.wake_waiter(queue);
  --strip_.in_flight;
  return word;
}

/// Takes the next element of every operand and combines them, left to right.
Word Processors::combine(NodeId node, const OperationCode& o, std::int64_t k, Tick now) {
  if (!o.terms.empty()) [[unlikely]]
    return combine_terms(node, o, k, now);
  Word result = 0;
  for (std::size_t i = 0; i < o.operand_slots.size(); ++i) {
    const Word word = o.operation->operands[i] == kOwnOperand ? read(node, o.operation->own, o.own.element(k))
                                                              : take(node, o.operand_slots[i], now);
    result = i == 0 ? word : arithmetic_.combine(result, word);
  }
  return result;
}

/// Likewise, with coefficients, which are numbers of f32.
Word Processors::combine_terms(NodeId node, const OperationCode& o, std::int64_t k, Tick now) {
  Word result = 0;
  bool is_first = true;
  for (const TermCode& term : o.terms) {
    const Word word =
        term.slot == kNoCell ? read(node, term.buffer, term.elements.element(k)) : take(node, term.slot, now);
    if (term.has_coefficient) {
      const float c = term.array == Buffer::none
                          ? term.coefficient
                          : std::bit_cast<float>(read(node, term.array, term.first + o.elements.element(k)));
      result = is_first ? multiply(c, word) : multiply_add(c, word, result);
    } else {
      result = is_first ? word : arithmetic_.combine(result, word);
    }
    is_first = false;
  }
  return result;
}

bool Processors::try_element(NodeId node, LaneState& lane, const OperationCode& o, Tick now) {
  Tick& datapath_free = memory(node).datapath_free;
  if (datapath_free > now || lane.takes > now || (o.overwrites && lane.sent <= lane.taken)) return false;
  if (o.cost > 0 && processor(node).receive_free > now) return false;
  if (!operands_ready(node, o, now)) return false;
  const Tick enters = now + o.slots - (o.cost > 0 ? 0 : 1);  // what comes from memory can leave at once
  const bool pushes = !o.exchange && !o.output_slots.empty();
  if (pushes && !can_push_all(node, o, enters, now)) return false;

  const Word result = combine(node, o, lane.taken, now);
  const Tick busy = o.slots;
  datapath_free = now + busy;
  memory(node).busy += busy;
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
  processor(node).receive_free = now + interval;
  if (!is_last) memory(node).waits += std::max(0, interval - o.slots - (o.exchange ? 1 : 0));
}

bool Processors::try_send_old(NodeId node, LaneState& lane, const OperationCode& o, Tick now) {
  if (memory(node).datapath_free > now || !can_push_all(node, o, now, now)) return false;
  memory(node).datapath_free = now + 1;
  ++memory(node).busy;
  const Word word = read(node, o.operation->sent, o.sent.element(lane.sent));
  ++lane.sent;
  push_all(node, o, word, lane.sent == o.sent.count, now);
  return true;
}

/// Control wavelets follow the data, one per cycle; they need the ramp, but not the datapath.
bool Processors::try_control(NodeId node, LaneState& lane, const OperationCode& o, Tick now) {
  skip_silent_endings(lane, o);
  if (lane.controls == o.operation->outputs.size() || processor(node).ramp_free > now) return false;
  if (!can_push(node, o, lane.controls, now)) return false;
  const Output& output = o.operation->outputs[lane.controls];
  const Word word = output.ending == Ending::commands ? kListed | output.lists.at(lane.lists) : 0;
  push(ramp_queue_out(node, o.output_slots[lane.controls]), word,
       output.ending == Ending::reset ? Stamp::Kind::reset : Stamp::Kind::advance, now);
  ++fabric_.commands[at(node)];
  if (++lane.lists == output.controls()) {
    lane.lists = 0;
    ++lane.controls;
  }
  processor(node).ramp_free = now + 1;
  return true;
}

void Processors::push_all(NodeId node, const OperationCode& o, Word word, bool last, Tick enters) {
  for (std::size_t i = 0; i < o.output_slots.size(); ++i) {
    const bool advances = last && o.operation->outputs[i].ending == Ending::advance_own;
    push(ramp_queue_out(node, o.output_slots[i]), word, advances ? Stamp::Kind::data_advance_own : Stamp::Kind::data,
         enters++);
  }
  processor(node).ramp_free = enters;
}

void Processors::push(std::int32_t queue, Word word, Stamp::Kind kind, Tick enters) {
  Queue& out = fabric_.queue(queue);
  out.push(word, Stamp::of_wavelet(kind, enters + ramp_latency_));
  if (out.calls_reader()) strip_.wake_reading_cell(out);
  ++strip_.in_flight;
}

void Processors::next_operation(NodeId node, LaneState& lane, const LaneCode& code, Tick finished) {
  const OperationCode& o = code.operations[at(lane.operation)];
  const bool again = ++lane.time < o.operation->times;
  if (!again) {
    auto& all = memory(node).finished;
    if (!all.empty()) all[at(code.first + lane.operation)] = finished;
  }
  if (recorder_ != nullptr) {
    recorder_->operation(node, *o.operation, lane.first < 0 ? finished : lane.first, finished);
  }
  const std::int32_t operation = again ? lane.operation : lane.operation + 1;
  lane = {.operation = operation, .time = again ? lane.time : 0, .took = o.takes() ? finished : lane.took};
}

}  // namespace muster::wafer

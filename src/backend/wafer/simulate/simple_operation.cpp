// The operations that nearly all programs consist of, element by element: one lane, at most one color in and one out,
// ranges of memory. They do what processor.cpp does for all operations, with everything at hand.
#include <algorithm>

#include "backend/wafer/simulate/processor.h"
#include "base/index.h"

namespace muster::wafer {
namespace {

std::size_t buffer_index(Buffer buffer) { return static_cast<std::size_t>(buffer) - 1; }

}  // namespace

/// False if the router lacks a queue that the operation needs; then it waits or fails as any other.
bool Processors::load_simple(NodeId node, Processor& p, const OperationCode& o) {
  const Operation& operation = *o.operation;
  SimpleOperation s;
  s.count = static_cast<std::int32_t>(o.elements.count);
  s.is_under_way = true;
  for (std::size_t i = 0; i < o.operand_slots.size(); ++i) {
    if (operation.operands[i] == kOwnOperand) {
      s.has_own = true;
      s.own_is_first = i == 0;
      continue;
    }
    const std::int32_t in = ramp_queue_in(node, o.operand_slots[i]);
    if (in == kNoQueue) return false;
    s.in = &fabric_.queue(in);
  }
  if (!o.output_slots.empty()) {
    const std::int32_t out = ramp_queue_out(node, o.output_slots[0]);
    if (out == kNoQueue) return false;
    s.out = &fabric_.queue(out);
    s.advances_own = operation.outputs[0].ending == Ending::advance_own;
  }
  auto& buffers = memory(node).buffers;
  if (s.has_own) {
    const auto& words = buffers[buffer_index(operation.own)];
    s.own_is_made = words.empty() && prepared_.contract.holds(node, operation.own);
    s.first_made = static_cast<std::int32_t>(o.own.first);
    if (s.own_is_made) {
      s.key = input_key(node, memory(node).call);
    } else {
      s.own = words.empty() ? nullptr : words.data() + o.own.first;
    }
  }
  if (operation.store != Buffer::none) {
    s.store = buffers[buffer_index(operation.store)].data() + o.store.first;
    s.owes = prepared_.contract.owes(node, operation.store, Range{o.store.first, o.store.count});
  }
  p.simple = s;
  p.starting = std::max(p.starting, memory(node).datapath_free);
  return true;
}

void Processors::wait_for_wavelet(NodeId node, Queue& in) {
  StripState::be_called(in);
  strip_.processor_sleeps(node);
}

/// Whether there is an element to take and space for its result in cycle `enters`. If not, the processor may sleep.
inline bool Processors::can_act(NodeId node, const Processor& p, Tick enters, Tick now) {
  const SimpleOperation& s = p.simple;
  if (p.starting > now) return false;
  if (s.in != nullptr) {
    const Stamp stamp = s.in->first().stamp();
    if (!stamp.is_ready(now)) [[unlikely]] {
      if (!stamp.is_wavelet()) wait_for_wavelet(node, *s.in);
      return false;
    }
    if (p.receive_free > now) return false;
  }
  if (s.out == nullptr) return true;
  if (p.ramp_free > enters) return false;
  const Stamp space = s.out->space();
  if (space.is_free(now)) return true;
  if (space.is_wavelet()) {
    s.out->waiter = Waiter::processor(node);
    strip_.processor_sleeps(node);
  }
  return false;
}

/// One element, if it can be done now.
inline bool Processors::try_simple(NodeId node, Processor& p, Tick now) {
  SimpleOperation& s = p.simple;
  Queue* const in = s.in;
  Queue* const out = s.out;
  const Tick enters = now + (in != nullptr ? 1 : 0);  // what comes from memory can leave at once
  if (!can_act(node, p, enters, now)) return false;

  const std::int32_t k = s.taken++;
  Word word = 0;
  if (s.own_is_made) {
    word = arithmetic_.input_at(s.key, s.first_made + k);
  } else if (s.own != nullptr) {
    word = s.own[k];
  }
  if (in != nullptr) {
    const Word taken = in->first().word();
    in->pop(now);
    routers_.wake_waiter(*in);
    --strip_.in_flight;
    p.receive_free = now + receive_interval_;
    word = !s.has_own ? taken : s.own_is_first ? arithmetic_.combine(word, taken) : arithmetic_.combine(taken, word);
  }
  if (s.store != nullptr) {
    s.store[k] = word;
    if (s.owes == DataContract::Owes::all || (s.owes == DataContract::Owes::some && owes_now(node, s))) {
      p.last_owed = now + 1;
    }
  }
  if (out != nullptr) {
    const bool advances = s.advances_own && s.taken == s.count;
    const auto kind = advances ? Stamp::Kind::data_advance_own : Stamp::Kind::data;
    out->push(word, Stamp::of_wavelet(kind, enters + ramp_latency_));
    if (out->calls_reader()) [[unlikely]]
      strip_.wake_reading_cell(*out);
    ++strip_.in_flight;
    p.ramp_free = enters + 1;
  }
  return true;
}

/// Whether the element that was just stored is owed, where only some are.
bool Processors::owes_now(NodeId node, const SimpleOperation& s) const {
  const OperationCode& o = code(node).lanes[0].operations[at(lanes(node)->operation)];
  return prepared_.contract.owes(node, o.operation->store, o.store.first + s.taken - 1);
}

void Processors::end_simple(NodeId node, Processor& p, LaneState& lane) {
  p.simple.is_under_way = false;
  lane.taken = p.simple.count;
  memory(node).busy += p.simple.count;
  if (p.simple.in != nullptr) memory(node).waits += std::int64_t{p.simple.count - 1} * (receive_interval_ - 1);
}

inline bool Processors::run_simple(NodeId node, Processor& p, Tick now) {
  if (!try_simple(node, p, now)) return false;
  if (recorder_ != nullptr && p.simple.taken == 1) lanes(node)->first = now;
  if (p.simple.taken == p.simple.count) finish_simple(node, p, now);
  return true;
}

void Processors::finish_simple(NodeId node, Processor& p, Tick now) {
  LaneState& lane = *lanes(node);
  const LaneCode& code = this->code(node).lanes[0];
  end_simple(node, p, lane);
  finish_if_complete(node, lane, code, now + 1);
  if (at(lane.operation) == code.operations.size()) end_step(node, now);
}

bool Processors::run(Tick now) {
  bool any = false;
  Processor* const processors = processors_.data();
  strip_.processors.visit_up([&](std::int32_t i) {
    const NodeId node = strip_.nodes.first + i;
    Processor& p = processors[i];
    if (p.simple.is_under_way) {
      any |= run_simple(node, p, now);
    } else if (done(node)) {
      strip_.processor_sleeps(node);
    } else {
      any |= run_processor(node, now);
    }
  });
  return any;
}

/// The first element of a simple operation, in the cycle in which it was loaded.
bool Processors::begin_simple(NodeId node, Processor& p, LaneState& lane, Tick now) {
  const bool progress = try_simple(node, p, now);
  if (p.simple.taken == p.simple.count) end_simple(node, p, lane);
  return progress;
}

}  // namespace muster::wafer

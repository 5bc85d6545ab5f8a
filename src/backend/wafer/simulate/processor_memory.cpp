// What processors of the simulated fabric hold: inputs, results, and what is left of a call.
#include <algorithm>

#include "backend/wafer/simulate/processor.h"
#include "base/index.h"

namespace muster::wafer {
namespace {

constexpr Tick kNever = 1 << 30;

}  // namespace

/// Of all processors, in buffers that need memory.
std::size_t Processors::stored_words() const {
  std::size_t words = 0;
  for (const std::int32_t class_id : fabric_.program.class_of) {
    for (std::size_t b = 0; b < codes_[at(class_id)].stored.size(); ++b) {
      if (codes_[at(class_id)].stored[b]) words += WordArena::with_gap(at(fabric_.program.extent[b]));
    }
  }
  return words;
}

void Processors::place_buffers(NodeId node) {
  for (std::size_t b = 0; b < memory_[at(node)].buffers.size(); ++b) {
    if (code(node).stored[b]) memory_[at(node)].buffers[b] = arena_.take(at(fabric_.program.extent[b]));
  }
}

void Processors::begin_call(NodeId node) {
  Processor& p = processors_[at(node)];
  const ProcessorCode& code = this->code(node);
  auto& memory = memory_[at(node)];
  std::fill_n(lanes_.begin() + memory.first_lane, code.lanes.size(), LaneState{});
  p.last_owed = 0;
  auto& buffers = memory.buffers;
  if (code.has_waits) memory.finished.assign(code.operations, kNever);
  for (std::size_t b = 0; b < buffers.size(); ++b) {
    if (!code.stored[b]) continue;
    if (memory.call > 0) std::fill(buffers[b].begin(), buffers[b].end(), Word{0});
    if (contract_.holds(node, static_cast<Buffer>(b + 1))) {
      arithmetic_.fill_inputs(input_key(node, memory.call), 0, buffers[b]);
    }
  }
}

/// A buffer that is owed, held and never stored to (in place) is what it was. No one looks at what is not owed.
void Processors::keep_output(NodeId node, int call) {
  const Buffer output = contract_.output(node);
  if (output == Buffer::none || !contract_.owes(node)) return;
  const std::size_t b = static_cast<std::size_t>(output) - 1;
  auto& words = outputs[at(call)][at(node)];
  const std::span<const Word> stored = memory_[at(node)].buffers[b];
  words.assign(stored.begin(), stored.end());
  if (!words.empty() || !contract_.holds(node, output)) return;
  words.resize(at(fabric_.program.extent[b]));
  arithmetic_.fill_inputs(input_key(node, call), 0, words);
}

void Processors::end_call(NodeId node, Tick now) {
  ProcessorMemory& memory = memory_[at(node)];
  const Cycles owed(processors_[at(node)].last_owed);
  Cycles& end = call_ends[at(memory.call)];
  end = std::max(end, owed);
  node_times[at(memory.call)][at(node)] = {.owed = owed, .finished = Cycles(now)};
  keep_output(node, memory.call);
  if (++memory.call < calls_) {
    begin_call(node);
  } else {
    --unfinished_;
  }
}

std::uint64_t Processors::input_key(NodeId node, int call) const {
  return Arithmetic::input_key(node, seed_ + static_cast<std::uint64_t>(call));
}

Word Processors::read(NodeId node, Buffer buffer, std::int64_t element) const {
  const auto& memory = memory_[at(node)].buffers[static_cast<std::size_t>(buffer) - 1];
  if (!memory.empty()) return memory[at(element)];
  if (!contract_.holds(node, buffer)) return 0;
  return arithmetic_.input_at(input_key(node, memory_[at(node)].call), element);
}

void Processors::store(NodeId node, Buffer buffer, std::int64_t element, Word word, Tick exists) {
  Processor& p = processors_[at(node)];
  memory_[at(node)].buffers[static_cast<std::size_t>(buffer) - 1][at(element)] = word;
  if (exists > p.last_owed && contract_.owes(node, buffer, element)) p.last_owed = exists;
}

}  // namespace muster::wafer

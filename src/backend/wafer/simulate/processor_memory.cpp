// What processors of the simulated fabric hold: inputs, results, and what is left of a call.
#include <algorithm>

#include "backend/wafer/simulate/processor.h"
#include "base/index.h"

namespace muster::wafer {
namespace {

constexpr Tick kNever = 1 << 30;

/// Of a buffer with all its pages.
std::size_t all_words(const WaferProgram& program, std::size_t buffer) {
  return at(program.extent[buffer] * program.pages_of(static_cast<Buffer>(buffer + 1)));
}

bool ends_exchanged(const WaferProgram& program) { return program.begins_exchanged == (program.steps % 2 == 1); }

}  // namespace

/// Of the strip, in buffers that need memory.
std::size_t Processors::stored_words() const {
  std::size_t words = 0;
  for (NodeId node = strip_.nodes.first; node < strip_.nodes.end; ++node) {
    for (std::size_t b = 0; b < code(node).stored.size(); ++b) {
      if (code(node).stored[b]) words += WordArena::with_gap(all_words(fabric_.program, b));
    }
  }
  return words;
}

void Processors::place_buffers(NodeId node) {
  for (std::size_t b = 0; b < memory(node).buffers.size(); ++b) {
    if (code(node).stored[b]) memory(node).buffers[b] = arena_.take(all_words(fabric_.program, b));
  }
  memory(node).series = buffer(node, Buffer::series);
  memory(node).record = buffer(node, Buffer::record);
}

void Processors::begin_call(NodeId node) {
  Processor& p = processor(node);
  const ProcessorCode& code = this->code(node);
  auto& memory = this->memory(node);
  memory.step = 0;
  begin_step(node);
  p.last_owed = 0;
  auto& buffers = memory.buffers;
  for (std::size_t b = 0; b < buffers.size(); ++b) {
    if (!code.stored[b]) continue;
    if (memory.call > 0) std::fill(buffers[b].begin(), buffers[b].end(), Word{0});
    if (prepared_.contract.holds(node, static_cast<Buffer>(b + 1)) && prepared_.contract.stencil().empty()) {
      arithmetic_.fill_inputs(input_key(node, memory.call), 0, buffers[b]);
    }
  }
  for (const Holdings::Held& held : prepared_.contract.stencil()) {
    const std::span<Word> all = buffers.at(at(static_cast<int>(held.buffer)) - 1);
    if (all.empty() || held.is_zero) continue;
    fill_held(node, held, all.subspan(at(held.range.first), at(held.range.count)));
  }
  if (!memory.series.empty() && prepared_.contract.holds(node, Buffer::series)) {
    fill_held(node, held_series(std::ssize(memory.series)), memory.series);
  }
  std::fill(memory.record.begin(), memory.record.end(), Word{0});
  if (fabric_.program.begins_exchanged) std::swap(buffers[0], buffers[1]);
}

void Processors::fill_held(NodeId node, const Holdings::Held& held, std::span<Word> words) {
  if (initial_) return initial_(node, held.buffer, held.range.first, words);
  const std::uint64_t seed = seed_ + static_cast<std::uint64_t>(memory(node).call);
  arithmetic_.fill_inputs(held.input_key(node, seed), held.range.first, words);
}

/// Turns to the pages of the repetition.
void Processors::turn_pages(NodeId node) {
  ProcessorMemory& memory = this->memory(node);
  const WaferProgram& program = fabric_.program;
  if (!memory.series.empty()) {
    const std::size_t page = at(program.extent_of(Buffer::series));
    buffer(node, Buffer::series) = memory.series.subspan(at(memory.step) * page, page);
  }
  if (!memory.record.empty()) {
    const std::size_t page = at(program.extent_of(Buffer::record));
    buffer(node, Buffer::record) = memory.record.subspan(at(memory.step / program.record_every) * page, page);
  }
}

void Processors::begin_step(NodeId node) {
  turn_pages(node);
  const ProcessorCode& code = this->code(node);
  std::fill_n(lanes(node), code.lanes.size(), LaneState{});
  if (code.has_waits) memory(node).finished.assign(code.operations, kNever);
}

/// What it stored to the output is the input of the next repetition.
void Processors::end_step(NodeId node, Tick now) {
  ProcessorMemory& memory = this->memory(node);
  if (++memory.step >= fabric_.program.steps) return end_call(node, now);
  std::swap(memory.buffers[0], memory.buffers[1]);
  begin_step(node);
}

/// A buffer that is owed, held and never stored to (in place) is what it was. No one looks at what is not owed.
void Processors::keep_output(NodeId node, int call) {
  const Buffer output = prepared_.contract.output(node);
  if (output == Buffer::none || !prepared_.contract.owes(node)) return;
  const std::size_t b = static_cast<std::size_t>(output) - 1;
  auto& words = outputs[at(call)][index(node)];
  const std::span<const Word> stored = memory(node).buffers[b];
  words.assign(stored.begin(), stored.end());
  const std::span<const Word> record = memory(node).record;
  if (prepared_.contract.records(node)) words.insert(words.end(), record.begin(), record.end());
  const bool exchanged = ends_exchanged(fabric_.program) && output != Buffer::scratch;
  const Buffer made = !exchanged ? output : output == Buffer::input ? Buffer::output : Buffer::input;
  if (!words.empty() || !prepared_.contract.holds(node, made)) return;
  words.resize(at(fabric_.program.extent[b]));
  arithmetic_.fill_inputs(input_key(node, call), 0, words);
}

void Processors::end_call(NodeId node, Tick now) {
  ProcessorMemory& memory = this->memory(node);
  const Cycles owed(processor(node).last_owed);
  Cycles& end = call_ends[at(memory.call)];
  end = std::max(end, owed);
  node_times[at(memory.call)][index(node)] = {.owed = owed, .finished = Cycles(now)};
  keep_output(node, memory.call);
  if (ends_exchanged(fabric_.program)) std::swap(memory.buffers[0], memory.buffers[1]);
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
  const auto& words = memory(node).buffers[static_cast<std::size_t>(buffer) - 1];
  if (!words.empty()) return words[at(element)];
  if (!prepared_.contract.holds(node, buffer)) return 0;
  return arithmetic_.input_at(input_key(node, memory(node).call), element);
}

void Processors::store(NodeId node, Buffer buffer, std::int64_t element, Word word, Tick exists) {
  Processor& p = processor(node);
  memory(node).buffers[static_cast<std::size_t>(buffer) - 1][at(element)] = word;
  if (exists > p.last_owed && prepared_.contract.owes(node, buffer, element)) p.last_owed = exists;
}

}  // namespace muster::wafer

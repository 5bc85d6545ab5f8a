// Memories of cores, and messages between them.
#include "backend/hyperx/host_memories.h"

#include "base/index.h"
#include "machine/routing.h"

namespace muster::hyperx {

HostMemories::HostMemories(const HostProgram& program, std::uint64_t seed)
    : program_(program), buffers_(at(rank_count(program.machine))), messages_(program.schedule.streams.size()) {
  for (const Contract& contract : program.schedule.contracts) {
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(contract.ranks.size()); ++i) {
      const NodeId rank = contract.ranks[at(i)];
      std::vector<Word>& from = buffer(rank, held_in(contract, i));
      for (const Range& held : held_before(contract, i)) {
        program.arithmetic.inputs(rank, held.first, seed, std::span(from).subspan(at(held.first), at(held.count)));
      }
    }
  }
}

std::vector<Word>& HostMemories::buffer(NodeId rank, Buffer buffer) {
  std::vector<Word>& words = buffers_[at(rank)][static_cast<std::size_t>(buffer) - 1];
  words.resize(at(program_.schedule.extent_of(buffer)));
  return words;
}

std::vector<Word> HostMemories::read(NodeId rank, Buffer buffer, SpanId elements) const {
  const std::vector<Word>& words = buffers_[at(rank)][static_cast<std::size_t>(buffer) - 1];
  std::vector<Word> taken;
  for (const Range& range : program_.schedule.spans.ranges(elements)) {
    const auto first = words.begin() + range.first;
    taken.insert(taken.end(), first, first + range.count);
  }
  return taken;
}

void HostMemories::send(NodeId rank, const Step& step) {
  const auto outputs = program_.schedule.outputs_of(step);
  if (outputs.empty()) return;
  const std::vector<Word> sent =
      step.is_exchange() ? read(rank, step.sent, step.sent_elements) : read(rank, step.own, step.own_elements);
  for (const StreamId id : outputs) messages_[at(id)] = sent;
}

void HostMemories::finish(NodeId rank, const Step& step) {
  if (step.store == Buffer::none) return;
  std::vector<Word> result;
  for (const StreamId id : program_.schedule.operands_of(step)) {
    std::vector<Word> operand = id == kOwn ? read(rank, step.own, step.own_elements) : std::move(messages_[at(id)]);
    if (result.empty()) {
      result = std::move(operand);
    } else {
      program_.arithmetic.combine(result, operand);
    }
  }
  std::vector<Word>& words = buffer(rank, step.store);
  auto next = result.begin();
  for (const Range& range : program_.schedule.spans.ranges(step.store_elements)) {
    std::copy(next, next + range.count, words.begin() + range.first);
    next += range.count;
  }
}

Outputs HostMemories::outputs() const {
  Outputs outputs(at(program_.schedule.node_count));
  for (const Contract& contract : program_.schedule.contracts) {
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(contract.ranks.size()); ++i) {
      if (owed_after(contract, i).empty()) continue;
      const NodeId rank = contract.ranks[at(i)];
      outputs[at(rank)] = buffers_[at(rank)][static_cast<std::size_t>(contract.to) - 1];
    }
  }
  return outputs;
}

}  // namespace muster::hyperx

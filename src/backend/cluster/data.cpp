// Each phase is run for one group at a time: the steps of its part, whole, in an order in which they can run.
#include "backend/cluster/data.h"

#include <algorithm>
#include <optional>

#include "base/index.h"
#include "schedule/run_order.h"

namespace muster::cluster {
namespace {

/// A part, ready to be run by any group.
class PartRunner {
 public:
  explicit PartRunner(const Schedule& part)
      : part_(&part),
        node_(step_nodes(part)),
        events_(run_order(part)),
        streams_(part.streams.size()),
        elements_(at(part.spans.size())) {}

  /// `memory(i, e)`: element e of the part's vector at member i.
  template <class Memory>
  void run(const Arithmetic& arithmetic, Memory memory) {
    for (const RunEvent& event : events_) {
      const Step& step = part_->steps[at(event.step)];
      const NodeId node = node_[at(event.step)];
      if (event.sends_old) {
        words_.clear();
        for (const std::int64_t e : elements_of(step.sent_elements)) words_.push_back(memory(node, e));
        push(step);
        continue;
      }
      combine(step, arithmetic, [&](std::int64_t e) -> Word& { return memory(node, e); });
      if (!step.is_exchange()) push(step);
    }
  }

 private:
  template <class Own>
  void combine(const Step& step, const Arithmetic& arithmetic, Own own) {
    const std::vector<std::int64_t>& owned = elements_of(step.own_elements);
    words_.clear();
    for (const StreamId operand : part_->operands_of(step)) {
      const bool first = words_.empty();
      if (first) words_.resize(elements_of(step.elements).size());
      for (std::size_t k = 0; k < words_.size(); ++k) {
        const Word word = operand == kOwn ? own(owned[k]) : streams_[at(operand)][k];
        words_[k] = first ? word : arithmetic.combine(words_[k], word);
      }
    }
    if (step.store == Buffer::none) return;
    const std::vector<std::int64_t>& stored = elements_of(step.store_elements);
    for (std::size_t k = 0; k < words_.size(); ++k) own(stored[k]) = words_[k];
  }
  void push(const Step& step) {
    for (const StreamId stream : part_->outputs_of(step)) streams_[at(stream)] = words_;
  }
  const std::vector<std::int64_t>& elements_of(SpanId span) {
    std::vector<std::int64_t>& elements = elements_[at(span)];
    if (!elements.empty()) return elements;
    for (const Range& range : part_->spans.ranges(span)) {
      for (std::int64_t e = range.first; e < range.end(); ++e) elements.push_back(e);
    }
    return elements;
  }

  const Schedule* part_;
  std::vector<NodeId> node_;
  std::vector<RunEvent> events_;
  std::vector<std::vector<Word>> streams_;           ///< what each one carries
  std::vector<std::vector<std::int64_t>> elements_;  ///< of each span, once it was asked for
  std::vector<Word> words_;                          ///< of the present step
};

Outputs inputs_of(const ClusterProgram& program, std::uint64_t seed) {
  const Schedule& schedule = program.schedule;
  const auto words = at(schedule.extent_of(Buffer::input));
  Outputs memory(at(schedule.node_count), std::vector<Word>(words, 0));
  for (const Contract& contract : schedule.contracts) {
    for (std::int32_t rank = 0; rank < static_cast<std::int32_t>(contract.ranks.size()); ++rank) {
      const NodeId node = contract.ranks[at(rank)];
      for (const Range& held : held_before(contract, rank)) {
        program.arithmetic.inputs(node, held.first, seed,
                                  std::span(memory[at(node)]).subspan(at(held.first), at(held.count)));
      }
    }
  }
  return memory;
}

std::vector<std::int64_t> elements_of(const Schedule& schedule, SpanId span, std::int64_t offset) {
  std::vector<std::int64_t> elements;
  for (const Range& range : schedule.spans.ranges(span)) {
    for (std::int64_t e = range.first; e < range.end(); ++e) elements.push_back(e + offset);
  }
  return elements;
}

}  // namespace

Outputs compute_data(const ClusterProgram& program, const std::vector<std::int32_t>& order, std::uint64_t seed) {
  const Schedule& schedule = program.schedule;
  std::vector<std::optional<PartRunner>> parts(schedule.parts.size());
  Outputs memory = inputs_of(program, seed);
  for (const std::int32_t operation : order) {
    for (const std::int32_t p : program.operations[at(operation)].phases) {
      const Phase& phase = schedule.phases[at(p)];
      auto& part = parts[at(phase.part)];
      if (!part) part.emplace(schedule.parts[at(phase.part)]);
      for (const Group& group : groups_of(schedule, phase)) {
        const std::vector<std::int64_t> elements = elements_of(schedule, group.on, phase.offset);
        part->run(program.arithmetic, [&](NodeId member, std::int64_t element) -> Word& {
          return memory[at(group.members[at(member)])][at(elements[at(element)])];
        });
      }
    }
  }
  return memory;
}

}  // namespace muster::cluster

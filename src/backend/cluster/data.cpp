// Elements do not meet each other, so each phase is run for one element of its groups' vectors at a time: the steps of its
// part that handle the element, in an order in which they can run.
#include "backend/cluster/data.h"

#include <algorithm>
#include <optional>

#include "base/index.h"
#include "schedule/run_order.h"

namespace muster::cluster {
namespace {

/// A part, ready to be run for any of its elements.
class ElementRunner {
 public:
  explicit ElementRunner(const Schedule& part)
      : part_(&part), node_(step_nodes(part)), events_(run_order(part)), streams_(part.streams.size()) {}

  /// `memory(i)`: the word of member i.
  template <class Memory>
  void run(std::int64_t element, const Arithmetic& arithmetic, Memory memory) {
    for (const RunEvent& event : events_) {
      const Step& step = part_->steps[at(event.step)];
      Word& own = memory(node_[at(event.step)]);
      if (event.sends_old) {
        if (handles(step.sent_elements, element)) push(step, own);
        continue;
      }
      if (!handles(step.elements, element)) continue;
      std::optional<Word> result;
      for (const StreamId operand : part_->operands_of(step)) {
        const Word word = operand == kOwn ? own : streams_[at(operand)];
        result = result ? arithmetic.combine(*result, word) : word;
      }
      if (step.store != Buffer::none) own = *result;
      if (!step.is_exchange()) push(step, *result);
    }
  }

 private:
  [[nodiscard]] bool handles(SpanId span, std::int64_t element) const {
    const auto ranges = part_->spans.ranges(span);
    return std::any_of(ranges.begin(), ranges.end(),
                       [&](const Range& r) { return r.first <= element && element < r.end(); });
  }
  void push(const Step& step, Word word) {
    for (const StreamId stream : part_->outputs_of(step)) streams_[at(stream)] = word;
  }

  const Schedule* part_;
  std::vector<NodeId> node_;
  std::vector<RunEvent> events_;
  std::vector<Word> streams_;  ///< what each one carries for this element
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

}  // namespace

Outputs compute_data(const ClusterProgram& program, const std::vector<std::int32_t>& order, std::uint64_t seed) {
  const Schedule& schedule = program.schedule;
  std::vector<std::optional<ElementRunner>> parts(schedule.parts.size());
  Outputs memory = inputs_of(program, seed);
  for (const std::int32_t operation : order) {
    for (const std::int32_t p : program.operations[at(operation)].phases) {
      const Phase& phase = schedule.phases[at(p)];
      auto& part = parts[at(phase.part)];
      if (!part) part.emplace(schedule.parts[at(phase.part)]);
      for (const Group& group : groups_of(schedule, phase)) {
        for (std::int64_t e = 0; e < schedule.spans.count(group.on); ++e) {
          const std::int64_t place = schedule.spans.element(group.on, e) + phase.offset;
          part->run(e, program.arithmetic,
                    [&](NodeId member) -> Word& { return memory[at(group.members[at(member)])][at(place)]; });
        }
      }
    }
  }
  return memory;
}

}  // namespace muster::cluster

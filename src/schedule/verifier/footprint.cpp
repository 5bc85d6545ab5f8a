// What a part touches in the buffers that a phase binds. A contract says what is owed; a part may store elsewhere too
// (partial sums, say), and whoever composes parts must know.
#include "schedule/verifier/phase_stages.h"

namespace muster::verifier {
namespace {

struct Sets {
  Footprint::Set* reads = nullptr;
  Footprint::Set* stores = nullptr;
};

/// The sets for a buffer of the part; a private buffer has none. In place, `from` stands for both.
Sets sets_for(Footprint& footprint, const Contract& contract, Buffer buffer) {
  if (buffer == contract.from) return {&footprint.reads_from, &footprint.stores_from};
  if (buffer == contract.to) return {&footprint.reads_to, &footprint.stores_to};
  return {};
}

void add_steps(const Schedule& part, Footprints& footprints) {
  const Contract& contract = part.contracts.front();
  const std::vector<NodeId> node_of = step_nodes(part);
  for (StepId id = 0; id < static_cast<StepId>(part.steps.size()); ++id) {
    const Step& step = part.steps[at(id)];
    Footprint& footprint = footprints[at(node_of[at(id)])];
    const auto add = [&](Footprint::Set* set, SpanId elements) {
      if (set == nullptr) return;
      for (const Range& range : part.spans.ranges(elements)) set->add(range);
    };
    if (step.own != Buffer::none) add(sets_for(footprint, contract, step.own).reads, step.own_elements);
    for (const StreamId operand : part.operands_of(step)) {
      if (!is_term(operand)) continue;
      const Term& term = part.term_of(operand);
      add(sets_for(footprint, contract, term.buffer).reads, term.elements);
    }
    if (step.is_exchange()) add(sets_for(footprint, contract, step.sent).reads, step.sent_elements);
    if (step.store != Buffer::none) add(sets_for(footprint, contract, step.store).stores, step.store_elements);
  }
}

void add_mapped(Footprint::Set* target, const Footprint::Set& source, std::span<const Range> on) {
  if (target == nullptr) return;
  for (const auto& piece : source.pieces()) {
    for (const Range& range : map_through(on, {piece.first, piece.end - piece.first})) target->add(range);
  }
}

void add_phases(const Schedule& part, Footprints& footprints) {
  const Contract& contract = part.contracts.front();
  std::vector<Footprints> inner(part.parts.size());
  for (const Phase& phase : part.phases) {
    Footprints& of_part = inner[at(phase.part)];
    if (of_part.empty()) of_part = footprints_of(part.parts[at(phase.part)]);
    for (const Group& group : groups_of(part, phase)) {
      const std::vector<Range> on = elements_of(part, phase, group);
      for (std::size_t i = 0; i < group.members.size(); ++i) {
        Footprint& footprint = footprints[at(group.members[i])];
        const Sets input = sets_for(footprint, contract, phase.input);
        const Sets output = sets_for(footprint, contract, phase.output);
        add_mapped(input.reads, of_part[i].reads_from, on);
        add_mapped(input.stores, of_part[i].stores_from, on);
        add_mapped(output.reads, of_part[i].reads_to, on);
        add_mapped(output.stores, of_part[i].stores_to, on);
      }
    }
  }
}

}  // namespace

Footprints footprints_of(const Schedule& part) {
  Footprints footprints(at(part.node_count));
  if (part.is_flat()) {
    add_steps(part, footprints);
  } else {
    add_phases(part, footprints);
  }
  return footprints;
}

std::vector<Range> elements_of(const Schedule& schedule, const Phase& phase, const Group& group) {
  const auto on = schedule.spans.ranges(group.on);
  std::vector<Range> elements(on.begin(), on.end());
  for (Range& range : elements) range.first += phase.offset;
  return elements;
}

std::vector<Range> map_through(std::span<const Range> on, Range positions) {
  std::vector<Range> mapped;
  std::int64_t start = 0;
  for (const Range& range : on) {
    const std::int64_t first = std::max(start, positions.first);
    const std::int64_t end = std::min(start + range.count, positions.end());
    if (first < end) mapped.push_back({range.first + first - start, end - first});
    start += range.count;
  }
  return mapped;
}

}  // namespace muster::verifier

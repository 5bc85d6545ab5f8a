// One element's path back to the contributions that made it.
#include "schedule/verifier/trace.h"

#include <limits>

namespace muster::verifier {
namespace {

void add_saturating(std::uint64_t& sum, std::uint64_t times) {
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  sum = sum > most - times ? most : sum + times;
}

std::optional<std::int64_t> position_of(std::span<const Range> ranges, std::int64_t element) {
  std::int64_t position = 0;
  for (const Range& range : ranges) {
    if (element >= range.first && element < range.end()) return position + element - range.first;
    position += range.count;
  }
  return std::nullopt;
}

}  // namespace

void MemoryDemand::add(NodeId node, Buffer buffer, std::int64_t element, std::uint64_t times) {
  add_saturating(demand_[std::int64_t{node} * 4 + static_cast<std::int64_t>(buffer)][element], times);
}

MemoryDemand::Elements* MemoryDemand::find(NodeId node, Buffer buffer) {
  const auto found = demand_.find(std::int64_t{node} * 4 + static_cast<std::int64_t>(buffer));
  return found == demand_.end() || found->second.empty() ? nullptr : &found->second;
}

Origins MemoryDemand::origins() const {
  Origins origins;
  for (const auto& [key, elements] : demand_) {
    for (const auto& [element, times] : elements) {
      origins[{static_cast<NodeId>(key / 4), static_cast<Buffer>(key % 4), element}] = times;
    }
  }
  return origins;
}

Origins Tracer::of_memory(NodeId node, Buffer buffer, std::int64_t element) {
  memory_ = {};
  streams_.clear();
  memory_.add(node, buffer, element, 1);
  return walk_back(order_.size());
}

Origins Tracer::of_operand(std::size_t moment, std::size_t operand, std::int64_t position) {
  memory_ = {};
  streams_.clear();
  const StepId step = dependencies_.step_of(order_[moment]);
  want_operand(step, schedule_.operands_of(schedule_.steps[at(step)])[operand], position, 1);
  return walk_back(moment);
}

void Tracer::want_operand(StepId id, StreamId operand, std::int64_t position, std::uint64_t times) {
  const Step& step = schedule_.steps[at(id)];
  if (operand == kOwn) {
    memory_.add(index_.node_of[at(id)], step.own, schedule_.spans.element(step.own_elements, position), times);
  } else {
    add_saturating(streams_[operand][position], times);
  }
}

Origins Tracer::walk_back(std::size_t moment) {
  while (moment > 0) undo(order_[--moment]);
  return memory_.origins();
}

void Tracer::undo(Vertex vertex) {
  const StepId id = dependencies_.step_of(vertex);
  if (dependencies_.is_sender(vertex)) return undo_sender(id);
  for (const auto& [position, times] : wanted_results(id)) {
    for (const StreamId operand : schedule_.operands_of(schedule_.steps[at(id)])) {
      want_operand(id, operand, position, times);
    }
  }
}

void Tracer::undo_sender(StepId id) {
  const Step& step = schedule_.steps[at(id)];
  for (const StreamId output : schedule_.outputs_of(step)) {
    const auto wanted = streams_.find(output);
    if (wanted == streams_.end()) continue;
    for (const auto& [position, times] : wanted->second) {
      memory_.add(index_.node_of[at(id)], step.sent, schedule_.spans.element(step.sent_elements, position), times);
    }
    streams_.erase(wanted);
  }
}

/// The positions of the step's result that someone wants: on its streams, and where it stored.
Tracer::Positions Tracer::wanted_results(StepId id) {
  const Step& step = schedule_.steps[at(id)];
  Positions results;
  if (!step.is_exchange()) {
    for (const StreamId output : schedule_.outputs_of(step)) {
      const auto wanted = streams_.find(output);
      if (wanted == streams_.end()) continue;
      for (const auto& [position, times] : wanted->second) add_saturating(results[position], times);
      streams_.erase(wanted);
    }
  }
  if (step.store == Buffer::none) return results;
  MemoryDemand::Elements* demand = memory_.find(index_.node_of[at(id)], step.store);
  if (demand == nullptr) return results;
  for (auto wanted_element = demand->begin(); wanted_element != demand->end();) {
    const auto position = position_of(schedule_.spans.ranges(step.store_elements), wanted_element->first);
    if (!position) {
      ++wanted_element;
      continue;
    }
    add_saturating(results[*position], wanted_element->second);
    wanted_element = demand->erase(wanted_element);
  }
  return results;
}

}  // namespace muster::verifier

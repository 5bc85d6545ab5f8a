// One element's path back to the contributions that made it.
#include "schedule/verifier/trace.h"

#include <algorithm>
#include <limits>
#include <utility>

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

std::uint64_t sum_of(const Weights& weights) {
  std::uint64_t sum = 0;
  for (const auto& [product, times] : weights) add_saturating(sum, times);
  return sum;
}

template <class Value>
void insert_sorted(std::vector<Value>& values, const Value& value) {
  values.insert(std::upper_bound(values.begin(), values.end(), value), value);
}

}  // namespace

void add_weights(Weights& sum, const Weights& more) {
  for (const auto& [product, times] : more) add_saturating(sum[product], times);
}

Weights multiplied(const Weights& weights, std::int32_t coefficient, bool is_array, NodeId node, std::int64_t element) {
  Weights result;
  for (const auto& [product, times] : weights) {
    Product longer = product;
    if (is_array) {
      insert_sorted(longer.arrays, {coefficient, node, element});
    } else {
      insert_sorted(longer.coefficients, coefficient);
    }
    result.emplace(std::move(longer), times);
  }
  return result;
}

void MemoryDemand::add(NodeId node, Buffer buffer, std::int64_t element, const Weights& weights) {
  constexpr std::int64_t kFactor = 1 + kBuffers;
  add_weights(demand_[std::int64_t{node} * kFactor + static_cast<std::int64_t>(buffer)][element], weights);
}

MemoryDemand::Elements* MemoryDemand::find(NodeId node, Buffer buffer) {
  constexpr std::int64_t kFactor = 1 + kBuffers;
  const auto found = demand_.find(std::int64_t{node} * kFactor + static_cast<std::int64_t>(buffer));
  return found == demand_.end() || found->second.empty() ? nullptr : &found->second;
}

Products MemoryDemand::products() const {
  constexpr std::int64_t kFactor = 1 + kBuffers;
  Products products;
  for (const auto& [key, elements] : demand_) {
    for (const auto& [element, weights] : elements) {
      products[{static_cast<NodeId>(key / kFactor), static_cast<Buffer>(key % kFactor), element}] = weights;
    }
  }
  return products;
}

Origins MemoryDemand::origins() const {
  Origins origins;
  for (const auto& [origin, weights] : products()) origins[origin] = sum_of(weights);
  return origins;
}

Origins Tracer::of_memory(NodeId node, Buffer buffer, std::int64_t element) {
  (void)products_of_memory(node, buffer, element);
  return memory_.origins();
}

Products Tracer::products_of_memory(NodeId node, Buffer buffer, std::int64_t element) {
  memory_ = {};
  streams_.clear();
  memory_.add(node, buffer, element, 1);
  walk_back(order_.size());
  return memory_.products();
}

Origins Tracer::of_operand(std::size_t moment, std::size_t operand, std::int64_t position) {
  memory_ = {};
  streams_.clear();
  want_operand(dependencies_.step_of(order_[moment]), operand, position, {{Product{}, 1}});
  walk_back(moment);
  return memory_.origins();
}

void Tracer::want_operand(StepId id, std::size_t operand, std::int64_t position, const Weights& weights) {
  const Step& step = schedule_.steps[at(id)];
  const NodeId node = index_.node_of[at(id)];
  if (const std::int32_t factor = schedule_.factor_of(step, operand); factor != kOne) {
    const bool is_array = schedule_.coefficients[at(factor)].is_array();
    const std::int64_t element = schedule_.spans.element(step.elements, position);
    return want_term(id, operand, position, multiplied(weights, factor, is_array, node, element));
  }
  want_term(id, operand, position, weights);
}

void Tracer::want_term(StepId id, std::size_t operand, std::int64_t position, const Weights& weights) {
  const Step& step = schedule_.steps[at(id)];
  const StreamId stream = schedule_.operands_of(step)[operand];
  if (is_stream(stream)) return add_weights(streams_[stream][position], weights);
  const Term own = is_term(stream) ? schedule_.term_of(stream) : Term{step.own, step.own_elements};
  memory_.add(index_.node_of[at(id)], own.buffer, schedule_.spans.element(own.elements, position), weights);
}

void Tracer::walk_back(std::size_t moment) {
  while (moment > 0) undo(order_[--moment]);
}

void Tracer::undo(Vertex vertex) {
  const StepId id = dependencies_.step_of(vertex);
  if (dependencies_.is_sender(vertex)) return undo_sender(id);
  const auto operands = static_cast<std::size_t>(schedule_.steps[at(id)].operands.count);
  for (const auto& [position, weights] : wanted_results(id)) {
    for (std::size_t i = 0; i < operands; ++i) want_operand(id, i, position, weights);
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
      for (const auto& [position, times] : wanted->second) add_weights(results[position], times);
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
    add_weights(results[*position], wanted_element->second);
    wanted_element = demand->erase(wanted_element);
  }
  return results;
}

}  // namespace muster::verifier

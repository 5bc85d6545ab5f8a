// The builder collects steps in the order of writing; finish() sorts them by node and lane (a counting sort, linear), unless
// they were written in that order.
#include "schedule/builder.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/random.h"

namespace muster {

ScheduleBuilder::ScheduleBuilder(Size size) {
  schedule_.node_count = size.nodes;
  schedule_.extent = {size.count, size.output < 0 ? size.count : size.output, size.scratch, size.model, size.series,
                      size.record};
}

namespace {

/// Still at least doubles what there is, so that many small calls stay linear.
template <class T>
void make_room(std::vector<T>& values, std::size_t more) {
  const std::size_t wanted = values.size() + more;
  if (wanted > values.capacity()) values.reserve(std::max(wanted, 2 * values.capacity()));
}

}  // namespace

void ScheduleBuilder::expect(const Expected& more) {
  make_room(schedule_.streams, more.streams);
  make_room(schedule_.sinks, more.sinks);
  make_room(schedule_.steps, more.steps);
  make_room(step_node_, more.steps);
  make_room(step_lane_, more.steps);
  make_room(schedule_.operands, more.operands);
  make_room(schedule_.outputs, more.outputs);
}

StreamId ScheduleBuilder::multicast(NodeId source, std::span<const NodeId> sinks, SpanId elements) {
  const Slice slice{static_cast<std::int32_t>(schedule_.sinks.size()), static_cast<std::int32_t>(sinks.size())};
  schedule_.sinks.insert(schedule_.sinks.end(), sinks.begin(), sinks.end());
  schedule_.streams.push_back({.source = source, .sinks = slice, .elements = elements});
  return static_cast<StreamId>(schedule_.streams.size()) - 1;
}

void ScheduleBuilder::route(StreamId stream, std::vector<Hop> hops) {
  schedule_.streams.at(static_cast<std::size_t>(stream)).route = static_cast<std::int32_t>(schedule_.routes.size());
  schedule_.routes.push_back(std::move(hops));
}

ScheduleBuilder::StepWriter ScheduleBuilder::step(NodeId node, SpanId elements, std::int32_t lane) {
  Step step;
  step.elements = step.own_elements = step.store_elements = step.sent_elements = elements;
  step.operands.first = static_cast<std::int32_t>(schedule_.operands.size());
  step.outputs.first = static_cast<std::int32_t>(schedule_.outputs.size());
  step.waits.first = static_cast<std::int32_t>(schedule_.waits.size());
  schedule_.steps.push_back(step);
  step_node_.push_back(node);
  step_lane_.push_back(lane);
  return {*this, static_cast<StepId>(schedule_.steps.size()) - 1};
}

Step& ScheduleBuilder::StepWriter::step() {
  auto& steps = builder_->schedule_.steps;
  MUSTER_ASSERT(id_ + 1 == static_cast<StepId>(steps.size()), "step {} is no longer the newest", id_);
  return steps.back();
}

SpanId ScheduleBuilder::StepWriter::elements() { return step().elements; }

ScheduleBuilder::StepWriter& ScheduleBuilder::StepWriter::take(StreamId stream) {
  ++step().operands.count;
  builder_->schedule_.operands.push_back(stream);
  if (!builder_->schedule_.factors.empty()) builder_->schedule_.factors.push_back(kOne);
  return *this;
}

ScheduleBuilder::StepWriter& ScheduleBuilder::StepWriter::term(Buffer buffer, SpanId at) {
  std::vector<Term>& terms = builder_->schedule_.terms;
  const std::uint64_t key =
      std::uint64_t{static_cast<std::uint32_t>(at)} * (1 + kBuffers) + static_cast<std::uint64_t>(buffer);
  const auto [known, is_new] = builder_->terms_.try_emplace(key, static_cast<std::int32_t>(terms.size()));
  if (is_new) terms.push_back({buffer, at});
  return take(term_operand(known->second));
}

ScheduleBuilder::StepWriter& ScheduleBuilder::StepWriter::times(std::int32_t coefficient) {
  MUSTER_ASSERT(step().operands.count > 0, "a factor before the first operand of step {}", id_);
  std::vector<std::int32_t>& factors = builder_->schedule_.factors;
  factors.resize(builder_->schedule_.operands.size(), kOne);
  factors.back() = coefficient;
  return *this;
}

std::int32_t ScheduleBuilder::coefficient(Coefficient coefficient) {
  std::vector<Coefficient>& all = schedule_.coefficients;
  const auto known =
      std::find_if(all.begin(), all.end(), [&](const Coefficient& c) { return c.name == coefficient.name; });
  if (known != all.end() && *known != coefficient) reject("coefficient '{}' stands for two values", coefficient.name);
  if (known == all.end()) return all.push_back(std::move(coefficient)), static_cast<std::int32_t>(all.size()) - 1;
  return static_cast<std::int32_t>(known - all.begin());
}

ScheduleBuilder::StepWriter& ScheduleBuilder::StepWriter::own(Buffer buffer, SpanId at) {
  step().own = buffer;
  step().own_elements = at;
  return take(kOwn);
}

ScheduleBuilder::StepWriter& ScheduleBuilder::StepWriter::store(Buffer buffer, SpanId at) {
  step().store = buffer;
  step().store_elements = at;
  return *this;
}

ScheduleBuilder::StepWriter& ScheduleBuilder::StepWriter::push(StreamId stream) {
  ++step().outputs.count;
  builder_->schedule_.outputs.push_back(stream);
  return *this;
}

ScheduleBuilder::StepWriter& ScheduleBuilder::StepWriter::send_old(Buffer buffer, SpanId what) {
  step().sent = buffer;
  step().sent_elements = what;
  return *this;
}

ScheduleBuilder::StepWriter& ScheduleBuilder::StepWriter::after(StepId earlier) {
  ++step().waits.count;
  builder_->schedule_.waits.push_back(earlier);
  return *this;
}

void ScheduleBuilder::contract(Contract contract) { schedule_.contracts.push_back(std::move(contract)); }

std::int32_t ScheduleBuilder::part(Schedule schedule) {
  schedule_.parts.push_back(std::move(schedule));
  return static_cast<std::int32_t>(schedule_.parts.size()) - 1;
}

namespace {

std::uint64_t hash_of(const std::vector<Group>& groups) {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15U;  // 2^64 / golden ratio, odd
  std::uint64_t hash = groups.size();
  for (const Group& group : groups) {
    hash = random_bits(hash, static_cast<std::uint64_t>(group.on), group.members.size());
    for (const NodeId member : group.members) hash = (hash ^ static_cast<std::uint64_t>(member)) * kFactor;
  }
  return hash;
}

}  // namespace

std::int32_t ScheduleBuilder::groups(std::vector<Group> groups) {
  const std::uint64_t hash = hash_of(groups);
  const auto [first, last] = group_sets_.equal_range(hash);
  for (auto known = first; known != last; ++known) {
    if (schedule_.group_sets[static_cast<std::size_t>(known->second)] == groups) return known->second;
  }
  const auto id = static_cast<std::int32_t>(schedule_.group_sets.size());
  schedule_.group_sets.push_back(std::move(groups));
  group_sets_.emplace(hash, id);
  return id;
}

std::int32_t ScheduleBuilder::phase(Phase phase) {
  schedule_.phases.push_back(std::move(phase));
  return static_cast<std::int32_t>(schedule_.phases.size()) - 1;
}

namespace {

/// The order of the steps by (key, order of writing), for keys in [0, keys).
std::vector<StepId> sorted_by_key(std::span<const StepId> order, std::span<const std::int32_t> key, std::int32_t keys) {
  std::vector<StepId> first(static_cast<std::size_t>(keys) + 1);
  for (const StepId id : order) ++first[static_cast<std::size_t>(key[static_cast<std::size_t>(id)]) + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<StepId> sorted(order.size());
  for (const StepId id : order) {
    sorted[static_cast<std::size_t>(first[static_cast<std::size_t>(key[static_cast<std::size_t>(id)])]++)] = id;
  }
  return sorted;
}

}  // namespace

/// Puts the steps in the order of nodes, lanes and writing.
void ScheduleBuilder::sort_steps() {
  const std::size_t n = schedule_.steps.size();
  const auto is_before = [&](std::size_t a, std::size_t b) {
    return std::pair(step_node_[a], step_lane_[a]) < std::pair(step_node_[b], step_lane_[b]);
  };
  std::size_t sorted = 1;
  while (sorted < n && !is_before(sorted, sorted - 1)) ++sorted;
  if (sorted >= n) return;

  std::vector<StepId> order(n);
  std::iota(order.begin(), order.end(), 0);
  const std::int32_t lanes = *std::max_element(step_lane_.begin(), step_lane_.end()) + 1;
  if (lanes > 1) order = sorted_by_key(order, step_lane_, lanes);
  order = sorted_by_key(order, step_node_, schedule_.node_count);
  std::vector<StepId> new_id(n);
  for (std::size_t i = 0; i < n; ++i) new_id[static_cast<std::size_t>(order[i])] = static_cast<StepId>(i);
  for (StepId& wait : schedule_.waits) wait = new_id[static_cast<std::size_t>(wait)];
  const auto sort = [&](auto& values) {
    std::remove_reference_t<decltype(values)> moved(n);
    for (std::size_t i = 0; i < n; ++i) moved[i] = values[static_cast<std::size_t>(order[i])];
    values = std::move(moved);
  };
  sort(schedule_.steps);
  sort(step_node_);
  sort(step_lane_);
}

Schedule ScheduleBuilder::finish() && {
  const std::size_t n = schedule_.steps.size();
  for (std::size_t i = 0; i < n; ++i) {
    MUSTER_ASSERT(step_node_[i] >= 0 && step_node_[i] < schedule_.node_count, "step at node {}", step_node_[i]);
    MUSTER_ASSERT(step_lane_[i] >= 0, "lane {}", step_lane_[i]);
  }
  for (const StepId wait : schedule_.waits) {
    MUSTER_ASSERT(wait >= 0 && static_cast<std::size_t>(wait) < n, "wait for step {} of {}", wait, n);
  }
  sort_steps();
  for (std::size_t i = 0; i < n; ++i) {
    const bool same_lane = i > 0 && step_node_[i] == step_node_[i - 1] && step_lane_[i] == step_lane_[i - 1];
    if (same_lane) {
      ++schedule_.lanes.back().count;
    } else {
      schedule_.lanes.push_back({.node = step_node_[i], .first = static_cast<StepId>(i), .count = 1});
    }
  }
  schedule_.first_lane.assign(static_cast<std::size_t>(schedule_.node_count) + 1, 0);
  for (const Lane& lane : schedule_.lanes) ++schedule_.first_lane[static_cast<std::size_t>(lane.node) + 1];
  std::partial_sum(schedule_.first_lane.begin(), schedule_.first_lane.end(), schedule_.first_lane.begin());
  return std::move(schedule_);
}

}  // namespace muster

// Right schedules of random shape, and ways to spoil them: for property tests (all draw from rapidcheck).
#pragma once

#include <rapidcheck.h>

#include "schedule/phase.h"
#include "schedule/verifier/examples_test_support.h"
#include "schedule/verifier/exchanges_test_support.h"

namespace muster::examples {

inline std::size_t any_index(std::size_t size) { return *rc::gen::inRange<std::size_t>(0, size); }

/// In pre-order: each node's parent is the node before it or one of that node's ancestors.
inline std::vector<NodeId> any_preorder_tree(NodeId nodes) {
  std::vector<NodeId> parents = {-1};
  for (NodeId v = 1; v < nodes; ++v) {
    NodeId parent = v - 1;
    while (parent > 0 && *rc::gen::arbitrary<bool>()) parent = parents[static_cast<std::size_t>(parent)];
    parents.push_back(parent);
  }
  return parents;
}

struct Case {
  Schedule schedule;
  Machine machine;
};

/// A right schedule with at least one element in every block.
inline Case any_right_case() {
  const auto nodes = *rc::gen::inRange<NodeId>(2, 9);
  const NodeId power = NodeId{1} << *rc::gen::inRange(1, 4);
  const auto count = *rc::gen::inRange<std::int64_t>(9, 40);
  switch (*rc::gen::inRange(0, 8)) {
    case 0:
      return {reduce_by_tree(tree_from_parents(any_preorder_tree(nodes)), 0, count), mesh(nodes, 1)};
    case 1:
      return {flood(nodes, 0, count), mesh(nodes, 1)};
    case 2:
      return {ring_allreduce(folded_ring(nodes), count), mesh(nodes, 1)};
    case 3:
      return {exchange_whole(power, doubling_partner, count), mesh(power, 1)};
    case 4:
      return {exchange_blocks(power, swing_partner(power), count), mesh(power, 1)};
    case 5:
      return {stencil(nodes, 1, count), mesh(nodes, 1)};
    case 6:
      return {switch_reduce(tree_from_parents(any_preorder_tree(nodes)), count), hyperx(nodes, 1)};
    default:
      return {switch_broadcast(tree_from_parents(any_preorder_tree(nodes)), count), hyperx(nodes, 1)};
  }
}

// Mutations.

template <class T>
Slice append(std::vector<T>& pool, const std::vector<T>& values) {
  const Slice slice{static_cast<std::int32_t>(pool.size()), static_cast<std::int32_t>(values.size())};
  pool.insert(pool.end(), values.begin(), values.end());
  return slice;
}

template <class T>
std::vector<T> copy(std::span<const T> values) {
  return {values.begin(), values.end()};
}

inline void renumber_lanes(Schedule& s, StepId from, std::int32_t by) {
  for (Lane& lane : s.lanes) {
    if (lane.first > from) {
      lane.first += by;
    } else if (from < lane.first + lane.count) {
      lane.count += by;
    }
  }
  for (StepId& wait : s.waits) wait += wait > from ? by : 0;
}

inline void drop_step(Schedule& s) {
  const auto i = any_index(s.steps.size());
  s.steps.erase(s.steps.begin() + static_cast<std::ptrdiff_t>(i));
  renumber_lanes(s, static_cast<StepId>(i), -1);
}

inline void duplicate_step(Schedule& s) {
  const auto i = any_index(s.steps.size());
  Step twin = s.steps[i];
  twin.operands = append(s.operands, copy(s.operands_of(s.steps[i])));
  twin.outputs = append(s.outputs, copy(s.outputs_of(s.steps[i])));
  twin.waits = append(s.waits, copy(s.waits_of(s.steps[i])));
  s.steps.insert(s.steps.begin() + static_cast<std::ptrdiff_t>(i), twin);
  renumber_lanes(s, static_cast<StepId>(i), 1);
}

/// Takes a stream out of all steps; the stream itself goes to the end and off the list.
inline void drop_stream(Schedule& s) {
  const auto victim = static_cast<StreamId>(any_index(s.streams.size()));
  const auto last = static_cast<StreamId>(s.streams.size()) - 1;
  const auto remap = [&](std::vector<StreamId> ids) {
    std::erase(ids, victim);
    std::replace(ids.begin(), ids.end(), last, victim);
    return ids;
  };
  for (Step& step : s.steps) {
    step.operands = append(s.operands, remap(copy(s.operands_of(step))));
    step.outputs = append(s.outputs, remap(copy(s.outputs_of(step))));
  }
  s.streams[static_cast<std::size_t>(victim)] = s.streams.back();
  s.streams.pop_back();
}

/// Every step that pushes or takes the stream pushes or takes its twin too, if `in_use`.
inline void duplicate_stream(Schedule& s) {
  const auto victim = static_cast<StreamId>(any_index(s.streams.size()));
  const bool in_use = *rc::gen::arbitrary<bool>();
  const auto twin = static_cast<StreamId>(s.streams.size());
  Stream stream = s.streams[static_cast<std::size_t>(victim)];
  stream.sinks = append(s.sinks, copy(s.sinks_of(stream)));
  s.streams.push_back(stream);
  if (!in_use) return;
  for (Step& step : s.steps) {
    auto operands = copy(s.operands_of(step));
    auto outputs = copy(s.outputs_of(step));
    if (std::count(operands.begin(), operands.end(), victim) > 0) operands.push_back(twin);
    if (std::count(outputs.begin(), outputs.end(), victim) > 0) outputs.push_back(twin);
    step.operands = append(s.operands, operands);
    step.outputs = append(s.outputs, outputs);
  }
}

inline void retarget_stream(Schedule& s) {
  auto& stream = s.streams[any_index(s.streams.size())];
  NodeId& end = *rc::gen::arbitrary<bool>() ? stream.source
                                            : s.sinks[static_cast<std::size_t>(stream.sinks.first) +
                                                      any_index(static_cast<std::size_t>(stream.sinks.count))];
  const auto other = *rc::gen::inRange<NodeId>(-1, s.node_count + 1);
  end = other == end ? (end + 1) % s.node_count : other;
}

/// A step moves to the beginning of a lane of another node.
inline void retarget_step(Schedule& s) {
  const auto i = any_index(s.steps.size());
  const NodeId owner = step_nodes(s)[i];
  auto lane = any_index(s.lanes.size());
  while (s.lanes[lane].node == owner) lane = (lane + 1) % s.lanes.size();
  const Step step = s.steps[i];
  s.steps.erase(s.steps.begin() + static_cast<std::ptrdiff_t>(i));
  renumber_lanes(s, static_cast<StepId>(i), -1);
  const StepId target = s.lanes[lane].first;
  s.steps.insert(s.steps.begin() + target, step);
  renumber_lanes(s, target, 1);
}

inline SpanId shifted(Schedule& s, SpanId id, std::int64_t by) {
  std::vector<Range> ranges = copy(s.spans.ranges(id));
  for (Range& range : ranges) range.first += by;
  return s.spans.add(ranges);
}

inline void shift_stream(Schedule& s) {
  auto& stream = s.streams[any_index(s.streams.size())];
  stream.elements = shifted(s, stream.elements, *rc::gen::inRange(1, 4));
}

inline void shift_step(Schedule& s) {
  Step& step = s.steps[any_index(s.steps.size())];
  const int by = *rc::gen::inRange(1, 4);
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
      step.elements = shifted(s, step.elements, by);
      break;
    case 1:
      RC_PRE(step.own != Buffer::none);
      step.own_elements = shifted(s, step.own_elements, by);
      break;
    case 2:
      RC_PRE(step.store != Buffer::none);
      step.store_elements = shifted(s, step.store_elements, by);
      break;
    default:
      RC_PRE(step.sent != Buffer::none);
      step.sent_elements = shifted(s, step.sent_elements, by);
  }
}

// Corruption of any number.

inline std::int32_t any_number(std::int32_t old) {
  constexpr std::int32_t kMost = 2147483647;
  const std::int32_t near = old > 0 ? old - 1 : old == -kMost ? kMost : old + 1;
  const std::int32_t next = old < kMost ? old + 1 : 0;
  return *rc::gen::oneOf(rc::gen::just(near), rc::gen::just(next), rc::gen::inRange(-2, 12), rc::gen::just(kMost),
                         rc::gen::just(-kMost));
}

inline void corrupt(Slice& slice) {
  if (*rc::gen::arbitrary<bool>()) {
    slice.first = any_number(slice.first);
  } else {
    slice.count = any_number(slice.count);
  }
}

inline void corrupt(Buffer& buffer) { buffer = static_cast<Buffer>(*rc::gen::inRange(0, 4)); }

inline void corrupt_step(Schedule& s) {
  Step& step = s.steps[any_index(s.steps.size())];
  switch (*rc::gen::inRange(0, 10)) {
    case 0:
      return corrupt(step.operands);
    case 1:
      return corrupt(step.outputs);
    case 2:
      return corrupt(step.waits);
    case 3:
      return corrupt(step.own);
    case 4:
      return corrupt(step.store);
    case 5:
      return corrupt(step.sent);
    case 6:
      step.elements = any_number(step.elements);
      return;
    case 7:
      step.own_elements = any_number(step.own_elements);
      return;
    case 8:
      step.store_elements = any_number(step.store_elements);
      return;
    default:
      step.sent_elements = any_number(step.sent_elements);
  }
}

inline void corrupt_anything(Schedule& s) {
  const auto change = [](std::vector<std::int32_t>& pool) {
    if (pool.empty()) return;
    std::int32_t& value = pool[any_index(pool.size())];
    value = any_number(value);
  };
  switch (*rc::gen::inRange(0, 12)) {
    case 0:
      return change(s.operands);
    case 1:
      return change(s.outputs);
    case 2:
      return change(s.waits);
    case 3:
      return change(s.sinks);
    case 4:
      return change(s.first_lane);
    case 5: {
      Lane& lane = s.lanes[any_index(s.lanes.size())];
      (*rc::gen::arbitrary<bool>() ? lane.first : lane.count) = any_number(lane.count);
      return;
    }
    case 6: {
      Stream& stream = s.streams[any_index(s.streams.size())];
      (*rc::gen::arbitrary<bool>() ? stream.elements : stream.route) = any_number(stream.elements);
      return;
    }
    case 7:
      return corrupt(s.streams[any_index(s.streams.size())].sinks);
    case 8:
      std::swap(s.steps[any_index(s.steps.size())], s.steps[any_index(s.steps.size())]);
      return;
    default:
      return corrupt_step(s);
  }
}

inline void corrupt_phases(Schedule& s) {
  const auto p = any_index(s.phases.size());
  Phase& phase = s.phases[p];
  auto& groups = s.group_sets[any_index(s.group_sets.size())];
  Group& group = groups[any_index(groups.size())];
  switch (*rc::gen::inRange(0, 10)) {
    case 0:
      phase.part = any_number(phase.part);
      return;
    case 1:
      return corrupt(phase.input);
    case 2:
      return corrupt(phase.output);
    case 3:
      if (!phase.after.empty()) phase.after[0] = any_number(phase.after[0]);
      return;
    case 4:
      group.on = any_number(group.on);
      return;
    case 5:
      std::swap(group.members[any_index(group.members.size())], group.members[any_index(group.members.size())]);
      return;
    case 6:
      phase.groups = any_number(phase.groups);
      return;
    case 7:
      phase.offset += *rc::gen::inRange(-2, 5);
      return;
    case 8:
      group.members[any_index(group.members.size())] = *rc::gen::inRange<NodeId>(-1, s.node_count + 1);
      return;
    default:
      return corrupt_anything(s.parts[any_index(s.parts.size())]);
  }
}

}  // namespace muster::examples

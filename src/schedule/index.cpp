// One pass over the lanes, one over the outputs, two over the operands; then, if wanted, what could be wrong one by one.
#include "schedule/index.h"

#include <algorithm>

#include "base/error.h"

namespace muster {
namespace {

/// Calls add(key, step) for every key that `keys(step)` lists and that is a stream or a step.
template <class Keys>
auto each_step_by(const Schedule& flat, const Keys& keys) {
  return [&flat, keys](auto add) {
    for (StepId s = 0; s < static_cast<StepId>(flat.steps.size()); ++s) {
      for (const std::int32_t key : keys(flat.steps[at(s)])) {
        if (key >= 0) add(key, s);
      }
    }
  };
}

/// Every number with which the index is made is in range.
void check_numbers(const Schedule& flat) {
  const std::vector<NodeId> nodes = step_nodes(flat);
  const auto streams = static_cast<StreamId>(flat.streams.size());
  const auto steps = static_cast<StepId>(flat.steps.size());
  for (std::size_t s = 0; s < flat.steps.size(); ++s) {
    const auto refuse = [&](const char* verb, const char* what, std::int32_t id) {
      reject("node {}, step {}: {} {} {}, which does not exist", nodes[s], s, verb, what, id);
    };
    for (const StreamId id : flat.operands_of(flat.steps[s])) {
      if (id >= streams) refuse("takes", "stream", id);
      if (is_term(id) && at(term_index(id)) >= flat.terms.size()) refuse("takes", "term", term_index(id));
    }
    for (const StepId id : flat.waits_of(flat.steps[s])) {
      if (id < 0 || id >= steps) refuse("waits for", "step", id);
    }
    for (const StreamId id : flat.outputs_of(flat.steps[s])) {
      if (id < 0 || id >= streams) refuse("pushes", "stream", id);
    }
  }
}

/// Every stream is pushed exactly once, by a step of its source.
void check_producers(const Schedule& flat, const ScheduleIndex& index) {
  std::vector<bool> pushed(flat.streams.size());
  for (std::size_t s = 0; s < flat.steps.size(); ++s) {
    const NodeId node = index.node_of[s];
    for (const StreamId id : flat.outputs_of(flat.steps[s])) {
      const NodeId source = flat.streams[at(id)].source;
      if (pushed[at(id)])
        reject("node {}, step {}: pushes stream {}, as step {} does", node, s, id, index.producer[at(id)]);
      if (source != node) reject("node {}, step {}: pushes stream {} of node {}", node, s, id, source);
      pushed[at(id)] = true;
    }
  }
  const auto missing = std::find(pushed.begin(), pushed.end(), false) - pushed.begin();
  if (at(missing) == pushed.size()) return;
  reject("stream {}: no step of its source, node {}, pushes it", missing, flat.streams[at(missing)].source);
}

/// Each sink takes each of its streams in exactly one step.
void check_takers(const Schedule& flat, const ScheduleIndex& index) {
  for (StreamId id = 0; id < static_cast<StreamId>(flat.streams.size()); ++id) {
    if (index.each_sink_takes(flat, id)) continue;
    const auto wanted = flat.sinks_of(flat.streams[at(id)]);
    std::vector<NodeId> sinks(wanted.begin(), wanted.end()), nodes;
    for (const StepId step : index.takers.of(id)) nodes.push_back(index.node_of[at(step)]);
    std::sort(sinks.begin(), sinks.end());
    const auto [sink, node] = std::mismatch(sinks.begin(), sinks.end(), nodes.begin(), nodes.end());
    if (node != nodes.end() && (sink == sinks.end() || *node < *sink)) {
      reject("stream {}: a step of node {} takes it, which is not a sink of it or takes it twice", id, *node);
    }
    if (sink != sinks.end()) reject("stream {}: no step of its sink, node {}, takes it", id, *sink);
  }
}

}  // namespace

ScheduleIndex::ScheduleIndex(const Schedule& flat)
    : lane_of(flat.steps.size()), node_of(step_nodes(flat)), producer(flat.streams.size(), kNoStep) {
  for (std::size_t l = 0; l < flat.lanes.size(); ++l) {
    std::fill_n(lane_of.begin() + flat.lanes[l].first, flat.lanes[l].count, static_cast<std::int32_t>(l));
  }
  for (auto s = static_cast<StepId>(flat.steps.size()) - 1; s >= 0; --s) {
    for (const StreamId stream : flat.outputs_of(flat.steps[at(s)])) producer[at(stream)] = s;
  }
  takers = make_adjacency(flat.streams.size(),
                          each_step_by(flat, [&flat](const Step& step) { return flat.operands_of(step); }));
}

bool ScheduleIndex::each_sink_takes(const Schedule& flat, StreamId stream) const {
  const auto sinks = flat.sinks_of(flat.streams[at(stream)]);
  const auto steps = takers.of(stream);
  const auto takes_at = [&](StepId step, NodeId sink) { return node_of[at(step)] == sink; };
  if (sinks.size() != steps.size()) return false;
  if (sinks.size() == 1) return takes_at(steps[0], sinks[0]);
  std::vector<NodeId> sorted(sinks.begin(), sinks.end());
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end() &&
         std::equal(steps.begin(), steps.end(), sorted.begin(), takes_at);
}

ScheduleIndex checked_index(const Schedule& flat) {
  check_numbers(flat);
  ScheduleIndex index(flat);
  check_producers(flat, index);
  check_takers(flat, index);
  return index;
}

Adjacency waiting_steps(const Schedule& flat) {
  return make_adjacency(flat.steps.size(),
                        each_step_by(flat, [&flat](const Step& step) { return flat.waits_of(step); }));
}

}  // namespace muster

// Lowering, second stage: which streams run side by side, and in which order the others pass a router that they share.
#include <algorithm>
#include <tuple>

#include "backend/wafer/lower/lower.h"
#include "base/index.h"
#include "base/strong_components.h"

namespace muster::wafer {
namespace {

/// A graph from its edges, in the order in which they were added per vertex.
Graph make_graph(std::size_t vertices, const std::vector<std::pair<std::int32_t, std::int32_t>>& edges) {
  Graph graph;
  graph.first.assign(vertices + 1, 0);
  for (const auto& [from, to] : edges) ++graph.first[at(from) + 1];
  for (std::size_t v = 0; v < vertices; ++v) graph.first[v + 1] += graph.first[v];
  graph.to.resize(edges.size());
  std::vector<std::int64_t> next(graph.first.begin(), graph.first.end() - 1);
  for (const auto& [from, to] : edges) graph.to[static_cast<std::size_t>(next[at(from)]++)] = to;
  return graph;
}

using Edges = std::vector<std::pair<std::int32_t, std::int32_t>>;

/// From each step to those that must have finished before it begins.
Edges earlier_steps(const Schedule& schedule) {
  Edges edges;
  for (const Lane& lane : schedule.lanes) {
    for (StepId s = lane.first; s < lane.first + lane.count; ++s) {
      if (s > lane.first) edges.emplace_back(s, s - 1);
      for (const StepId w : schedule.waits_of(schedule.steps[at(s)])) edges.emplace_back(s, w);
    }
  }
  return edges;
}

/// A stream without elements makes nobody wait.
bool carries_data(const Schedule& schedule, StreamId stream) {
  return schedule.spans.count(schedule.streams[at(stream)].elements) > 0;
}

/// The steps, numbered so that each ends after those that it needs. An exchange sends what it had before, so its
/// stream needs nothing of it.
Outcome<std::vector<std::int32_t>> step_ends(const Schedule& schedule, const StreamOrder& order, Edges edges) {
  for (StreamId s = 0; s < static_cast<StreamId>(schedule.streams.size()); ++s) {
    const StepId producer = order.producer[at(s)];
    if (!carries_data(schedule, s) || schedule.steps[at(producer)].is_exchange()) continue;
    for (const StepId taker : order.takers.of(s)) edges.emplace_back(taker, producer);
  }
  std::vector<std::int32_t> ends = components(make_graph(schedule.steps.size(), edges));
  const std::int32_t last = ends.empty() ? -1 : *std::max_element(ends.begin(), ends.end());
  if (last + 1 != static_cast<std::int32_t>(ends.size())) return Refusal{"steps of the schedule wait for each other"};
  return ends;
}

std::vector<std::int32_t> step_groups(const Schedule& schedule, const StreamOrder& order, Edges edges) {
  for (StreamId s = 0; s < static_cast<StreamId>(schedule.streams.size()); ++s) {
    if (!carries_data(schedule, s)) continue;
    const StepId producer = order.producer[at(s)];
    for (const StepId taker : order.takers.of(s)) {
      edges.emplace_back(taker, producer);
      edges.emplace_back(producer, taker);
    }
  }
  return components(make_graph(schedule.steps.size(), edges));
}

std::optional<Refusal> find_partners(const Schedule& schedule, StreamOrder& order) {
  order.step_node = step_nodes(schedule);
  order.step_lane.resize(schedule.steps.size());
  for (std::int32_t l = 0; l < static_cast<std::int32_t>(schedule.lanes.size()); ++l) {
    const Lane& lane = schedule.lanes[at(l)];
    for (StepId s = lane.first; s < lane.first + lane.count; ++s) order.step_lane[at(s)] = l;
  }
  order.producer.assign(schedule.streams.size(), -1);
  Edges takes;
  for (StepId s = 0; s < static_cast<StepId>(schedule.steps.size()); ++s) {
    for (const StreamId out : schedule.outputs_of(schedule.steps[at(s)])) order.producer[at(out)] = s;
    for (const StreamId in : schedule.operands_of(schedule.steps[at(s)])) {
      if (in != kOwn) takes.emplace_back(in, s);
    }
  }
  order.takers = make_graph(schedule.streams.size(), takes);
  for (StreamId s = 0; s < static_cast<StreamId>(schedule.streams.size()); ++s) {
    if (order.producer[at(s)] < 0 || order.takers.of(s).empty()) {
      return Refusal{fmt::format("stream {} is not pushed and taken", s)};
    }
  }
  return {};
}

}  // namespace

std::vector<std::int32_t> components(const Graph& graph) {
  return strong_components(graph.first, [&](std::int64_t edge) { return graph.to[at(edge)]; }).component;
}

StepId StreamOrder::taker(StreamId stream, NodeId node) const {
  const auto steps = takers.of(stream);
  const auto found =
      std::lower_bound(steps.begin(), steps.end(), node, [&](StepId s, NodeId n) { return step_node[at(s)] < n; });
  MUSTER_ASSERT(found != steps.end() && step_node[at(*found)] == node, "stream {} is not taken at node {}", stream,
                node);
  return *found;
}

Outcome<StreamOrder> find_order(const Schedule& schedule) {
  StreamOrder order;
  if (auto refusal = find_partners(schedule, order)) return *refusal;
  const Edges earlier = earlier_steps(schedule);
  const auto ends = step_ends(schedule, order, earlier);
  if (!ends) return Refusal{ends.reason()};
  const std::vector<std::int32_t> groups = step_groups(schedule, order, earlier);

  const auto count = static_cast<StreamId>(schedule.streams.size());
  std::vector<std::int32_t> end(schedule.streams.size(), 0);
  for (StreamId s = 0; s < count; ++s) {
    order.sequence.push_back(s);
    order.group.push_back(groups[at(order.producer[at(s)])]);
    for (const StepId taker : order.takers.of(s)) end[at(s)] = std::max(end[at(s)], ends.value()[at(taker)]);
  }
  std::sort(order.sequence.begin(), order.sequence.end(), [&](StreamId a, StreamId b) {
    return std::tuple(order.group[at(a)], end[at(a)], a) < std::tuple(order.group[at(b)], end[at(b)], b);
  });
  return order;
}

}  // namespace muster::wafer

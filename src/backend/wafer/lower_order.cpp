// Lowering, second stage: which streams run side by side, and in which order the others pass a router that they share.
#include <algorithm>
#include <tuple>

#include "backend/wafer/lower.h"

namespace muster::wafer {
namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

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

/// The steps, numbered so that each ends after those that it needs. An exchange sends what it had before, so its
/// stream needs nothing of it.
Outcome<std::vector<std::int32_t>> step_ends(const Schedule& schedule, const StreamOrder& order, Edges edges) {
  for (StreamId s = 0; s < static_cast<StreamId>(schedule.streams.size()); ++s) {
    const StepId producer = order.producer[at(s)];
    if (schedule.steps[at(producer)].is_exchange()) continue;
    for (const StepId taker : order.takers.of(s)) edges.emplace_back(taker, producer);
  }
  std::vector<std::int32_t> ends = components(make_graph(schedule.steps.size(), edges));
  const std::int32_t last = ends.empty() ? -1 : *std::max_element(ends.begin(), ends.end());
  if (last + 1 != static_cast<std::int32_t>(ends.size())) return Refusal{"steps of the schedule wait for each other"};
  return ends;
}

std::vector<std::int32_t> step_groups(const Schedule& schedule, const StreamOrder& order, Edges edges) {
  for (StreamId s = 0; s < static_cast<StreamId>(schedule.streams.size()); ++s) {
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

/// Tarjan's algorithm without recursion: rows of a wafer are deeper than a stack.
class ComponentFinder {
 public:
  explicit ComponentFinder(const Graph& graph)
      : graph_(graph),
        component_(graph.first.size() - 1, -1),
        low_(component_.size(), -1),
        edge_(component_.size(), 0) {}

  std::vector<std::int32_t> run() {
    for (std::int32_t v = 0; v < static_cast<std::int32_t>(component_.size()); ++v) {
      if (low_[at(v)] < 0) explore(v);
    }
    return std::move(component_);
  }

 private:
  void open(std::int32_t v) {
    low_[at(v)] = next_++;
    number_.push_back(low_[at(v)]);
    path_.push_back(v);
    open_.push_back(v);
  }

  void explore(std::int32_t root) {
    open(root);
    while (!path_.empty()) {
      const std::int32_t v = path_.back();
      const auto targets = graph_.of(v);
      if (edge_[at(v)] < static_cast<std::int64_t>(targets.size())) {
        const std::int32_t w = targets[static_cast<std::size_t>(edge_[at(v)]++)];
        if (low_[at(w)] < 0) {
          open(w);
        } else if (component_[at(w)] < 0) {
          low_[at(v)] = std::min(low_[at(v)], low_[at(w)]);
        }
      } else {
        leave(v);
      }
    }
  }

  void leave(std::int32_t v) {
    const std::int32_t number = number_.back();
    number_.pop_back();
    path_.pop_back();
    if (!path_.empty()) low_[at(path_.back())] = std::min(low_[at(path_.back())], low_[at(v)]);
    if (low_[at(v)] != number) return;
    std::int32_t member = -1;
    do {
      member = open_.back();
      open_.pop_back();
      component_[at(member)] = components_;
    } while (member != v);
    ++components_;
  }

  const Graph& graph_;
  std::vector<std::int32_t> component_;
  std::vector<std::int32_t> low_;
  std::vector<std::int64_t> edge_;
  std::vector<std::int32_t> path_, number_, open_;
  std::int32_t next_ = 0;
  std::int32_t components_ = 0;
};

}  // namespace

std::vector<std::int32_t> components(const Graph& graph) { return ComponentFinder(graph).run(); }

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

// Lowering, second stage: which streams run side by side, and in which order the others pass a router that they share.
#include <algorithm>
#include <numeric>

#include "backend/wafer/lower/lower.h"
#include "base/index.h"
#include "base/strong_components.h"

namespace muster::wafer {
namespace {

/// A graph whose edges are named twice by `each_edge(add)`: to count them and to write them, in the same order.
template <class EachEdge>
Graph make_graph(std::size_t vertices, EachEdge each_edge) {
  Graph graph;
  graph.first.assign(vertices + 2, 0);
  each_edge([&](std::int32_t from, std::int32_t /*to*/) { ++graph.first[at(from) + 2]; });
  std::partial_sum(graph.first.begin(), graph.first.end(), graph.first.begin());
  graph.to.resize(static_cast<std::size_t>(graph.first.back()));
  each_edge([&](std::int32_t from, std::int32_t to) { graph.to[at(graph.first[at(from) + 1]++)] = to; });
  graph.first.pop_back();
  return graph;
}

/// A stream without elements makes nobody wait.
bool carries_data(const Schedule& schedule, StreamId stream) {
  return schedule.spans.count(schedule.streams[at(stream)].elements) > 0;
}

StreamId stream_count(const Schedule& schedule) { return static_cast<StreamId>(schedule.streams.size()); }
StepId step_count(const Schedule& schedule) { return static_cast<StepId>(schedule.steps.size()); }

/// How late each step ends, counted in the steps that it needs one after another. An exchange sends what it had before,
/// so its stream needs nothing of it.
class Levels {
 public:
  Levels(const Schedule& schedule, const StreamOrder& order)
      : schedule_(schedule), order_(order), needs_(schedule.steps.size(), 0), level_(schedule.steps.size(), 0) {
    waiters_ = make_graph(schedule.steps.size(), [&](auto add) {
      if (schedule.waits.empty()) return;
      for (StepId s = 0; s < step_count(schedule); ++s) {
        for (const StepId w : schedule.waits_of(schedule.steps[at(s)])) add(w, s);
      }
    });
  }

  /// Nothing if steps wait for each other.
  std::optional<std::vector<std::int32_t>> find() {
    std::vector<StepId> ready;
    ready.reserve(schedule_.steps.size());
    for (StepId s = 0; s < step_count(schedule_); ++s) {
      each_later(s, [&](StepId later) { ++needs_[at(later)]; });
    }
    for (StepId s = 0; s < step_count(schedule_); ++s) {
      if (needs_[at(s)] == 0) ready.push_back(s);
    }
    for (std::size_t next = 0; next < ready.size(); ++next) {
      const StepId step = ready[next];
      each_later(step, [&](StepId later) {
        level_[at(later)] = std::max(level_[at(later)], level_[at(step)] + 1);
        if (--needs_[at(later)] == 0) ready.push_back(later);
      });
    }
    if (ready.size() != schedule_.steps.size()) return {};
    return std::move(level_);
  }

 private:
  /// The steps that need this one.
  template <class Visit>
  void each_later(StepId id, Visit visit) const {
    const Step& step = schedule_.steps[at(id)];
    const Lane& lane = schedule_.lanes[at(order_.step_lane[at(id)])];
    if (id + 1 < lane.first + lane.count) visit(id + 1);
    for (const StepId waiter : waiters_.of(id)) visit(waiter);
    if (step.is_exchange()) return;
    for (const StreamId s : schedule_.outputs_of(step)) {
      if (!carries_data(schedule_, s)) continue;
      for (const StepId taker : order_.takers.of(s)) visit(taker);
    }
  }

  const Schedule& schedule_;
  const StreamOrder& order_;
  Graph waiters_;
  std::vector<std::int32_t> needs_;
  std::vector<std::int32_t> level_;
};

/// Sets of steps that are joined two by two.
class Sets {
 public:
  explicit Sets(std::size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0); }
  std::int32_t find(std::int32_t x) {
    while (parent_[at(x)] != x) x = parent_[at(x)] = parent_[at(parent_[at(x)])];
    return x;
  }
  void join(std::int32_t a, std::int32_t b) {
    a = find(a);
    b = find(b);
    if (a != b) parent_[at(std::max(a, b))] = std::min(a, b);
  }

 private:
  std::vector<std::int32_t> parent_;
};

/// The group of each step: those that exchange streams, and those that groups wait for in a circle.
std::vector<std::int32_t> step_groups(const Schedule& schedule, const StreamOrder& order) {
  Sets sets(schedule.steps.size());
  for (StreamId s = 0; s < stream_count(schedule); ++s) {
    if (!carries_data(schedule, s)) continue;
    for (const StepId taker : order.takers.of(s)) sets.join(order.producer[at(s)], taker);
  }
  std::vector<std::int32_t> set(schedule.steps.size());
  std::int32_t count = 0;
  for (StepId s = 0; s < step_count(schedule); ++s) set[at(s)] = sets.find(s) == s ? count++ : set[at(sets.find(s))];
  const Graph earlier = make_graph(at(count), [&](auto add) {
    for (const Lane& lane : schedule.lanes) {
      for (StepId s = lane.first; s < lane.first + lane.count; ++s) {
        if (s > lane.first) add(set[at(s)], set[at(s - 1)]);
        for (const StepId w : schedule.waits_of(schedule.steps[at(s)])) add(set[at(s)], set[at(w)]);
      }
    }
  });
  const std::vector<std::int32_t> group = components(earlier);
  for (std::int32_t& s : set) s = group[at(s)];
  return set;
}

std::optional<Refusal> find_partners(const Schedule& schedule, StreamOrder& order) {
  order.step_node = step_nodes(schedule);
  order.step_lane.resize(schedule.steps.size());
  for (std::int32_t l = 0; l < static_cast<std::int32_t>(schedule.lanes.size()); ++l) {
    const Lane& lane = schedule.lanes[at(l)];
    for (StepId s = lane.first; s < lane.first + lane.count; ++s) order.step_lane[at(s)] = l;
  }
  order.producer.assign(schedule.streams.size(), -1);
  for (StepId s = 0; s < step_count(schedule); ++s) {
    for (const StreamId out : schedule.outputs_of(schedule.steps[at(s)])) order.producer[at(out)] = s;
  }
  order.takers = make_graph(schedule.streams.size(), [&](auto add) {
    for (StepId s = 0; s < step_count(schedule); ++s) {
      for (const StreamId in : schedule.operands_of(schedule.steps[at(s)])) {
        if (in != kOwn) add(in, s);
      }
    }
  });
  for (StreamId s = 0; s < stream_count(schedule); ++s) {
    if (order.producer[at(s)] < 0 || order.takers.of(s).empty()) {
      return Refusal{fmt::format("stream {} is not pushed and taken", s)};
    }
  }
  return {};
}

/// Sorts streams by `key`, keeping the order of equal ones.
void sort_by(const std::vector<std::int32_t>& key, std::vector<StreamId>& streams) {
  if (streams.empty()) return;
  std::vector<std::int32_t> next(at(*std::max_element(key.begin(), key.end())) + 2, 0);
  for (const StreamId s : streams) ++next[at(key[at(s)]) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<StreamId> sorted(streams.size());
  for (const StreamId s : streams) sorted[at(next[at(key[at(s)])]++)] = s;
  streams = std::move(sorted);
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
  const auto levels = Levels(schedule, order).find();
  if (!levels) return Refusal{"steps of the schedule wait for each other"};
  const std::vector<std::int32_t> groups = step_groups(schedule, order);

  std::vector<std::int32_t> place(schedule.streams.size()), end(schedule.streams.size());
  for (StreamId s = 0; s < stream_count(schedule); ++s) {
    order.group.push_back(groups[at(order.producer[at(s)])]);
    place[at(s)] = schedule.streams[at(s)].source;
    for (const StepId taker : order.takers.of(s)) {
      place[at(s)] = std::max(place[at(s)], order.step_node[at(taker)]);
      end[at(s)] = std::max(end[at(s)], (*levels)[at(taker)]);
    }
  }
  order.sequence.resize(schedule.streams.size());
  std::iota(order.sequence.begin(), order.sequence.end(), 0);
  sort_by(place, order.sequence);
  sort_by(end, order.sequence);
  sort_by(order.group, order.sequence);
  return order;
}

}  // namespace muster::wafer

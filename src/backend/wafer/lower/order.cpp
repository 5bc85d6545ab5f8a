// Lowering, second stage: which streams run concurrently, and in which order the others pass a router that they share.
#include <algorithm>
#include <numeric>

#include "backend/wafer/lower/lower.h"
#include "base/adjacency.h"
#include "base/strong_components.h"
#include "base/union_find.h"

namespace muster::wafer {
namespace {

StreamId stream_count(const Schedule& schedule) { return static_cast<StreamId>(schedule.streams.size()); }
StepId step_count(const Schedule& schedule) { return static_cast<StepId>(schedule.steps.size()); }

/// How late each step ends, counted in the steps that it needs one after another. An exchange sends what it had before,
/// so its stream needs nothing of it.
class Levels {
 public:
  Levels(const Schedule& schedule, const ScheduleIndex& index)
      : schedule_(schedule), index_(index), needs_(schedule.steps.size(), 0), level_(schedule.steps.size(), 0) {
    if (!schedule.waits.empty()) waiting_ = waiting_steps(schedule);
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
  /// The steps that need this step.
  template <class Visit>
  void each_later(StepId id, Visit visit) const {
    const Step& step = schedule_.steps[at(id)];
    if (const StepId next = index_.behind(id); next != kNoStep) visit(next);
    if (!waiting_.first.empty()) {
      for (const StepId waiting : waiting_.of(id)) visit(waiting);
    }
    if (step.is_exchange()) return;
    for (const StreamId s : schedule_.outputs_of(step)) {
      if (!carries_data(schedule_, s)) continue;
      for (const StepId taker : index_.takers.of(s)) visit(taker);
    }
  }

  const Schedule& schedule_;
  const ScheduleIndex& index_;
  Adjacency waiting_;  ///< empty if no step waits
  std::vector<std::int32_t> needs_;
  std::vector<std::int32_t> level_;
};

/// The group of each step: those that exchange streams, and those of groups that wait for each other in a cycle.
std::vector<std::int32_t> step_groups(const Schedule& schedule, const ScheduleIndex& index) {
  UnionFind sets(schedule.steps.size());
  for (StreamId s = 0; s < stream_count(schedule); ++s) {
    if (!carries_data(schedule, s)) continue;
    for (const StepId taker : index.takers.of(s)) sets.join(index.producer[at(s)], taker);
  }
  std::vector<std::int32_t> set(schedule.steps.size());
  std::int32_t count = 0;
  for (StepId s = 0; s < step_count(schedule); ++s) set[at(s)] = sets.find(s) == s ? count++ : set[at(sets.find(s))];
  const Adjacency earlier = make_adjacency(at(count), [&](auto add) {
    for (const Lane& lane : schedule.lanes) {
      for (StepId s = lane.first; s < lane.first + lane.count; ++s) {
        if (s > lane.first) add(set[at(s)], set[at(s - 1)]);
        for (const StepId w : schedule.waits_of(schedule.steps[at(s)])) add(set[at(s)], set[at(w)]);
      }
    }
  });
  const std::vector<std::int32_t> group =
      strong_components(earlier.first, [&](std::int32_t edge) { return earlier.to[at(edge)]; }).component;
  for (std::int32_t& s : set) s = group[at(s)];
  return set;
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

StepId StreamOrder::taker(StreamId stream, NodeId node) const {
  const auto steps = index.takers.of(stream);
  const auto found =
      std::lower_bound(steps.begin(), steps.end(), node, [&](StepId s, NodeId n) { return index.node_of[at(s)] < n; });
  MUSTER_ASSERT(found != steps.end() && index.node_of[at(*found)] == node, "stream {} is not taken at node {}", stream,
                node);
  return *found;
}

Outcome<StreamOrder> find_order(const Schedule& schedule) {
  StreamOrder order{.index = ScheduleIndex(schedule), .group = {}, .sequence = {}};
  const ScheduleIndex& index = order.index;
  for (StreamId s = 0; s < stream_count(schedule); ++s) {
    if (index.producer[at(s)] == kNoStep || index.takers.of(s).empty()) {
      return Refusal{fmt::format("stream {} is not pushed and taken", s)};
    }
  }
  const auto levels = Levels(schedule, index).find();
  if (!levels) return Refusal{"steps of the schedule wait for each other"};
  const std::vector<std::int32_t> groups = step_groups(schedule, index);

  std::vector<std::int32_t> furthest(schedule.streams.size()), end(schedule.streams.size());
  for (StreamId s = 0; s < stream_count(schedule); ++s) {
    order.group.push_back(groups[at(index.producer[at(s)])]);
    furthest[at(s)] = schedule.streams[at(s)].source;
    for (const StepId taker : index.takers.of(s)) {
      furthest[at(s)] = std::max(furthest[at(s)], index.node_of[at(taker)]);
      end[at(s)] = std::max(end[at(s)], (*levels)[at(taker)]);
    }
  }
  order.sequence.resize(schedule.streams.size());
  std::iota(order.sequence.begin(), order.sequence.end(), 0);
  sort_by(furthest, order.sequence);
  sort_by(end, order.sequence);
  sort_by(order.group, order.sequence);
  return order;
}

}  // namespace muster::wafer

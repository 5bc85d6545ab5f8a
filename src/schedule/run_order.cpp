// Kahn's algorithm on steps. A stream passes whole vectors here, so it is enough to count, for each step, what must
// have happened before it begins (lane and waits) and which streams it still misses. On demand it is a depth-first search
// instead, with a list of its own instead of recursion: a chain may be a million steps long.
#include "schedule/run_order.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>

#include "base/error.h"
#include "base/index.h"
#include "schedule/holdings.h"
#include "schedule/lane_groups.h"
#include "schedule/stream_ends.h"

namespace muster {

namespace {

/// For each key the steps that belong to it, in one list.
struct StepLists {
  std::vector<std::size_t> first;
  std::vector<StepId> steps;
  [[nodiscard]] std::span<const StepId> of(std::int32_t key) const {
    const auto k = static_cast<std::size_t>(key);
    return {steps.data() + first[k], steps.data() + first[k + 1]};
  }
};

/// Lists step s under every key that `keys(s)` gives.
template <class Keys>
StepLists list_steps(std::size_t key_count, std::size_t step_count, const Keys& keys) {
  StepLists lists;
  lists.first.assign(key_count + 1, 0);
  for (std::size_t s = 0; s < step_count; ++s) {
    for (const std::int32_t key : keys(s)) {
      if (key >= 0) ++lists.first[static_cast<std::size_t>(key) + 1];
    }
  }
  std::partial_sum(lists.first.begin(), lists.first.end(), lists.first.begin());
  lists.steps.resize(lists.first.back());
  std::vector<std::size_t> next(lists.first.begin(), lists.first.end() - 1);
  for (std::size_t s = 0; s < step_count; ++s) {
    for (const std::int32_t key : keys(s)) {
      if (key >= 0) lists.steps[next[static_cast<std::size_t>(key)]++] = static_cast<StepId>(s);
    }
  }
  return lists;
}

class Order {
 public:
  explicit Order(const Schedule& flat) : flat_(flat), node_(step_nodes(flat)) {
    check_indexes();
    producers_ = stream_producers(flat);
    check_producers();
    if (!stream_consumers(flat, node_)) {
      list_takers();
      check_takers();
    }
    for (SpanId span = 0; span < flat.spans.size(); ++span) has_empty_ = has_empty_ || flat.spans.count(span) == 0;
    first_of_lane_.assign(flat.steps.size(), false);
    for (const Lane& lane : flat.lanes) {
      if (lane.count > 0) first_of_lane_[at(lane.first)] = true;
    }
  }

  void run(RunOrder how, const std::function<void(const RunEvent&)>& visit) {
    if (how == RunOrder::on_demand && run_on_demand(visit)) return;
    for (const RunEvent& event : run_as_ready(how)) visit(event);
  }

 private:
  std::vector<RunEvent> run_as_ready(RunOrder how) {
    events_.reserve(flat_.steps.size());
    list_takers();
    waiters_ = list_steps(flat_.steps.size(), flat_.steps.size(),
                          [&](std::size_t s) { return flat_.waits_of(flat_.steps[s]); });
    count_conditions();
    by_lane_ = how == RunOrder::by_lane;
    if (by_lane_) number_lanes();
    for (auto s = static_cast<StepId>(flat_.steps.size()) - 1; s >= 0; --s) {
      if (before_[at(s)] == 0) may_begin(s);
    }
    while (!ready_.empty()) {
      const StepId step = ready_.back();
      ready_.pop_back();
      finish(step);
    }
    while (!turns_.empty()) {
      const Turn turn = turns_.top();
      turns_.pop();
      turn.has_begun ? finish(turn.step) : begin(turn.step);
    }
    if (finished_ < flat_.steps.size()) reject_stuck();
    MUSTER_ASSERT(how != RunOrder::on_demand, "steps can run, but not on demand");
    return std::move(events_);
  }

  void check_indexes() {
    const auto streams = static_cast<StreamId>(flat_.streams.size());
    const auto steps = static_cast<StepId>(flat_.steps.size());
    for (StepId s = 0; s < steps; ++s) {
      const Step& step = flat_.steps[at(s)];
      has_exchange_ = has_exchange_ || step.is_exchange();
      for (const StreamId id : flat_.operands_of(step)) {
        if (id < kOwn || id >= streams)
          reject("node {}, step {}: takes stream {}, which does not exist", node_[at(s)], s, id);
      }
      for (const StepId id : flat_.waits_of(step)) {
        if (id < 0 || id >= steps)
          reject("node {}, step {}: waits for step {}, which does not exist", node_[at(s)], s, id);
      }
    }
  }

  void list_takers() {
    if (!takers_.first.empty()) return;
    takers_ = list_steps(flat_.streams.size(), flat_.steps.size(),
                         [&](std::size_t s) { return flat_.operands_of(flat_.steps[s]); });
  }

  void check_producers() const {
    for (StreamId id = 0; id < static_cast<StreamId>(flat_.streams.size()); ++id) {
      if (producers_[at(id)] < 0)
        reject("stream {}: no step of its source, node {}, pushes it", id, flat_.streams[at(id)].source);
    }
  }

  /// Each sink takes each of its streams in exactly one step.
  void check_takers() const {
    std::vector<NodeId> sinks, nodes;
    for (StreamId id = 0; id < static_cast<StreamId>(flat_.streams.size()); ++id) {
      const auto wanted = flat_.sinks_of(flat_.streams[at(id)]);
      const auto takers = takers_.of(id);
      if (wanted.size() == 1 && takers.size() == 1 && node_[at(takers[0])] == wanted[0]) continue;
      sinks.assign(wanted.begin(), wanted.end());
      nodes.clear();
      for (const StepId step : takers) nodes.push_back(node_[at(step)]);
      std::sort(sinks.begin(), sinks.end());
      std::sort(nodes.begin(), nodes.end());
      const auto [sink, node] = std::mismatch(sinks.begin(), sinks.end(), nodes.begin(), nodes.end());
      if (node != nodes.end() && (sink == sinks.end() || *node < *sink)) {
        reject("stream {}: a step of node {} takes it, which is no sink of it or takes it twice", id, *node);
      }
      if (sink != sinks.end()) reject("stream {}: no step of its sink, node {}, takes it", id, *sink);
    }
  }

  void count_conditions() {
    before_.assign(flat_.steps.size(), 0);
    missing_.assign(flat_.steps.size(), 0);
    begun_.assign(flat_.steps.size(), false);
    last_of_lane_.assign(flat_.steps.size(), false);
    for (const Lane& lane : flat_.lanes) {
      for (StepId s = lane.first + 1; s < lane.first + lane.count; ++s) before_[at(s)] = 1;
      if (lane.count > 0) last_of_lane_[at(lane.first + lane.count - 1)] = true;
    }
    for (std::size_t s = 0; s < flat_.steps.size(); ++s) {
      before_[s] += static_cast<std::int32_t>(flat_.waits_of(flat_.steps[s]).size());
      for (const StreamId id : flat_.operands_of(flat_.steps[s])) missing_[s] += is_awaited(id) ? 1 : 0;
    }
  }

  /// A stream without elements carries nothing, and nobody waits for it.
  [[nodiscard]] bool is_awaited(StreamId operand) const {
    return operand != kOwn && (!has_empty_ || flat_.spans.count(flat_.streams[at(operand)].elements) > 0);
  }

  /// By lane: what may happen next, the lowest lane first.
  struct Turn {
    std::int32_t lane = 0;
    bool has_begun = false;
    StepId step = 0;
    auto operator<=>(const Turn&) const = default;
  };

  void number_lanes() {
    const std::vector<std::int32_t> numbers = lane_numbers(flat_, producers_);
    lane_.assign(flat_.steps.size(), 0);
    for (std::size_t l = 0; l < flat_.lanes.size(); ++l) {
      std::fill_n(lane_.begin() + flat_.lanes[l].first, flat_.lanes[l].count, numbers[l]);
    }
  }

  void may_begin(StepId step) {
    if (by_lane_) {
      turns_.push({.lane = lane_[at(step)], .has_begun = false, .step = step});
    } else {
      begin(step);
    }
  }
  void may_run(StepId step) {
    if (by_lane_) {
      turns_.push({.lane = lane_[at(step)], .has_begun = true, .step = step});
    } else {
      ready_.push_back(step);
    }
  }

  void begin(StepId step) {
    if (flat_.steps[at(step)].is_exchange()) {
      events_.push_back({step, true});
      push_outputs(step);
    }
    begun_[at(step)] = true;
    if (missing_[at(step)] == 0) may_run(step);
  }

  void finish(StepId step) {
    events_.push_back({step, false});
    ++finished_;
    if (!flat_.steps[at(step)].is_exchange()) push_outputs(step);
    for (const StepId waiter : waiters_.of(step)) release(waiter);
    if (!last_of_lane_[at(step)]) release(step + 1);
  }

  void release(StepId step) {
    if (--before_[at(step)] == 0) may_begin(step);
  }

  void push_outputs(StepId step) {
    for (const StreamId id : flat_.outputs_of(flat_.steps[at(step)])) {
      if (!is_awaited(id)) continue;
      for (const StepId taker : takers_.of(id)) {
        if (--missing_[at(taker)] == 0 && begun_[at(taker)]) may_run(taker);
      }
    }
  }

  // --- on demand. Event 2 s: exchange s sends; event 2 s + 1: step s runs.
  using Event = std::int64_t;
  static constexpr Event kNothing = -1;
  enum class Mark : std::uint8_t { none, wanted, done };

  /// False if some step cannot run.
  bool run_on_demand(const std::function<void(const RunEvent&)>& visit) {
    marks_.assign(2 * flat_.steps.size(), Mark::none);
    const std::vector<bool> owes = nodes_that_owe(flat_);
    for (const bool first : {true, false}) {  // then what nobody asked for
      for (const Lane& lane : flat_.lanes) {
        if (lane.count == 0 || owes[at(lane.node)] != first) continue;
        if (!want(2 * static_cast<Event>(lane.first + lane.count - 1) + 1, visit)) return false;
      }
    }
    return true;
  }

  bool want(Event event, const std::function<void(const RunEvent&)>& visit) {
    marks_[at(event)] = std::max(marks_[at(event)], Mark::wanted);
    for (wanted_.push_back(event); !wanted_.empty();) {
      const Event next = wanted_.back();
      const Event missing = marks_[at(next)] == Mark::done ? kNothing : first_missing(next);
      if (missing != kNothing) {
        if (marks_[at(missing)] == Mark::wanted) return false;
        marks_[at(missing)] = Mark::wanted;
        wanted_.push_back(missing);
        continue;
      }
      wanted_.pop_back();
      if (marks_[at(next)] != Mark::done) visit({static_cast<StepId>(next / 2), next % 2 == 0});
      marks_[at(next)] = Mark::done;
    }
    return true;
  }

  [[nodiscard]] Event first_missing(Event event) const {
    const auto s = static_cast<StepId>(event / 2);
    const Step& step = flat_.steps[at(s)];
    const auto is_missing = [&](Event other) { return marks_[at(other)] != Mark::done; };
    if (!first_of_lane_[at(s)] && is_missing(event_of(s - 1))) return event_of(s - 1);
    for (const StepId wait : flat_.waits_of(step)) {
      if (is_missing(event_of(wait))) return event_of(wait);
    }
    if (event % 2 == 0) return kNothing;
    if (step.is_exchange() && is_missing(event - 1)) return event - 1;
    for (const StreamId id : flat_.operands_of(step)) {
      if (!is_awaited(id)) continue;
      const StepId producer = producers_[at(id)];
      const bool is_sent = has_exchange_ && flat_.steps[at(producer)].is_exchange();
      const Event push = is_sent ? event_of(producer) - 1 : event_of(producer);
      if (is_missing(push)) return push;
    }
    return kNothing;
  }
  static Event event_of(StepId step) { return 2 * static_cast<Event>(step) + 1; }

  /// Names the first step that did not run, and one thing that it lacks.
  [[noreturn]] void reject_stuck() const {
    std::vector<bool> ran(flat_.steps.size()), pushed(flat_.streams.size());
    for (const RunEvent& event : events_) {
      const Step& step = flat_.steps[at(event.step)];
      if (!event.sends_old) ran[at(event.step)] = true;
      if (event.sends_old == step.is_exchange()) {
        for (const StreamId id : flat_.outputs_of(step)) pushed[at(id)] = true;
      }
    }
    const auto stuck = static_cast<StepId>(std::find(ran.begin(), ran.end(), false) - ran.begin());
    const Step& step = flat_.steps[at(stuck)];
    const std::string place = fmt::format("node {}, step {}: cannot run: ", node_[at(stuck)], stuck);
    for (const StreamId id : flat_.operands_of(step)) {
      if (!is_awaited(id) || pushed[at(id)]) continue;
      reject("{}stream {} is never pushed: step {} of node {} cannot run either", place, id, producers_[at(id)],
             flat_.streams[at(id)].source);
    }
    for (const StepId id : flat_.waits_of(step)) {
      if (!ran[at(id)]) reject("{}it waits for step {}, which cannot run either", place, id);
    }
    reject("{}the step before it in its lane cannot run either", place);
  }

  const Schedule& flat_;
  std::vector<NodeId> node_;
  std::vector<StepId> producers_;
  bool has_exchange_ = false;
  bool has_empty_ = false;  // spans
  StepLists takers_;        // of each stream, if they are needed
  StepLists waiters_;       // for each step
  std::vector<std::int32_t> before_;
  std::vector<std::int32_t> missing_;
  std::vector<bool> begun_;
  std::vector<bool> first_of_lane_;
  std::vector<bool> last_of_lane_;
  std::vector<StepId> ready_;
  bool by_lane_ = false;
  std::vector<std::int32_t> lane_;  // of each step: the number of its lane's group
  std::priority_queue<Turn, std::vector<Turn>, std::greater<>> turns_;
  std::vector<Mark> marks_;    // of each event
  std::vector<Event> wanted_;  // each waits for the one behind it
  std::vector<RunEvent> events_;
  std::size_t finished_ = 0;
};

}  // namespace

std::vector<StepId> stream_producers(const Schedule& flat) {
  const std::vector<NodeId> nodes = step_nodes(flat);
  std::vector<StepId> producers(flat.streams.size(), -1);
  for (std::size_t s = 0; s < flat.steps.size(); ++s) {
    for (const StreamId id : flat.outputs_of(flat.steps[s])) {
      if (id < 0 || id >= static_cast<StreamId>(flat.streams.size())) {
        reject("node {}, step {}: pushes stream {}, which does not exist", nodes[s], s, id);
      }
      StepId& producer = producers[static_cast<std::size_t>(id)];
      if (producer >= 0) reject("node {}, step {}: pushes stream {}, as step {} does", nodes[s], s, id, producer);
      const NodeId source = flat.streams[static_cast<std::size_t>(id)].source;
      if (source != nodes[s]) reject("node {}, step {}: pushes stream {} of node {}", nodes[s], s, id, source);
      producer = static_cast<StepId>(s);
    }
  }
  return producers;
}

void visit_run_order(const Schedule& flat, RunOrder how, const std::function<void(const RunEvent&)>& visit) {
  Order(flat).run(how, visit);
}

std::vector<RunEvent> run_order(const Schedule& flat, RunOrder how) {
  std::vector<RunEvent> events;
  events.reserve(flat.steps.size());
  visit_run_order(flat, how, [&](const RunEvent& event) { events.push_back(event); });
  return events;
}

}  // namespace muster

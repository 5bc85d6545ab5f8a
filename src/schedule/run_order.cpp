// Kahn's algorithm on steps. A stream passes whole vectors here, so it is enough to count, for each step, what must
// have happened before it begins (lane and waits) and which streams it still misses. On demand it is a depth-first search
// instead, with a list of its own instead of recursion: a chain may be a million steps long.
#include "schedule/run_order.h"

#include <algorithm>
#include <functional>
#include <queue>

#include "base/error.h"
#include "base/index.h"
#include "schedule/holdings.h"
#include "schedule/lane_groups.h"

namespace muster {

namespace {

class Order {
 public:
  Order(const Schedule& flat, const ScheduleIndex& index) : flat_(flat), index_(index) {
    for (const Step& step : flat.steps) has_exchange_ = has_exchange_ || step.is_exchange();
    for (SpanId span = 0; span < flat.spans.size(); ++span) has_empty_ = has_empty_ || flat.spans.count(span) == 0;
  }

  void run(RunOrder how, const std::function<void(const RunEvent&)>& visit) {
    if (how == RunOrder::on_demand && run_on_demand(visit)) return;
    for (const RunEvent& event : run_as_ready(how)) visit(event);
  }

 private:
  std::vector<RunEvent> run_as_ready(RunOrder how) {
    events_.reserve(flat_.steps.size());
    waiting_ = waiting_steps(flat_);
    count_conditions();
    by_lane_ = how == RunOrder::by_lane;
    if (by_lane_) lane_number_ = lane_numbers(flat_, index_);
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

  void count_conditions() {
    before_.assign(flat_.steps.size(), 0);
    missing_.assign(flat_.steps.size(), 0);
    begun_.assign(flat_.steps.size(), false);
    for (StepId s = 0; s < static_cast<StepId>(flat_.steps.size()); ++s) {
      const Step& step = flat_.steps[at(s)];
      before_[at(s)] = step.waits.count + (index_.before(s) == kNoStep ? 0 : 1);
      for (const StreamId id : flat_.operands_of(step)) missing_[at(s)] += is_awaited(id) ? 1 : 0;
    }
  }

  /// A stream without elements carries nothing, and no step waits for it.
  [[nodiscard]] bool is_awaited(StreamId operand) const {
    return is_stream(operand) && (!has_empty_ || carries_data(flat_, operand));
  }

  /// By lane: what may happen next, the lowest lane first.
  struct Turn {
    std::int32_t lane = 0;
    bool has_begun = false;
    StepId step = 0;
    auto operator<=>(const Turn&) const = default;
  };

  [[nodiscard]] std::int32_t lane_number(StepId step) const { return lane_number_[at(index_.lane_of[at(step)])]; }

  void may_begin(StepId step) {
    if (by_lane_) {
      turns_.push({.lane = lane_number(step), .has_begun = false, .step = step});
    } else {
      begin(step);
    }
  }
  void may_run(StepId step) {
    if (by_lane_) {
      turns_.push({.lane = lane_number(step), .has_begun = true, .step = step});
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
    for (const StepId waiting : waiting_.of(step)) release(waiting);
    if (const StepId next = index_.behind(step); next != kNoStep) release(next);
  }

  void release(StepId step) {
    if (--before_[at(step)] == 0) may_begin(step);
  }

  void push_outputs(StepId step) {
    for (const StreamId id : flat_.outputs_of(flat_.steps[at(step)])) {
      if (!is_awaited(id)) continue;
      for (const StepId taker : index_.takers.of(id)) {
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
    for (const bool first : {true, false}) {  // nodes that owe a result, then the others
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
    if (const StepId before = index_.before(s); before != kNoStep && is_missing(event_of(before))) {
      return event_of(before);
    }
    for (const StepId wait : flat_.waits_of(step)) {
      if (is_missing(event_of(wait))) return event_of(wait);
    }
    if (event % 2 == 0) return kNothing;
    if (step.is_exchange() && is_missing(event - 1)) return event - 1;
    for (const StreamId id : flat_.operands_of(step)) {
      if (!is_awaited(id)) continue;
      const StepId producer = index_.producer[at(id)];
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
    const std::string where = fmt::format("node {}, step {}: cannot run: ", index_.node_of[at(stuck)], stuck);
    for (const StreamId id : flat_.operands_of(step)) {
      if (!is_awaited(id) || pushed[at(id)]) continue;
      reject("{}stream {} is never pushed: step {} of node {} cannot run either", where, id, index_.producer[at(id)],
             flat_.streams[at(id)].source);
    }
    for (const StepId id : flat_.waits_of(step)) {
      if (!ran[at(id)]) reject("{}it waits for step {}, which cannot run either", where, id);
    }
    reject("{}the step before it in its lane cannot run either", where);
  }

  const Schedule& flat_;
  const ScheduleIndex& index_;
  bool has_exchange_ = false;
  bool has_empty_ = false;  // spans
  Adjacency waiting_;       // for each step
  std::vector<std::int32_t> before_;
  std::vector<std::int32_t> missing_;
  std::vector<bool> begun_;
  std::vector<StepId> ready_;
  bool by_lane_ = false;
  std::vector<std::int32_t> lane_number_;  // of each lane: that of its group
  std::priority_queue<Turn, std::vector<Turn>, std::greater<>> turns_;
  std::vector<Mark> marks_;    // of each event
  std::vector<Event> wanted_;  // each waits for the next one
  std::vector<RunEvent> events_;
  std::size_t finished_ = 0;
};

}  // namespace

void visit_run_order(const Schedule& flat, const ScheduleIndex& index, RunOrder how,
                     const std::function<void(const RunEvent&)>& visit) {
  Order(flat, index).run(how, visit);
}

std::vector<RunEvent> run_order(const Schedule& flat, const ScheduleIndex& index, RunOrder how) {
  std::vector<RunEvent> events;
  events.reserve(flat.steps.size());
  visit_run_order(flat, index, how, [&](const RunEvent& event) { events.push_back(event); });
  return events;
}

std::vector<RunEvent> run_order(const Schedule& flat, RunOrder how) {
  return run_order(flat, checked_index(flat), how);
}

}  // namespace muster

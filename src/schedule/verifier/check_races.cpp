// Races. Nodes of one lane have none, nor those whose lanes store in buffers of their own. Elsewhere every step gets a clock: for each lane of its node, how many steps of
// it have surely finished when the step begins, by lane order and waits. The steps are then replayed in an order that
// respects both; per element only the last storing step and the readers since then must be remembered, because each
// of them was itself ordered after all earlier ones.
#include <algorithm>

#include "schedule/verifier/intervals.h"
#include "schedule/verifier/verify_stages.h"

namespace muster::verifier {
namespace {

constexpr StepId kNoWriter = -1;
constexpr std::int64_t kMostClockEntries = std::int64_t{1} << 27;

/// The steps that touched an element last.
struct Touched {
  StepId writer = kNoWriter;
  std::vector<StepId> readers;  ///< at most one, the latest, per lane
};

class NodeRaces {
 public:
  NodeRaces(const Subject& subject, NodeId node)
      : subject_(subject), schedule_(subject.schedule), node_(node), lanes_(subject.schedule.lanes_of(node)) {
    first_ = lanes_.front().first;
    for (std::size_t l = 0; l < lanes_.size(); ++l)
      lane_of_.insert(lane_of_.end(), at(lanes_[l].count), static_cast<std::int32_t>(l));
  }

  /// `steps` are those of the node, in an order of execution.
  Finding run(std::span<const StepId> steps) {
    const auto size = static_cast<std::int64_t>(steps.size()) * static_cast<std::int64_t>(lanes_.size());
    if (size > kMostClockEntries) {
      return found(Kind::malformed, {.node = node_}, "{} has {} steps in {} lanes, too many to order; use fewer lanes",
                   subject_.node(node_), steps.size(), lanes_.size());
    }
    clock_.assign(static_cast<std::size_t>(size), 0);
    for (const StepId id : steps) {
      set_clock(id);
      if (Finding wrong = touch(id)) return wrong;
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] std::int32_t lane_of(StepId id) const { return lane_of_[at(id - first_)]; }
  std::int32_t* clock(StepId id) { return clock_.data() + at(id - first_) * lanes_.size(); }

  void set_clock(StepId id) {
    const Lane& lane = lanes_[at(lane_of(id))];
    if (id > lane.first) come_after(id, id - 1);
    for (const StepId awaited : schedule_.waits_of(schedule_.steps[at(id)])) come_after(id, awaited);
  }

  void come_after(StepId id, StepId earlier) {
    std::int32_t* mine = clock(id);
    const std::int32_t* theirs = clock(earlier);
    for (std::size_t l = 0; l < lanes_.size(); ++l) mine[l] = std::max(mine[l], theirs[l]);
    std::int32_t& finished = mine[lane_of(earlier)];
    finished = std::max(finished, earlier - lanes_[at(lane_of(earlier))].first + 1);
  }

  bool is_before(StepId earlier, StepId id) {
    const std::int32_t lane = lane_of(earlier);
    return clock(id)[lane] > earlier - lanes_[at(lane)].first;
  }

  Finding touch(StepId id) {
    const Step& step = schedule_.steps[at(id)];
    if (step.own != Buffer::none) {
      if (Finding wrong = read(id, step.own, step.own_elements)) return wrong;
    }
    for (const StreamId operand : schedule_.operands_of(step)) {
      if (!is_term(operand)) continue;
      const Term& term = schedule_.term_of(operand);
      if (Finding wrong = read(id, term.buffer, term.elements)) return wrong;
    }
    if (step.is_exchange()) {
      if (Finding wrong = read(id, step.sent, step.sent_elements)) return wrong;
    }
    return step.store == Buffer::none ? std::nullopt : store(id, step.store, step.store_elements);
  }

  Finding read(StepId id, Buffer buffer, SpanId elements) {
    Finding wrong;
    for (const Range& range : schedule_.spans.ranges(elements)) {
      touched_[static_cast<std::size_t>(buffer)].update(range, [&](Range part, Touched& touched) {
        if (!wrong && touched.writer != kNoWriter && !is_before(touched.writer, id)) {
          wrong = race(buffer, part.first, {touched.writer, "stores it"}, {id, "reads it"});
        }
        const auto same_lane = [&](StepId reader) { return lane_of(reader) == lane_of(id); };
        std::erase_if(touched.readers, same_lane);
        touched.readers.push_back(id);
      });
    }
    return wrong;
  }

  Finding store(StepId id, Buffer buffer, SpanId elements) {
    Finding wrong;
    for (const Range& range : schedule_.spans.ranges(elements)) {
      touched_[static_cast<std::size_t>(buffer)].update(range, [&](Range part, Touched& touched) {
        if (!wrong && touched.writer != kNoWriter && !is_before(touched.writer, id)) {
          wrong = race(buffer, part.first, {touched.writer, "stores it"}, {id, "stores it too"});
        }
        for (const StepId reader : touched.readers) {
          if (!wrong && reader != id && !is_before(reader, id)) {
            wrong = race(buffer, part.first, {reader, "reads it"}, {id, "stores it"});
          }
        }
        touched = {id, {}};
      });
    }
    return wrong;
  }

  struct Actor {
    StepId step;
    const char* does;
  };
  [[nodiscard]] Counterexample race(Buffer buffer, std::int64_t element, Actor a, Actor b) const {
    return found(Kind::race, {.node = node_, .element = element, .step = b.step},
                 "at {}, two steps race for element {} of {}: {} {}, {} {}, and neither waits for the other",
                 subject_.node(node_), element, buffer_name(buffer), subject_.step_in_lane(a.step, lane_of(a.step)),
                 a.does, subject_.step_in_lane(b.step, lane_of(b.step)), b.does);
  }

  const Subject& subject_;
  const Schedule& schedule_;
  NodeId node_;
  std::span<const Lane> lanes_;
  StepId first_ = 0;
  std::vector<std::int32_t> lane_of_;         ///< by step, from the node's first
  std::vector<std::int32_t> clock_;           ///< steps x lanes
  Intervals<Touched> touched_[1 + kBuffers];  ///< by buffer
};

/// Whether a buffer that one lane of the node stores in is touched by another one: without that, no steps race.
bool could_race(const Schedule& schedule, std::span<const Lane> lanes) {
  const auto bit = [](Buffer buffer) { return 1U << static_cast<unsigned>(buffer); };
  unsigned stored = 0;   // by lanes before
  unsigned touched = 0;  // stored or read
  for (const Lane& lane : lanes) {
    unsigned stores = 0;
    unsigned touches = 0;
    for (StepId id = lane.first; id < lane.first + lane.count; ++id) {
      const Step& step = schedule.steps[at(id)];
      stores |= bit(step.store);
      touches |= bit(step.store) | bit(step.own) | bit(step.sent);
      for (const StreamId operand : schedule.operands_of(step)) {
        if (is_term(operand)) touches |= bit(schedule.term_of(operand).buffer);
      }
    }
    if ((((stores & touched) | (touches & stored)) & ~bit(Buffer::none)) != 0) return true;
    stored |= stores;
    touched |= touches;
  }
  return false;
}

}  // namespace

Finding check_races(const Subject& subject, const std::vector<Vertex>& order, const Dependencies& dependencies) {
  const Schedule& schedule = subject.schedule;
  std::vector<std::int32_t> position;  // step → its position in `order`
  for (NodeId node = 0; node < schedule.node_count; ++node) {
    const auto lanes = schedule.lanes_of(node);
    if (lanes.size() < 2 || !could_race(schedule, lanes)) continue;
    if (position.empty()) {
      position.resize(schedule.steps.size());
      for (std::size_t i = 0; i < order.size(); ++i) {
        if (!dependencies.is_sender(order[i])) position[at(order[i])] = static_cast<std::int32_t>(i);
      }
    }
    std::vector<StepId> steps;
    for (StepId id = lanes.front().first; id < lanes.back().first + lanes.back().count; ++id) steps.push_back(id);
    std::sort(steps.begin(), steps.end(), [&](StepId a, StepId b) { return position[at(a)] < position[at(b)]; });
    if (Finding wrong = NodeRaces(subject, node).run(steps)) return wrong;
  }
  return std::nullopt;
}

}  // namespace muster::verifier

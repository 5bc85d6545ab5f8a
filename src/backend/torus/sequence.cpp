#include "backend/torus/sequence.h"

#include <algorithm>
#include <map>

#include "base/index.h"

namespace muster::torus {
namespace {

class Sequencer {
 public:
  Sequencer(const Schedule& flat, const ScheduleIndex& index, bool shares_memory)
      : flat_(flat),
        index_(index),
        shares_memory_(shares_memory),
        next_(flat.lanes.size()),
        sent_(flat.steps.size()),
        taken_(flat.steps.size()) {}

  std::vector<Event> run() {
    for (bool advanced = true; advanced;) {
      advanced = false;
      for (std::size_t lane = 0; lane < flat_.lanes.size(); ++lane) advanced |= advance(lane);
    }
    return std::move(events_);
  }

 private:
  bool advance(std::size_t lane) {
    if (next_[lane] == flat_.lanes[lane].count) return false;
    const StepId s = flat_.lanes[lane].first + next_[lane];
    const Step& step = flat_.steps[at(s)];
    const auto waits = flat_.waits_of(step);
    if (!std::all_of(waits.begin(), waits.end(), [&](StepId wait) { return is_over(wait); })) return false;
    const bool sends_first = step.is_exchange() && !flat_.outputs_of(step).empty();
    const bool may_send = !sent_[at(s)] && (sends_first || taken_[at(s)]);
    bool did = false;
    if (may_send && has_space(step)) {
      events_.push_back({.step = s, .sends = true});
      sent_[at(s)] = true;
      for (const StreamId stream : flat_.outputs_of(step)) occupy(stream);
      did = true;
    } else if (!taken_[at(s)] && (sent_[at(s)] || !sends_first) && has_arrived(step)) {
      events_.push_back({.step = s, .sends = false});
      taken_[at(s)] = true;
      if (flat_.outputs_of(step).empty()) sent_[at(s)] = true;
      for (const StreamId stream : flat_.operands_of(step)) {
        if (stream != kOwn) release(stream, index_.node_of[at(s)]);
      }
      did = true;
    }
    if (is_over(s)) ++next_[lane];
    return did;
  }

  [[nodiscard]] bool is_next(StepId s) const {
    const std::int32_t lane = index_.lane_of[at(s)];
    return flat_.lanes[at(lane)].first + next_[at(lane)] == s;
  }

  [[nodiscard]] bool is_over(StepId s) const { return sent_[at(s)] && taken_[at(s)]; }

  [[nodiscard]] bool has_arrived(const Step& step) const {
    const auto operands = flat_.operands_of(step);
    return std::all_of(operands.begin(), operands.end(), [&](StreamId stream) {
      return stream == kOwn || !carries_data(flat_, stream) || sent_[at(index_.producer[at(stream)])];
    });
  }

  [[nodiscard]] bool has_space(const Step& step) const {
    if (!shares_memory_) return true;
    const auto outputs = flat_.outputs_of(step);
    return std::all_of(outputs.begin(), outputs.end(), [&](StreamId stream) {
      const Stream& s = flat_.streams[at(stream)];
      const auto sinks = flat_.sinks_of(s);
      // Whoever takes it has come to that step; otherwise it would be in the way of what is taken before.
      const auto takers = index_.takers.of(stream);
      if (!std::all_of(takers.begin(), takers.end(), [&](StepId taker) { return is_next(taker); })) return false;
      return std::all_of(sinks.begin(), sinks.end(), [&](NodeId sink) {
        const auto there = occupied_.find(sink);
        if (there == occupied_.end()) return true;
        return std::none_of(there->second.begin(), there->second.end(), [&](StreamId other) {
          return flat_.spans.meet(flat_.streams[at(other)].elements, s.elements);
        });
      });
    });
  }

  void occupy(StreamId stream) {
    if (!shares_memory_) return;
    for (const NodeId sink : flat_.sinks_of(flat_.streams[at(stream)])) occupied_[sink].push_back(stream);
  }

  void release(StreamId stream, NodeId sink) {
    if (shares_memory_) std::erase(occupied_[sink], stream);
  }

  const Schedule& flat_;
  const ScheduleIndex& index_;
  const bool shares_memory_;
  std::vector<std::int32_t> next_;                    ///< by lane
  std::vector<bool> sent_, taken_;                    ///< by step
  std::map<NodeId, std::vector<StreamId>> occupied_;  ///< streams that were sent to a node and not taken
  std::vector<Event> events_;
};

}  // namespace

std::vector<Event> sequence_of(const Schedule& flat, const ScheduleIndex& index, bool shares_memory) {
  return Sequencer(flat, index, shares_memory).run();
}

}  // namespace muster::torus

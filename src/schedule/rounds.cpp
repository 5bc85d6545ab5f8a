// Rounds by the longest paths through the steps, in an order in which they can run.
#include "schedule/rounds.h"

#include <algorithm>
#include <map>

#include "base/index.h"
#include "schedule/run_order.h"

namespace muster {
namespace {

class RoundCounter {
 public:
  explicit RoundCounter(const Schedule& flat)
      : flat_(flat), node_(step_nodes(flat)), known_(flat.steps.size(), 0), round_of_(flat.streams.size(), 0) {
    before_in_lane_.assign(flat.steps.size(), -1);
    for (const Lane& lane : flat.lanes) {
      for (StepId s = lane.first + 1; s < lane.first + lane.count; ++s) before_in_lane_[at(s)] = s - 1;
    }
  }

  Rounds count() && {
    for (const RunEvent& event : run_order(flat_)) {
      const Step& step = flat_.steps[at(event.step)];
      const std::int64_t earlier = known_before(event.step);
      if (event.sends_old) {
        push(event.step, earlier);
        continue;
      }
      std::int64_t known = earlier;
      for (const StreamId stream : flat_.operands_of(step)) {
        if (stream != kOwn) known = std::max(known, round_of_[at(stream)]);
      }
      known_[at(event.step)] = known;
      if (!step.is_exchange()) push(event.step, known);
    }
    std::map<NodeId, std::int64_t> of_node;
    for (const auto& [place, words] : sent_) {
      Round& round = rounds_.each[at(place.first - 1)];
      round.words = std::max(round.words, words);
      rounds_.most = std::max(rounds_.most, of_node[place.second] += words);
    }
    rounds_.count = static_cast<std::int64_t>(rounds_.each.size());
    for (const Round& round : rounds_.each) rounds_.words += round.words;
    return rounds_;
  }

 private:
  [[nodiscard]] std::int64_t known_before(StepId step) const {
    const StepId before = before_in_lane_[at(step)];
    std::int64_t known = before < 0 ? 0 : known_[at(before)];
    for (const StepId wait : flat_.waits_of(flat_.steps[at(step)])) known = std::max(known, known_[at(wait)]);
    return known;
  }
  void push(StepId step, std::int64_t known) {
    for (const StreamId id : flat_.outputs_of(flat_.steps[at(step)])) {
      const Stream& stream = flat_.streams[at(id)];
      const std::int64_t message = flat_.spans.count(stream.elements);
      const std::int64_t words = message * stream.sinks.count;
      if (words == 0) continue;
      round_of_[at(id)] = known + 1;
      if (at(known) >= rounds_.each.size()) rounds_.each.resize(at(known) + 1);
      Round& round = rounds_.each[at(known)];
      round.message = std::max(round.message, message);
      rounds_.sent += words;
      sent_[{known + 1, node_[at(step)]}] += words;
    }
  }

  const Schedule& flat_;
  std::vector<NodeId> node_;
  std::vector<StepId> before_in_lane_;
  std::vector<std::int64_t> known_;     ///< of each step: the latest round of what its node has taken so far
  std::vector<std::int64_t> round_of_;  ///< of each stream
  std::map<std::pair<std::int64_t, NodeId>, std::int64_t> sent_;
  Rounds rounds_;
};

}  // namespace

Rounds rounds_of(const Schedule& flat) { return RoundCounter(flat).count(); }

}  // namespace muster

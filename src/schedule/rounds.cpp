// Rounds by the longest paths through the steps, in an order in which they can run.
#include "schedule/rounds.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>

#include "schedule/run_order.h"

namespace muster {
namespace {

class RoundCounter {
 public:
  explicit RoundCounter(const Schedule& flat)
      : flat_(flat), index_(checked_index(flat)), known_(flat.steps.size(), 0), round_of_(flat.streams.size(), 0) {
    ranks_.assign(flat.contracts.empty() ? 0 : at(flat.node_count), false);
    for (const Contract& contract : flat.contracts) {
      for (const NodeId node : contract.ranks) ranks_[at(node)] = true;
    }
  }

  Rounds count() && {
    for (const RunEvent& event : run_order(flat_, index_)) {
      const Step& step = flat_.steps[at(event.step)];
      const std::int64_t earlier = known_before(event.step);
      if (event.sends_old) {
        push(event.step, earlier);
        continue;
      }
      std::int64_t known = earlier;
      for (const StreamId stream : flat_.operands_of(step)) {
        if (is_stream(stream)) known = std::max(known, round_of_[at(stream)]);
      }
      known_[at(event.step)] = known;
      if (!step.is_exchange()) push(event.step, known);
    }
    add_up();
    rounds_.sent = std::max(by_ranks_, by_switches_);
    rounds_.count = static_cast<std::int64_t>(rounds_.each.size());
    for (const Round& round : rounds_.each) {
      rounds_.words += round.words;
      rounds_.switched += round.switched;
      rounds_.relays += round.switched > 0 ? 1 : 0;
    }
    return rounds_;
  }

 private:
  static constexpr NodeId kNoSink = -1;
  /// Words of a message, or of a switch's message to one of its sinks.
  struct Sent {
    std::int64_t round = 0;
    NodeId node = 0;
    NodeId sink = kNoSink;
    std::int64_t words = 0;
  };

  /// The busiest sender of every round.
  void add_up() {
    std::vector<std::size_t> first(rounds_.each.size() + 1, 0);  // of each round, in `sorted`
    for (const Sent& sent : sent_) ++first[at(sent.round) + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<Sent> sorted(sent_.size());
    std::vector<std::size_t> next = first;
    for (const Sent& sent : sent_) sorted[next[at(sent.round)]++] = sent;
    std::vector<std::int64_t> in_round(at(flat_.node_count), 0), in_all(at(flat_.node_count), 0);
    for (std::size_t r = 0; r < rounds_.each.size(); ++r) {
      add_up(rounds_.each[r], std::span(sorted).subspan(first[r], first[r + 1] - first[r]), in_round);
      for (std::size_t i = first[r]; i < first[r + 1]; ++i) {
        const Sent& sent = sorted[i];
        in_round[at(sent.node)] = 0;
        if (is_rank(sent.node)) rounds_.most = std::max(rounds_.most, in_all[at(sent.node)] += sent.words);
      }
    }
  }
  /// `of_node`: zeros.
  void add_up(Round& round, std::span<const Sent> all, std::vector<std::int64_t>& of_node) const {
    std::map<std::pair<NodeId, NodeId>, std::int64_t> of_link;
    for (const Sent& sent : all) {
      if (is_rank(sent.node)) {
        round.words = std::max(round.words, of_node[at(sent.node)] += sent.words);
      } else {
        round.switched = std::max(round.switched, of_link[{sent.node, sent.sink}] += sent.words);
      }
    }
  }

  [[nodiscard]] bool is_rank(NodeId node) const { return ranks_.empty() || ranks_[at(node)]; }
  [[nodiscard]] std::int64_t known_before(StepId step) const {
    const StepId before = index_.before(step);
    std::int64_t known = before == kNoStep ? 0 : known_[at(before)];
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
      const NodeId node = index_.node_of[at(step)];
      (is_rank(node) ? by_ranks_ : by_switches_) += words;
      if (is_rank(node)) {
        sent_.push_back({.round = known, .node = node, .words = words});
      } else {
        for (const NodeId sink : flat_.sinks_of(stream)) {
          sent_.push_back({.round = known, .node = node, .sink = sink, .words = message});
        }
      }
    }
  }

  const Schedule& flat_;
  const ScheduleIndex index_;
  std::vector<bool> ranks_;             ///< of each node
  std::vector<std::int64_t> known_;     ///< of each step: the latest round of what its node has taken so far
  std::vector<std::int64_t> round_of_;  ///< of each stream
  std::vector<Sent> sent_;
  std::int64_t by_ranks_ = 0, by_switches_ = 0;  ///< words that they sent, all together
  Rounds rounds_;
};

}  // namespace

Rounds rounds_of(const Schedule& flat) { return RoundCounter(flat).count(); }

}  // namespace muster

// Finds collectives in a schedule: sides of steps that streams join are on one channel, channels that a step or a loop joins
// are one collective, and collectives follow each other as the steps of cores do.
#include "backend/hyperx/collectives.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/strong_components.h"
#include "base/union_find.h"
#include "machine/hyperx.h"
#include "machine/routing.h"
#include "schedule/index.h"

namespace muster::hyperx {
namespace {

constexpr std::int32_t kNone = -1;
constexpr std::int32_t kMostIds = 1024;

class Finder {
 public:
  Finder(const Schedule& schedule, const Machine& machine)
      : schedule_(schedule),
        machine_(machine),
        ranks_(rank_count(machine)),
        index_(schedule),
        channels_(2 * schedule.steps.size()),
        collectives_(schedule.steps.size()) {}

  Outcome<Collectives> find() {
    if (!look_at_steps()) return Refusal{refusal_};
    join_steps();
    number_collectives();
    if (!find_segments() || !find_ids() || !find_channels()) return Refusal{refusal_};
    return std::move(found_);
  }

 private:
  /// A collective comes after another one, since a core does its steps in that order.
  struct After {
    std::int32_t collective = 0;
    std::int32_t before = 0;
    StepId at = 0;  ///< the later step
  };

  [[nodiscard]] const Step& step(StepId s) const { return schedule_.steps[at(s)]; }
  [[nodiscard]] bool is_switch(StepId s) const { return index_.node_of[at(s)] >= ranks_; }
  [[nodiscard]] StepId steps() const { return static_cast<StepId>(schedule_.steps.size()); }
  [[nodiscard]] static std::int32_t in_side(StepId s) { return 2 * s; }
  [[nodiscard]] static std::int32_t out_side(StepId s) { return 2 * s + 1; }

  bool refuse(StepId s, std::string_view why) {
    refusal_ = fmt::format("the {} {}; registers cannot express that", node_text(machine_, index_.node_of[at(s)]), why);
    return false;
  }

  /// Cores give, take or do both at once; switches neither hold nor store anything.
  bool look_at_steps() {
    for (StepId s = 0; s < steps(); ++s) {
      const Step& o = step(s);
      const auto operands = schedule_.operands_of(o);
      if (schedule_.spans.count(o.elements) == 0) continue;
      if (schedule_.spans.ranges(o.elements).size() != 1) return refuse(s, "works on scattered elements");
      if (o.own_elements != o.elements && o.own != Buffer::none) return refuse(s, "renumbers the elements it sends");
      if (o.store_elements != o.elements && o.store != Buffer::none) {
        return refuse(s, "renumbers the elements it stores");
      }
      if (o.is_exchange() && o.sent_elements != o.elements) return refuse(s, "sends other elements than it receives");
      const bool is_single = operands.size() == 1;
      const bool gives = is_single && operands[0] == kOwn && o.store == Buffer::none && o.outputs.count > 0;
      const bool takes =
          is_single && operands[0] != kOwn && o.store != Buffer::none && o.is_exchange() == (o.outputs.count > 0);
      if (!is_switch(s) && !gives && !takes) return refuse(s, "does more than read or write a vector");
      if (is_switch(s) &&
          (o.own != Buffer::none || o.store != Buffer::none || o.is_exchange() || o.outputs.count == 0)) {
        return refuse(s, "would have to store data");
      }
      if (!are_neighbours(s)) return refuse(s, "exchanges a stream with a node that it is not linked to");
    }
    return true;
  }

  bool are_neighbours(StepId s) {
    const NodeId node = index_.node_of[at(s)];
    const auto operands = schedule_.operands_of(step(s));
    return std::all_of(operands.begin(), operands.end(), [&](StreamId stream) {
      if (stream == kOwn) return true;
      const NodeId source = schedule_.streams[at(stream)].source;
      return source == node || linked(*as<HyperX>(machine_), source, node);
    });
  }

  /// Whether the step sends something back over a link from which it takes something.
  [[nodiscard]] bool turns(StepId s) const {
    const auto outputs = schedule_.outputs_of(step(s));
    const auto operands = schedule_.operands_of(step(s));
    return std::any_of(outputs.begin(), outputs.end(), [&](StreamId out) {
      const auto sinks = schedule_.sinks_of(schedule_.streams[at(out)]);
      return std::any_of(sinks.begin(), sinks.end(), [&](NodeId sink) {
        return sink >= ranks_ && sink != index_.node_of[at(s)] &&
               std::any_of(operands.begin(), operands.end(),
                           [&](StreamId in) { return schedule_.streams[at(in)].source == sink; });
      });
    });
  }

  void join_steps() {
    for (StepId s = 0; s < steps(); ++s) {
      if (is_switch(s) && !turns(s)) channels_.join(in_side(s), out_side(s));
      for (const StreamId stream : schedule_.operands_of(step(s))) {
        if (stream == kOwn) continue;
        const StepId from = index_.producer[at(stream)];
        collectives_.join(from, s);
        if (index_.node_of[at(from)] != index_.node_of[at(s)]) channels_.join(out_side(from), in_side(s));
      }
    }
  }

  void number_collectives() {
    number_.assign(schedule_.steps.size(), kNone);
    for (StepId s = 0; s < steps(); ++s) {
      if (schedule_.spans.count(step(s).elements) == 0) continue;
      std::int32_t& number = number_[at(collectives_.find(s))];
      if (number == kNone) number = count_++;
    }
    for (StepId s = 0; s < steps(); ++s) {
      const std::int32_t root = collectives_.find(s);
      if (root != s) number_[at(s)] = number_[at(root)];
    }
  }

  /// All cores of a collective give the same elements of one buffer and take them into one.
  bool find_segments() {
    segments_.assign(at(count_), {});
    std::vector<bool> known(at(count_), false), gives(at(count_), false), takes(at(count_), false);
    for (StepId s = 0; s < steps(); ++s) {
      if (number_[at(s)] == kNone) continue;
      const std::size_t c = at(number_[at(s)]);
      const Range range = schedule_.spans.ranges(step(s).elements)[0];
      if (known[c] && segments_[c].elements != range) return refuse(s, "works on other elements than its neighbours");
      known[c] = true;
      segments_[c].elements = range;
      if (is_switch(s)) continue;
      const Buffer given = step(s).is_exchange() ? step(s).sent : step(s).own;
      const auto is_common = [c](Buffer buffer, Buffer& common, std::vector<bool>& seen) {
        if (buffer == Buffer::none) return true;
        if (seen[c] && common != buffer) return false;
        seen[c] = true;
        common = buffer;
        return true;
      };
      if (!is_common(given, segments_[c].from, gives) || !is_common(step(s).store, segments_[c].to, takes)) {
        return refuse(s, "uses another buffer than other cores");
      }
    }
    return true;
  }

  /// Collectives in an order in which cores can do them, each with the lowest id that is above those that it comes after, has
  /// the same segment, and is free at all its switches.
  bool find_ids() {
    if (!find_order()) return false;
    std::vector<std::vector<NodeId>> switches(at(count_));
    for (StepId s = 0; s < steps(); ++s) {
      if (number_[at(s)] != kNone && is_switch(s)) switches[at(number_[at(s)])].push_back(index_.node_of[at(s)]);
    }
    id_.assign(at(count_), kNone);
    std::vector<std::vector<bool>> used;
    for (const std::int32_t c : order_) {
      std::int32_t id = 0;
      for (std::int32_t i = first_after_[at(c)]; i < first_after_[at(c) + 1]; ++i) {
        id = std::max(id, id_[at(after_[at(i)].before)] + 1);
      }
      const auto fits = [&] {
        if (id == static_cast<std::int32_t>(used.size())) return true;
        return found_.segments[at(id)] == segments_[at(c)] &&
               std::none_of(switches[at(c)].begin(), switches[at(c)].end(),
                            [&](NodeId n) { return used[at(id)][at(n - ranks_)]; });
      };
      while (!fits()) ++id;
      if (id == kMostIds) {
        refusal_ = fmt::format("the schedule needs more than {} collective ids", kMostIds);
        return false;
      }
      if (id == static_cast<std::int32_t>(used.size())) {
        used.emplace_back(at(schedule_.node_count - ranks_), false);
        found_.segments.push_back(segments_[at(c)]);
      }
      id_[at(c)] = id;
      for (const NodeId n : switches[at(c)]) used[at(id)][at(n - ranks_)] = true;
    }
    return true;
  }

  /// By the order of steps at every core; refuses a cycle.
  bool find_order() {
    const auto comes_after = [&](StepId later, StepId earlier) {
      const std::int32_t c = number_[at(later)], before = number_[at(earlier)];
      if (c != kNone && before != kNone && c != before)
        after_.push_back({.collective = c, .before = before, .at = later});
    };
    for (NodeId rank = 0; rank < std::min(ranks_, schedule_.node_count); ++rank) {
      for (const Lane& lane : schedule_.lanes_of(rank)) {
        for (StepId s = lane.first; s < lane.first + lane.count; ++s) {
          if (s > lane.first) comes_after(s, s - 1);
          for (const StepId wait : schedule_.waits_of(step(s))) comes_after(s, wait);
        }
      }
    }
    std::stable_sort(after_.begin(), after_.end(),
                     [](const After& a, const After& b) { return a.collective < b.collective; });
    first_after_.assign(at(count_) + 1, 0);
    for (const After& after : after_) ++first_after_[at(after.collective) + 1];
    std::partial_sum(first_after_.begin(), first_after_.end(), first_after_.begin());
    StrongComponents found =
        strong_components(first_after_, [&](std::int32_t edge) { return after_[at(edge)].before; });
    for (const After& after : after_) {
      if (found.component[at(after.collective)] == found.component[at(after.before)]) {
        return refuse(after.at, "runs collectives in a cyclic order");
      }
    }
    order_ = std::move(found.finished);
    return true;
  }

  /// Requests go up to where a step or a loop turns them; responses come from there.
  bool find_channels() {
    std::vector<bool> is_response(channels_count(), false);
    const auto set = [&](std::int32_t side) { is_response[at(channels_.find(side))] = true; };
    for (StepId s = 0; s < steps(); ++s) {
      if (!is_switch(s) || number_[at(s)] == kNone) continue;
      if (channels_.find(in_side(s)) != channels_.find(out_side(s))) set(out_side(s));
      for (const StreamId stream : schedule_.operands_of(step(s))) {
        if (schedule_.streams[at(stream)].source == index_.node_of[at(s)]) set(in_side(s));
      }
    }
    found_.of_step.assign(schedule_.steps.size(), {});
    for (StepId s = 0; s < steps(); ++s) {
      if (!is_switch(s) || number_[at(s)] == kNone) continue;
      const auto channel = [&](std::int32_t side) {
        return is_response[at(channels_.find(side))] ? Channel::response : Channel::request;
      };
      StepRow& step_row = found_.of_step[at(s)];
      step_row = {.id = static_cast<std::int16_t>(id_[at(number_[at(s)])]),
                  .from = channel(in_side(s)),
                  .to = channel(out_side(s))};
      const bool turned = channels_.find(in_side(s)) != channels_.find(out_side(s));
      if (turned && step_row.from == step_row.to) return refuse(s, "turns around what was turned around before");
    }
    return true;
  }

  [[nodiscard]] std::size_t channels_count() const { return 2 * schedule_.steps.size(); }

  const Schedule& schedule_;
  const Machine& machine_;
  NodeId ranks_;
  const ScheduleIndex index_;
  UnionFind channels_;                ///< sides of steps
  UnionFind collectives_;             ///< steps
  std::vector<std::int32_t> number_;  ///< of each step: its collective; kNone: it works on nothing
  std::int32_t count_ = 0;            ///< collectives
  std::vector<Segment> segments_;     ///< of each collective
  std::vector<After> after_;          ///< by collective
  std::vector<std::int32_t>
      first_after_;  ///< collective c comes after after_[first_after_[c]] up to first_after_[c + 1]
  std::vector<std::int32_t> order_;
  std::vector<std::int32_t> id_;  ///< of each collective
  Collectives found_;
  std::string refusal_;
};

}  // namespace

Outcome<Collectives> find_collectives(const Schedule& schedule, const Machine& machine) {
  return Finder(schedule, machine).find();
}

}  // namespace muster::hyperx

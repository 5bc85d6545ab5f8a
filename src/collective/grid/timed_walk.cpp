// Four events of each step, each the latest of what it waits for: depth first, with a stack of our own.
#include "collective/grid/timed_walk.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "collective/grid/beyond_formulas.h"
#include "machine/mesh.h"
#include "schedule/index.h"
#include "schedule/one_destination.h"

namespace muster {

namespace {

constexpr std::int64_t kOpen = -1;     ///< asked for, not known yet
constexpr std::int64_t kUnknown = -2;  ///< not asked for yet

enum Event : std::uint8_t {
  ready,  ///< the step may act: the previous one has ended, and its start-up has passed
  begun,  ///< it uses the first words of its streams, or of its own buffer
  sent,   ///< it sends its last word
  ended,  ///< the first cycle after its last word
};
constexpr std::size_t kEvents = 4;

/// time * part / whole, for part <= whole, where the product may be too large.
std::int64_t share_of(std::int64_t time, std::int64_t part, std::int64_t whole) {
  if (part == 0 || time <= std::numeric_limits<std::int64_t>::max() / part) return time * part / whole;
  const double rest = static_cast<double>(time % whole) * static_cast<double>(part) / static_cast<double>(whole);
  return time / whole * part + static_cast<std::int64_t>(rest);
}

class Walk {
 public:
  Walk(const Schedule& schedule, const Mesh& mesh, std::span<const std::int64_t> starts)
      : schedule_(schedule), mesh_(mesh), index_(schedule), starts_(starts) {
    times_.assign(schedule.steps.size() * kEvents, kUnknown);
    measure_streams();
    measure_steps();
    link_lanes();
  }

  /// When a step has stored the word at that position of its span, or nothing if it waits for itself.
  std::optional<std::int64_t> stored(StepId step, std::int64_t position) {
    if (!settle({step, ended})) return std::nullopt;
    const std::int64_t first = time({step, begun});
    const std::int64_t between = std::max<std::int64_t>(1, words(step) - 1);
    return first + share_of(last_used(step) - first, position, between) + 1;
  }

 private:
  struct Point {
    StepId step = 0;
    Event event = ready;
  };

  void measure_streams() {
    streams_.reserve(schedule_.streams.size());
    for (const Stream& stream : schedule_.streams) {
      StreamMeasures& measures = streams_.emplace_back();
      measures.words = schedule_.spans.count(stream.elements);
      measures.is_multicast = stream.sinks.count > 1;
      if (stream.sinks.count == 1)
        measures.hops = default_hops(mesh_, stream.source, schedule_.sinks_of(stream).front());
    }
  }

  void measure_steps() {
    steps_.reserve(schedule_.steps.size());
    for (const Step& step : schedule_.steps) {
      const auto operands = schedule_.operands_of(step);
      const auto streams = std::count_if(operands.begin(), operands.end(), [](StreamId s) { return is_stream(s); });
      StepMeasures& measures = steps_.emplace_back();
      measures.words = schedule_.spans.count(step.elements);
      measures.takes = measures.words > 0 && streams > 0;
      measures.is_fused = measures.takes && !step.is_exchange();
      const bool is_local = streams == 0 && step.outputs.count == 0;
      measures.interval = is_local       ? mesh_.local_interval.value()
                          : streams == 0 ? 1
                                         : streams * mesh_.receive_interval.value();
    }
    for (StepId step = 0; step < static_cast<StepId>(steps_.size()); ++step) {
      steps_[at(step)].more_starts = more_starts_of(step);
      steps_[at(step)].side = side_of(step);
    }
  }

  void link_lanes() {
    takes_before_.assign(schedule_.steps.size(), -1);
    for (const Lane& lane : schedule_.lanes) {
      StepId last_take = -1;
      for (StepId step = lane.first; step < lane.first + lane.count; ++step) {
        takes_before_[at(step)] = last_take;
        if (takes(step)) last_take = step;
      }
    }
  }

  [[nodiscard]] std::int64_t start_of(NodeId node) const { return starts_.empty() ? 0 : starts_[at(node)]; }
  [[nodiscard]] const Step& of(StepId step) const { return schedule_.steps[at(step)]; }
  [[nodiscard]] std::int64_t words(StepId step) const { return steps_[at(step)].words; }
  [[nodiscard]] std::int64_t words_of_stream(StreamId stream) const { return streams_[at(stream)].words; }
  [[nodiscard]] std::int64_t more_starts(StepId step) const { return steps_[at(step)].more_starts; }
  /// What the start-ups and gaps of a step's pieces but the first take beyond the intervals between words: an instruction
  /// works on one run of elements.
  [[nodiscard]] std::int64_t more_starts_of(StepId step) const {
    const std::int64_t pause = mesh_.operation_start.value() + (takes(step) ? mesh_.receive_gap.value() : 0);
    const std::int64_t each = std::max<std::int64_t>(0, pause - (interval(step) - 1));
    if (each == 0 || of(step).is_exchange()) return 0;
    std::size_t pieces = 1;
    if (of(step).own != Buffer::none) pieces = std::max(pieces, schedule_.spans.ranges(of(step).own_elements).size());
    if (of(step).store != Buffer::none) {
      pieces = std::max(pieces, schedule_.spans.ranges(of(step).store_elements).size());
    }
    return static_cast<std::int64_t>(pieces - 1) * each;
  }
  [[nodiscard]] std::int64_t words_sent(StepId step) const { return schedule_.spans.count(of(step).sent_elements); }
  /// Whether it sends what it takes.
  [[nodiscard]] bool is_fused(StepId step) const { return steps_[at(step)].is_fused; }
  [[nodiscard]] bool takes(StepId step) const { return steps_[at(step)].takes; }
  [[nodiscard]] std::int64_t& time(Point point) { return times_[at(point.step) * kEvents + point.event]; }

  [[nodiscard]] std::int64_t hops(StreamId stream, StepId consumer) const {
    if (!is_multicast(stream)) return streams_[at(stream)].hops;
    return default_hops(mesh_, schedule_.streams[at(stream)].source, index_.node_of[at(consumer)]);
  }
  /// From where the first stream of a step that takes some comes in: x or y, this way or that.
  [[nodiscard]] int side_of(StepId step) const {
    for (const StreamId stream : schedule_.operands_of(of(step))) {
      if (!is_stream(stream)) continue;
      const NodeId source = schedule_.streams[at(stream)].source;
      const NodeId node = index_.node_of[at(step)];
      const bool upright = source / mesh_.width != node / mesh_.width;  // rows first, then columns
      return (upright ? 2 : 0) + (source < node ? 1 : 0);
    }
    return -1;
  }
  [[nodiscard]] std::int64_t latency(StreamId stream, StepId consumer) const {
    return hops(stream, consumer) * mesh_.hop_latency.value() + 2 * mesh_.ramp_latency.value();
  }
  [[nodiscard]] bool is_multicast(StreamId stream) const { return streams_[at(stream)].is_multicast; }
  /// Words that are on their way while a receiver takes none. What waits for one sink of a multicast before its ramp does not
  /// reach the others.
  [[nodiscard]] std::int64_t capacity(StreamId stream, StepId consumer) const {
    const std::int64_t ramp = mesh_.ramp_queue + mesh_.ramp_latency.value();
    if (is_multicast(stream)) return ramp;
    return ramp + (hops(stream, consumer) + 1) * mesh_.router_buffer + mesh_.ramp_latency.value();
  }
  /// A multicast that is held back at a router on its way could as well have left so much earlier.
  [[nodiscard]] std::int64_t held_back(StreamId stream, StepId consumer) const {
    return is_multicast(stream) ? latency(stream, consumer) - mesh_.ramp_latency.value() : 0;
  }
  [[nodiscard]] std::int64_t spread(std::int64_t words) const { return stream_spread(words, mesh_); }
  /// Cycles from one element that a step takes to the next one that its processor takes.
  [[nodiscard]] std::int64_t interval(StepId step) const { return steps_[at(step)].interval; }

  /// Cycles from the first to the last of so many words of a stream that its taker receives.
  [[nodiscard]] std::int64_t drained(std::int64_t words, StepId consumer) const {
    return std::max(spread(words), (words - 1) * interval(consumer));
  }

  template <class Visit>
  void for_each_taken(StepId step, const Visit& visit) const {
    for (const StreamId stream : schedule_.operands_of(of(step))) {
      if (is_stream(stream) && words_of_stream(stream) > 0) visit(stream, index_.producer[at(stream)]);
    }
  }
  template <class Visit>
  void for_each_receiver(StepId step, const Visit& visit) const {
    for (const StreamId stream : schedule_.outputs_of(of(step))) {
      if (words_of_stream(stream) == 0) continue;
      for (const StepId taker : index_.takers.of(stream)) visit(stream, taker);
    }
  }

  /// What an event waits for.
  template <class Visit>
  void for_each_earlier(Point point, const Visit& visit) const {
    const StepId step = point.step;
    switch (point.event) {
      case ready:
        if (const StepId before = index_.before(step); before != kNoStep) visit(Point{before, ended});
        for (const StepId other : schedule_.waits_of(of(step))) visit(Point{other, ended});
        return;
      case begun:
        visit(Point{step, ready});
        for_each_taken(step, [&](StreamId, StepId producer) { visit(Point{producer, first_of(producer)}); });
        return;
      case sent:
        visit(Point{step, first_of(step)});
        if (!of(step).is_exchange()) {
          for_each_taken(step, [&](StreamId, StepId producer) { visit(Point{producer, sent}); });
        }
        for_each_receiver(step, [&](StreamId stream, StepId consumer) {
          if (words_of_stream(stream) > capacity(stream, consumer)) visit(Point{consumer, begun});
        });
        return;
      case ended:
        visit(Point{step, begun});
        visit(Point{step, sent});
        for_each_taken(step, [&](StreamId, StepId producer) { visit(Point{producer, sent}); });
        return;
    }
  }

  /// The event with which a step begins to send.
  [[nodiscard]] Event first_of(StepId step) const { return of(step).is_exchange() ? ready : begun; }
  /// When it sends its first word: an exchange what it has, others what comes, one cycle later.
  std::int64_t first_sent(StepId step) { return time({step, first_of(step)}) + (is_fused(step) ? 1 : 0); }

  std::int64_t evaluate(Point point) {
    const StepId step = point.step;
    switch (point.event) {
      case ready:
        return evaluate_ready(step);
      case begun: {
        std::int64_t begin = time({step, ready});
        if (takes(step) && takes_before_[at(step)] >= 0) {
          const std::int64_t gap = mesh_.receive_gap.value() + mesh_.operation_start.value();
          const StepId before = takes_before_[at(step)];
          begin = std::max(begin, time({before, ended}) + std::max(gap, between(before, step)));
          begin = std::max(begin, last_used(before) + interval(before));
        }
        for_each_taken(step, [&](StreamId stream, StepId producer) {
          begin = std::max(begin, first_sent(producer) + latency(stream, step));
        });
        return begin;
      }
      case sent:
        return evaluate_sent(step);
      case ended:
        return std::max(last_used(step), time({step, sent}) - (is_fused(step) ? 1 : 0)) + (words(step) > 0 ? 1 : 0);
    }
    return 0;
  }

  std::int64_t evaluate_ready(StepId step) {
    const StepId before = index_.before(step);
    std::int64_t begin = before == kNoStep ? start_of(index_.node_of[at(step)]) : time({before, ended});
    for (const StepId other : schedule_.waits_of(of(step))) begin = std::max(begin, time({other, ended}));
    return begin + mesh_.operation_start.value();
  }

  /// Between what two steps of a lane take: what comes from the same side comes on one color, one word behind the other.
  [[nodiscard]] std::int64_t between(StepId before, StepId step) const {
    return steps_[at(before)].side == steps_[at(step)].side ? spread(2) - 1 : 0;
  }

  /// When the last word would be used if the processor had been ready for the first one: a single buffer slows it down. What
  /// waits at the ramp is used without a pause; behind that, words follow over the ramp from the cycle after the first one.
  std::int64_t last_arrived(StepId step) {
    std::int64_t first = 0;
    if (const StepId before = takes_before_[at(step)]; before >= 0) {
      if (steps_[at(before)].side == steps_[at(step)].side) first = time({before, ended}) + spread(2) - 1;
    }
    for_each_taken(step, [&](StreamId stream, StepId producer) {
      first = std::max(first, first_sent(producer) + latency(stream, step));
    });
    const std::int64_t waiting = mesh_.ramp_queue + mesh_.ramp_latency.value();
    const std::int64_t last = first + spread(words(step));
    if (words(step) <= waiting) return last;
    return std::max(last, time({step, begun}) + 1 + mesh_.ramp_latency.value() + spread(words(step) - waiting));
  }

  std::int64_t last_used(StepId step) {
    std::int64_t last =
        time({step, begun}) + std::max<std::int64_t>(0, words(step) - 1) * interval(step) + more_starts(step);
    if (mesh_.router_buffer < 2 && takes(step)) last = std::max(last, last_arrived(step));
    if (of(step).is_exchange()) last = std::max(last, time({step, ready}) + words(step) + words_sent(step) - 1);
    for_each_taken(step, [&](StreamId stream, StepId producer) {
      last = std::max(last, time({producer, sent}) + latency(stream, step));
    });
    return last;
  }

  std::int64_t evaluate_sent(StepId step) {
    std::int64_t last = 0;
    for_each_receiver(step, [&](StreamId stream, StepId consumer) {
      const std::int64_t count = words_of_stream(stream);
      last = std::max(last, first_sent(step) + spread(count) + more_starts(step));
      const std::int64_t left = count - capacity(stream, consumer);
      if (left > 0)
        last = std::max(last, time({consumer, begun}) + drained(left, consumer) - held_back(stream, consumer));
    });
    if (last > 0 && is_fused(step)) last = std::max(last, last_used(step) + 1);
    return last;
  }

  /// Evaluates a point and all that it waits for. False if one of them waits for itself.
  bool settle(Point wanted) {
    std::vector<Point> stack{wanted};
    while (!stack.empty()) {
      const Point point = stack.back();
      std::int64_t& known = time(point);
      if (known >= 0) {
        stack.pop_back();
        continue;
      }
      bool complete = true;
      bool is_cycle = false;
      const bool asked_before = known == kOpen;
      for_each_earlier(point, [&](Point earlier) {
        if (time(earlier) >= 0) return;
        complete = false;
        is_cycle = is_cycle || asked_before;
        stack.push_back(earlier);
      });
      if (is_cycle) return false;
      known = complete ? evaluate(point) : kOpen;
    }
    return true;
  }

  /// What the events ask for again and again.
  struct StepMeasures {
    std::int64_t words = 0;
    std::int64_t interval = 1;     ///< cycles from one element that it takes to the next one
    std::int64_t more_starts = 0;  ///< see more_starts_of
    int side = -1;                 ///< see side_of
    bool takes = false;
    bool is_fused = false;
  };
  struct StreamMeasures {
    std::int64_t words = 0;
    std::int64_t hops = 0;  ///< to its sink, if it has one
    bool is_multicast = false;
  };

  const Schedule& schedule_;
  const Mesh& mesh_;
  const ScheduleIndex index_;
  const std::span<const std::int64_t> starts_;
  std::vector<StepMeasures> steps_;
  std::vector<StreamMeasures> streams_;
  std::vector<StepId> takes_before_;  ///< the last step before it in its lane that took from a stream, or -1
  std::vector<std::int64_t> times_;
};

/// What a node owes in a buffer: ranges in order that do not touch.
struct Owing {
  Buffer buffer = Buffer::none;
  std::vector<Range> ranges;
};

Owing owing(const Contract& contract, std::size_t rank) {
  Owing owes{.buffer = contract.to, .ranges = {}};
  for (const Owed& owed : owed_after(contract, static_cast<std::int32_t>(rank))) owes.ranges.push_back(owed.range);
  std::sort(owes.ranges.begin(), owes.ranges.end());
  std::vector<Range> merged;
  for (const Range& range : owes.ranges) {
    if (merged.empty() || merged.back().end() < range.first) {
      merged.push_back(range);
    } else {
      merged.back().count = std::max(merged.back().end(), range.end()) - merged.back().first;
    }
  }
  owes.ranges = std::move(merged);
  return owes;
}

/// The position in a span of its last element that is owed, or -1.
std::int64_t last_owed(std::span<const Range> span, const std::vector<Range>& owed) {
  std::int64_t last = -1;
  std::int64_t before = 0;
  for (const Range& range : span) {
    for (const Range& owed_range : owed) {
      const std::int64_t end = std::min(range.end(), owed_range.end());
      if (end > std::max(range.first, owed_range.first)) last = std::max(last, before + end - 1 - range.first);
    }
    before += range.count;
  }
  return last;
}

}  // namespace

std::optional<Cycles> walked_cycles(const Schedule& schedule, const Mesh& mesh, std::span<const std::int64_t> starts) {
  if (!schedule.is_flat()) return std::nullopt;
  if (const auto split = with_one_destination(schedule)) return walked_cycles(*split, mesh, starts);
  Walk walk(schedule, mesh, starts);
  std::int64_t last = 0;
  for (const Contract& contract : schedule.contracts) {
    for (std::size_t rank = 0; rank < contract.ranks.size(); ++rank) {
      const Owing owes = owing(contract, rank);
      for (const Lane& lane : schedule.lanes_of(contract.ranks[rank])) {
        for (StepId id = lane.first; id < lane.first + lane.count; ++id) {
          const Step& step = schedule.steps[at(id)];
          if (step.store != owes.buffer) continue;
          const std::int64_t position = last_owed(schedule.spans.ranges(step.store_elements), owes.ranges);
          const auto stored = position < 0 ? std::optional<std::int64_t>(0) : walk.stored(id, position);
          if (!stored) return std::nullopt;
          last = std::max(last, *stored);
        }
      }
    }
  }
  return Cycles(last);
}

}  // namespace muster

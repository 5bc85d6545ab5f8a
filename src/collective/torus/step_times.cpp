#include "collective/torus/step_times.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>

#include "collective/torus/stream_links.h"
#include "collective/torus/tile_blocks.h"
#include "machine/torus.h"
#include "schedule/arithmetic.h"
#include "schedule/index.h"

namespace muster {
namespace {

/// Runs the steps in the order of time.
class StepTimes {
 public:
  StepTimes(const Schedule& flat, const Request& request)
      : flat_(flat),
        torus_(*as<Torus>(request.machine)),
        index_(flat),
        waiting_(waiting_steps(flat)),
        links_(flat, torus_, request.options.of<TorusOptions>().swapped),
        link_free_(links_.links()),
        tree_free_(links_.links()),
        ranks_(rank_count(torus_)),
        tile_words_(tile_words(request)),
        cycles_per_tile_(cycles(2 * tile_words_ == torus_.compute.tile_elements ? torus_.compute.tile_16bit
                                                                                : torus_.compute.tile_32bit)),
        tiles_(at(flat.node_count)),
        steps_(flat.steps.size()),
        stored_(flat.streams.size(), kNever) {}

  Cycles end() {
    for (StepId id = 0; id < std::ssize(steps_); ++id) {
      const Step& step = flat_.steps[at(id)];
      steps_[at(id)].earlier = step.waits.count + (index_.before(id) == kNoStep ? 0 : 1);
      for (const StreamId operand : flat_.operands_of(step)) {
        if (operand != kOwn && carries_data(flat_, operand)) ++steps_[at(id)].streams;
      }
      if (steps_[at(id)].earlier == 0) add(0, What::begin, id);
    }
    Time last = 0;
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      last = std::max(last, event.time);
      handle(event);
    }
    return Cycles(static_cast<std::int64_t>(std::llround(last)));
  }

 private:
  using Time = double;
  static constexpr Time kNever = -1;

  enum class What : std::uint8_t { begin, delivered, seen, run, done };
  struct Event {
    Time time = 0;
    std::int64_t order = 0;  ///< events of the same time in the order in which they were added
    What what = What::begin;
    StepId step = 0;
    StreamId stream = 0;
    bool operator>(const Event& other) const { return time != other.time ? time > other.time : order > other.order; }
  };
  struct StepState {
    std::int32_t earlier = 0;  ///< steps that have to finish before it begins
    std::int32_t streams = 0;  ///< that have not arrived
    bool has_begun = false;
  };
  /// What a tile has one of for each NoC, its compute processor, and the memory of a DRAM bank: free from then on.
  struct Tile {
    Time processor[2] = {0, 0};
    Time out[2] = {0, 0};
    Time in[2] = {0, 0};
    Time compute = 0;
    Time memory = 0;
  };

  void add(Time time, What what, StepId step, StreamId stream = 0) {
    events_.push({.time = time, .order = added_++, .what = what, .step = step, .stream = stream});
  }

  void handle(const Event& event) {
    switch (event.what) {
      case What::begin:
        return begin(event.step, event.time);
      case What::delivered:
        return deliver(event);
      case What::seen:
        --steps_[at(event.step)].streams;
        return run_if_ready(event.step, event.time);
      case What::run:
        return run(event.step, event.time);
      case What::done:
        return finish(event.step, event.time);
    }
  }

  void begin(StepId id, Time now) {
    steps_[at(id)].has_begun = true;
    const Step& step = flat_.steps[at(id)];
    if (step.is_exchange()) send_all(id, now);
    for (const StreamId operand : flat_.operands_of(step)) {
      const bool is_read = operand != kOwn && carries_data(flat_, operand) && is_bank(source_of(operand));
      if (is_read) add(read(operand, index_.node_of[at(id)], now), What::seen, id, operand);
    }
    run_if_ready(id, now);
  }

  void run_if_ready(StepId id, Time now) {
    if (steps_[at(id)].has_begun && steps_[at(id)].streams == 0) add(now, What::run, id);
  }

  void run(StepId id, Time now) {
    const Step& step = flat_.steps[at(id)];
    const NodeId node = index_.node_of[at(id)];
    const bool copies = step.operands.count == 1 && step.own != Buffer::none && step.store != Buffer::none;
    const double operations = copies ? 1 : step.operands.count - 1;
    if (operations == 0 || is_bank(node)) return add(now, What::done, id);
    const std::int64_t words = flat_.spans.count(step.elements);
    if (words <= kWordsInSoftware && !copies) {  // a dataflow processor does it
      return add(now + operations * static_cast<Time>(words) * cycles(torus_.compute.word), What::done, id);
    }
    double tiles = 0;
    for (const Range& range : flat_.spans.ranges(step.elements)) {
      tiles += std::ceil(static_cast<double>(range.count) / static_cast<double>(tile_words_));
    }
    Time& free = tiles_[at(node)].compute;
    free = std::max(free, now) + operations * (cycles(torus_.compute.start) + tiles * cycles_per_tile_) + 2 * token();
    add(free + token(), What::done, id);
  }

  void finish(StepId id, Time now) {
    const Time until = flat_.steps[at(id)].is_exchange() ? now : std::max(now, send_all(id, now));
    const auto finished = [&](StepId behind) {
      if (--steps_[at(behind)].earlier == 0) add(until, What::begin, behind);
    };
    if (const StepId behind = index_.behind(id); behind != kNoStep) finished(behind);
    for (const StepId behind : waiting_.of(id)) finished(behind);
  }

  /// Until when the step lasts because of what it sends.
  Time send_all(StepId step, Time now) {
    Time until = 0;
    for (const StreamId stream : flat_.outputs_of(flat_.steps[at(step)])) {
      if (!carries_data(flat_, stream)) continue;
      if (is_bank(source_of(stream))) {
        stored_[at(stream)] = now;
      } else if (flat_.streams[at(stream)].sinks.count > 1) {
        multicast(stream, now);
      } else {
        until = std::max(until, write(stream, now));
      }
    }
    return until;
  }

  /// Returns when a write to DRAM is acknowledged.
  Time write(StreamId stream, Time now) {
    const NodeId source = source_of(stream), sink = flat_.sinks_of(flat_.streams[at(stream)])[0];
    const int noc = links_.noc(stream);
    Tile& from = tiles_[at(source)];
    const Time issued = std::max(now, from.processor[noc]) + cycles(torus_.issue.write);
    from.processor[noc] = issued + cycles(torus_.issue.write) * (calls(stream) - 1) + cycles(torus_.issue.atomic);
    const Time start = std::max(issued, from.out[noc]);
    from.out[noc] = start + transfer(stream, torus_.interface.write_rate);
    const Time last_byte = std::max(go(stream, start) + transfer(stream, torus_.interface.write_rate),
                                    from.processor[noc] + way(noc, source, sink));
    const StepId taker = index_.takers.of(stream)[0];
    if (!is_bank(sink)) {
      add(last_byte, What::delivered, taker, stream);
      return 0;
    }
    Time& memory = tiles_[at(sink)].memory;
    memory = std::max(last_byte, memory + transfer(stream, torus_.dram.rate));
    add(memory, What::seen, taker, stream);
    return memory + way(noc, sink, source) + 2 * cycles(torus_.interface.acknowledge) + cycles(torus_.issue.barrier);
  }

  /// When the first byte of a message is there: on each link, it waits until those before it have passed.
  Time go(StreamId stream, Time start) {
    Time first = start + fixed_latency();
    const Time bytes = transfer(stream, torus_.interface.write_rate);
    links_.for_each(stream, [&](std::size_t link) {
      Time& free = link_free_[link];
      first = std::max(first, free);
      free = first + bytes;
      first += cycles(torus_.hop_latency);
    });
    return first;
  }

  /// The last byte is there. A tile takes one stream after another on each NoC, and then sees its counter.
  void deliver(const Event& event) {
    const int noc = links_.noc(event.stream);
    Tile& tile = tiles_[at(index_.node_of[at(event.step)])];
    Time& in = tile.in[noc];
    in = std::max(event.time, in + transfer(event.stream, torus_.interface.write_rate));
    // The processor that does not send in this step looks for it and passes it on.
    Time& listener = tile.processor[noc];
    listener = std::max(listener, in + cycles(torus_.atomic_latency)) + cycles(torus_.issue.barrier) + token();
    add(listener, What::seen, event.step, event.stream);
  }

  /// A core's read from a bank: there, and back on the same NoC. The core has made sure that the data is there.
  Time read(StreamId stream, NodeId reader, Time now) {
    const NodeId source = source_of(stream);
    const int noc = links_.noc(stream);
    Tile& to = tiles_[at(reader)];
    Time& memory = tiles_[at(source)].memory;
    to.processor[noc] = std::max(now, to.processor[noc]) + cycles(torus_.issue.read) * calls(stream);
    const Time asked = std::max(to.processor[noc] + way(noc, reader, source), stored_[at(stream)]);
    memory = std::max(asked + cycles(torus_.dram.latency), memory) + transfer(stream, torus_.dram.rate);
    to.in[noc] = std::max(memory + way(noc, source, reader), to.in[noc] + transfer(stream, torus_.interface.read_rate));
    return to.in[noc] + cycles(torus_.issue.barrier);
  }

  void multicast(StreamId stream, Time now) {
    const NodeId source = source_of(stream);
    const int noc = links_.noc(stream);
    Time farthest = 0;
    for (const NodeId sink : flat_.sinks_of(flat_.streams[at(stream)])) {
      farthest = std::max(farthest, way(noc, source, sink));
    }
    const double depth = (farthest - fixed_latency()) / std::max(1.0, cycles(torus_.hop_latency));
    const Time reserved = cycles(torus_.interface.reservation) + cycles(torus_.interface.reservation_per_hop) * depth;
    Tile& from = tiles_[at(source)];
    const Time issued = std::max(now, from.processor[noc]) + cycles(torus_.issue.multicast);
    from.processor[noc] = issued + cycles(torus_.issue.multicast) * calls(stream);
    // The counter is set by a multicast of its own.
    const std::vector<std::size_t> tree = tree_of(stream);
    Time start = issued;
    for (const std::size_t link : tree) start = std::max(start, tree_free_[link]);
    const Time end = start + 2 * reserved + transfer(stream, torus_.interface.write_rate);
    for (const std::size_t link : tree) tree_free_[link] = end;
    for (const StepId taker : index_.takers.of(stream)) {
      add(end + way(noc, source, index_.node_of[at(taker)]), What::delivered, taker, stream);
    }
  }

  /// The links of a multicast.
  [[nodiscard]] std::vector<std::size_t> tree_of(StreamId stream) const {
    std::vector<std::size_t> links;
    for (const NodeId sink : flat_.sinks_of(flat_.streams[at(stream)])) {
      links_.for_each(stream, sink, [&](std::size_t link) { links.push_back(link); });
    }
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
    return links;
  }

  [[nodiscard]] NodeId source_of(StreamId stream) const { return flat_.streams[at(stream)].source; }
  [[nodiscard]] bool is_bank(NodeId node) const { return node >= ranks_; }
  [[nodiscard]] static Time cycles(Cycles value) { return static_cast<Time>(value.value()); }
  [[nodiscard]] Time token() const { return cycles(torus_.issue.token); }
  [[nodiscard]] Time fixed_latency() const {
    return cycles(torus_.interface.memory_latency) + 2 * cycles(torus_.interface_latency);
  }
  [[nodiscard]] Time way(int noc, NodeId from, NodeId to) const {
    return fixed_latency() + cycles(torus_.hop_latency) * static_cast<Time>(hops_on(torus_, noc, from, to));
  }
  [[nodiscard]] Time transfer(StreamId stream, double rate) const {
    return static_cast<Time>(links_.bytes(stream)) / rate;
  }
  /// For the pieces and packets of a message.
  [[nodiscard]] double calls(StreamId stream) const {
    double count = 0;
    for (const Range& range : flat_.spans.ranges(flat_.streams[at(stream)].elements)) {
      count += std::ceil(static_cast<double>(range.count) * sizeof(Word) / static_cast<double>(torus_.packet.value()));
    }
    return count;
  }

  const Schedule& flat_;
  const Torus& torus_;
  ScheduleIndex index_;
  Adjacency waiting_;  ///< for each step
  StreamLinks links_;
  std::vector<Time> link_free_;  ///< by link
  std::vector<Time> tree_free_;  ///< by link: multicasts have reserved it until then
  NodeId ranks_;
  std::int64_t tile_words_;
  double cycles_per_tile_;
  std::vector<Tile> tiles_;
  std::vector<StepState> steps_;
  std::vector<Time> stored_;  ///< of streams from banks: since when
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::int64_t added_ = 0;
};

}  // namespace

Cycles predicted_by_steps(const Schedule& flat, const Request& request) { return StepTimes(flat, request).end(); }

}  // namespace muster

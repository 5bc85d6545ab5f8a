#include "collective/torus/step_times.h"

#include <algorithm>
#include <cmath>

#include "base/time_wheel.h"
#include "collective/torus/span_sizes.h"
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
        sizes_(flat, torus_, tile_words(request)),
        link_free_(links_.links()),
        link_source_(links_.links()),
        tree_free_(links_.links()),
        ranks_(rank_count(torus_)),
        cycles_per_tile_(cycles(2 * tile_words(request) == torus_.compute.tile_elements ? torus_.compute.tile_16bit
                                                                                        : torus_.compute.tile_32bit)),
        tiles_(at(flat.node_count)),
        steps_(flat.steps.size()),
        stored_(flat.streams.size(), kNever) {}

  Cycles end() {
    find_awaited();
    for (StepId id = 0; id < std::ssize(steps_); ++id) {
      const Step& step = flat_.steps[at(id)];
      steps_[at(id)].earlier = step.waits.count + (index_.before(id) == kNoStep ? 0 : 1);
      for (const StreamId operand : flat_.operands_of(step)) {
        if (is_stream(operand) && carries_data(flat_, operand)) ++steps_[at(id)].streams;
      }
      if (steps_[at(id)].earlier == 0) add(0, What::begin, id);
    }
    Time last = 0;
    while (!events_.empty()) {
      last = events_.next();
      handle(events_.take(), last);
    }
    return Cycles(last);
  }

 private:
  using Time = std::int64_t;  ///< in cycles
  static constexpr Time kNever = -1;

  enum class What : std::uint8_t { begin, delivered, seen, run, done };
  struct Event {
    What what = What::begin;
    StepId step = 0;
    StreamId stream = 0;
  };
  struct StepState {
    std::int32_t earlier = 0;  ///< steps that have to finish before it begins
    std::int32_t streams = 0;  ///< that have not arrived
    bool has_begun = false;
    bool is_awaited = false;  ///< it, or a step after it, uses what it takes before the end
  };
  /// What a tile has one of for each NoC, its compute processor, and the memory of a DRAM bank: free from then on.
  struct Tile {
    Time processor[2] = {0, 0};
    Time out[2] = {0, 0};
    Time in[2] = {0, 0};
    Time compute = 0;
    Time memory = 0;
  };

  void find_awaited() {
    for (StepId id = static_cast<StepId>(std::ssize(steps_)) - 1; id >= 0; --id) {
      const Step& step = flat_.steps[at(id)];
      const StepId behind = index_.behind(id);
      steps_[at(id)].is_awaited = step.operands.count > 1 || step.outputs.count > 0 || !waiting_.of(id).empty() ||
                                  (behind != kNoStep && steps_[at(behind)].is_awaited);
    }
  }

  void add(Time time, What what, StepId step, StreamId stream = 0) {
    events_.add(time, {.what = what, .step = step, .stream = stream});
  }

  void handle(const Event& event, Time now) {
    switch (event.what) {
      case What::begin:
        return begin(event.step, now);
      case What::delivered:
        return deliver(event.step, event.stream, now);
      case What::seen:
        --steps_[at(event.step)].streams;
        return run_if_ready(event.step, now);
      case What::run:
        return run(event.step, now);
      case What::done:
        return finish(event.step, now);
    }
  }

  void begin(StepId id, Time now) {
    steps_[at(id)].has_begun = true;
    const Step& step = flat_.steps[at(id)];
    if (step.is_exchange()) send_all(id, now);
    for (const StreamId operand : flat_.operands_of(step)) {
      const bool is_read = is_stream(operand) && carries_data(flat_, operand) && is_bank(source_of(operand));
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
    const Time operations = copies ? 1 : step.operands.count - 1;
    if (operations == 0 || is_bank(node)) return add(now, What::done, id);
    const std::int64_t words = flat_.spans.count(step.elements);
    if (words <= kWordsInSoftware && !copies) {  // a dataflow processor does it
      return add(now + operations * words * cycles(torus_.compute.word), What::done, id);
    }
    const SpanSize& size = sizes_.of(step.elements);
    Time& free = tiles_[at(node)].compute;
    free = std::max(free, now) +
           operations * (size.ranges * cycles(torus_.compute.start) + size.tiles * cycles_per_tile_) + 2 * token();
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

  /// When the first byte of a message is there: on each link, it waits until those before it have passed. A link that one message
  /// waits for while another has it loses time.
  Time go(StreamId stream, Time start) {
    Time first = start + fixed_latency();
    const Time bytes = transfer(stream, torus_.interface.write_rate);
    const Time lost = contention(stream, bytes);
    const NodeId source = source_of(stream);
    links_.for_each(stream, [&](std::size_t link) {
      Time& free = link_free_[link];
      if (free > first && link_source_[link] != source) free += lost;
      link_source_[link] = source;
      first = std::max(first, free);
      free = first + bytes;
      first += cycles(torus_.hop_latency);
    });
    return first;
  }

  [[nodiscard]] Time contention(StreamId stream, Time bytes) const {
    Time lost = cycles(torus_.hand_over);
    if (torus_.contended_flits > 0) {
      const Time flits = size_of(stream).bytes / torus_.flit.value();
      lost += std::max<Time>(flits + flits / torus_.contended_flits - bytes, 0);
    }
    return lost;
  }

  /// The last byte is there. A tile takes one stream after another on each NoC, and then sees its counter.
  void deliver(StepId step, StreamId stream, Time now) {
    const int noc = links_.noc(stream);
    Tile& tile = tiles_[at(index_.node_of[at(step)])];
    Time& in = tile.in[noc];
    in = std::max(now, in + transfer(stream, torus_.interface.write_rate));
    if (!steps_[at(step)].is_awaited) {
      return add(in + cycles(torus_.atomic_latency) + cycles(torus_.issue.barrier), What::seen, step, stream);
    }
    // The processor that does not send in this step looks for it and passes it on.
    Time& listener = tile.processor[noc];
    listener = std::max(listener, in + cycles(torus_.atomic_latency)) + cycles(torus_.issue.barrier) + token();
    add(listener, What::seen, step, stream);
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
    const Time depth = (farthest - fixed_latency()) / std::max<Time>(1, cycles(torus_.hop_latency));
    const Time reserved = cycles(torus_.interface.reservation) + cycles(torus_.interface.reservation_per_hop) * depth;
    Tile& from = tiles_[at(source)];
    const Time issued = std::max(now, from.processor[noc]) + cycles(torus_.issue.multicast);
    from.processor[noc] = issued + cycles(torus_.issue.multicast) * calls(stream);
    // The counter is set by a multicast that follows on the same path. A path that is taken is tried again and again: it is found free half
    // a try later.
    const std::vector<std::size_t> tree = tree_of(stream);
    Time start = issued + reserved;
    for (const std::size_t link : tree) start = std::max(start, tree_free_[link] + reserved / 2);
    const Time end = start + transfer(stream, torus_.interface.write_rate) + cycles(torus_.issue.multicast);
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
  [[nodiscard]] static Time cycles(Cycles value) { return value.value(); }
  [[nodiscard]] Time token() const { return cycles(torus_.issue.token); }
  [[nodiscard]] Time fixed_latency() const {
    return cycles(torus_.interface.memory_latency) + 2 * cycles(torus_.interface_latency);
  }
  [[nodiscard]] Time way(int noc, NodeId from, NodeId to) const {
    return fixed_latency() + cycles(torus_.hop_latency) * links_.hops(noc, from, to);
  }
  [[nodiscard]] Time transfer(StreamId stream, double rate) const {
    return std::llround(static_cast<double>(size_of(stream).bytes) / rate);
  }
  [[nodiscard]] Time calls(StreamId stream) const { return size_of(stream).packets; }
  [[nodiscard]] const SpanSize& size_of(StreamId stream) const { return sizes_.of(flat_.streams[at(stream)].elements); }

  const Schedule& flat_;
  const Torus& torus_;
  ScheduleIndex index_;
  Adjacency waiting_;  ///< for each step
  StreamLinks links_;
  SpanSizes sizes_;
  std::vector<Time> link_free_;      ///< by link
  std::vector<NodeId> link_source_;  ///< by link: of the message before
  std::vector<Time> tree_free_;      ///< by link: multicasts have reserved it until then
  NodeId ranks_;
  Time cycles_per_tile_;
  std::vector<Tile> tiles_;
  std::vector<StepState> steps_;
  std::vector<Time> stored_;  ///< of streams from banks: since when
  TimeWheel<Event> events_;
};

}  // namespace

Cycles predicted_by_steps(const Schedule& flat, const Request& request) { return StepTimes(flat, request).end(); }

}  // namespace muster

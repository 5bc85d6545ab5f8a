// Rounds of messages between cores: when each step begins and ends, and what it computes.
#include <algorithm>
#include <deque>
#include <numeric>

#include "backend/hyperx/data.h"
#include "backend/hyperx/host_memories.h"
#include "backend/hyperx/host_program.h"
#include "backend/hyperx/host_timeline.h"
#include "base/index.h"
#include "machine/hyperx.h"
#include "machine/routing.h"
#include "result/time_base.h"
#include "schedule/index.h"

namespace muster::hyperx {
namespace {

constexpr std::int64_t kUnknown = -1;

using Parts = HostStep::Parts;

class Rounds {
 public:
  /// `memories`: null if no data is computed.
  Rounds(const HostProgram& program, const SimulateOptions& options, HostMemories* memories)
      : program_(program),
        schedule_(program.schedule),
        options_(options),
        memories_(memories),
        index_(schedule_),
        waiting_(waiting_steps(schedule_)),
        begin_(schedule_.steps.size(), kUnknown),
        end_(schedule_.steps.size(), kUnknown),
        waited_for_(schedule_.steps.size(), kNoStep) {
    for (const Lane& lane : schedule_.lanes) {
      if (lane.count > 0) ready_.push_back(lane.first);
    }
  }

  Result run() {
    while (!ready_.empty()) {
      const StepId s = ready_.front();
      ready_.pop_front();
      try_step(s);
    }
    Result result{.engine = "rounds", .note = ""};
    if (const auto stuck = std::find(end_.begin(), end_.end(), kUnknown); stuck != end_.end()) {
      const auto s = static_cast<StepId>(stuck - end_.begin());
      result.fault = Fault{.kind = "deadlock",
                           .location = node_text(program_.machine, index_.node_of[at(s)]),
                           .cycle = Ticks(0),
                           .message = "waits for a message that is never sent",
                           .time = seconds(*std::max_element(end_.begin(), end_.end()))};
      return result;
    }
    measure(result);
    return result;
  }

 private:
  [[nodiscard]] StepId steps() const { return static_cast<StepId>(schedule_.steps.size()); }
  [[nodiscard]] const Step& step(StepId s) const { return schedule_.steps[at(s)]; }
  [[nodiscard]] static Seconds seconds(std::int64_t time) {
    return to_seconds(Ticks(std::max<std::int64_t>(time, 0)), kPicoseconds);
  }

  [[nodiscard]] StreamId taken(StepId s) const {
    for (const StreamId id : schedule_.operands_of(step(s))) {
      if (id != kOwn) return id;
    }
    return kOwn;
  }

  void try_step(StepId s) {
    if (begin_[at(s)] == kUnknown && !find_begin(s)) return;
    if (end_[at(s)] != kUnknown) return;
    std::int64_t start = begin_[at(s)];
    waited_for_[at(s)] = s;
    if (const StreamId id = taken(s); id != kOwn && schedule_.spans.count(schedule_.streams[at(id)].elements) > 0) {
      const StepId sender = index_.producer[at(id)];
      if (begin_[at(sender)] == kUnknown) return;
      if (begin_[at(sender)] > start) {
        start = begin_[at(sender)];
        waited_for_[at(s)] = sender;
      }
    }
    end_[at(s)] = start + parts_of(s).sum();
    if (memories_ != nullptr) memories_->finish(index_.node_of[at(s)], step(s));
    if (const StepId next = index_.behind(s); next != kNoStep) ready_.push_back(next);
    for (const StepId waiting : waiting_.of(s)) ready_.push_back(waiting);
  }

  /// When the core is through with what comes before; then those that take from it may continue.
  bool find_begin(StepId s) {
    const std::int64_t late = index_.before(s) == kNoStep ? late_of(index_.node_of[at(s)]) : end_[at(index_.before(s))];
    if (late == kUnknown) return false;
    std::int64_t begin = late;
    for (const StepId wait : schedule_.waits_of(step(s))) {
      if (end_[at(wait)] == kUnknown) return false;
      begin = std::max(begin, end_[at(wait)]);
    }
    begin_[at(s)] = begin;
    if (memories_ != nullptr) memories_->send(index_.node_of[at(s)], step(s));
    for (const StreamId id : schedule_.outputs_of(step(s))) ready_.push_back(index_.takers.of(id).back());
    return true;
  }

  [[nodiscard]] std::int64_t late_of(NodeId rank) const {
    const auto& late = options_.options.of<HyperXOptions>().late;
    const auto found = late.find(rank);
    return found == late.end() ? 0 : picoseconds(found->second.value()).value();
  }

  [[nodiscard]] double slow_of(NodeId rank) const {
    const auto& slow = options_.options.of<HyperXOptions>().slow;
    const auto found = slow.find(rank);
    return found == slow.end() ? 1 : found->second;
  }

  /// What memory reads and writes; what a core only sends is counted where it is taken.
  [[nodiscard]] double memory_bytes(StepId s) const {
    const HyperX::Host& host = *program_.network().host;
    const Step& o = step(s);
    const std::int64_t words = schedule_.spans.count(o.elements);
    double passes = 0;
    if (taken(s) != kOwn && words > 0) {
      const std::int64_t sent = o.is_exchange() ? schedule_.spans.count(o.sent_elements) : 0;
      passes = static_cast<double>(host.message_passes) * static_cast<double>(std::max(sent, words));
      if (o.own != Buffer::none) passes += static_cast<double>(host.reduction_passes) * static_cast<double>(words);
    } else if (o.store != Buffer::none) {
      passes = 2.0 * static_cast<double>(words);  // a copy
    }
    return passes * sizeof(Word);
  }

  [[nodiscard]] Parts parts_of(StepId s) const {
    const HyperX& network = program_.network();
    const HyperX::Host& host = *network.host;
    Parts parts;
    if (const StreamId id = taken(s); id != kOwn && schedule_.spans.count(step(s).elements) > 0) {
      parts.overhead = picoseconds(host.round_overhead.value()).value();
      parts.network =
          host.traversals * route_latency(network, schedule_.streams[at(id)].source, index_.node_of[at(s)]).value();
    }
    parts.memory =
        picoseconds(memory_bytes(s) / network.memory_bandwidth.value() * slow_of(index_.node_of[at(s)])).value();
    return parts;
  }

  void measure(Result& result) {
    const std::int64_t last = end_.empty() ? 0 : *std::max_element(end_.begin(), end_.end());
    result.cycles = Ticks(last);
    result.seconds = seconds(last);
    for (int call = 1; call <= options_.calls; ++call) result.call_cycles.push_back(Ticks(last) * call);
    result.parts = parts_of_path(last);
    count_traffic(result, last);
    auto& times = result.node_times.emplace_back(at(node_count(program_.machine)));
    for (StepId s = 0; s < steps(); ++s) {
      NodeTimes& node = times[at(index_.node_of[at(s)])];
      node.finished = std::max(node.finished, Ticks(end_[at(s)]));
      if (step(s).store != Buffer::none) node.owed = std::max(node.owed, Ticks(end_[at(s)]));
    }
    if (!options_.timeline) return;
    std::vector<HostStep> all;
    for (StepId s = 0; s < steps(); ++s) all.push_back(host_step(s));
    result.timeline = timeline_of_hosts(all, path_back_from(last));
  }

  [[nodiscard]] HostStep host_step(StepId s) const {
    const StreamId id = taken(s);
    return {.core = index_.node_of[at(s)],
            .from = id == kOwn ? index_.node_of[at(s)] : schedule_.streams[at(id)].source,
            .begin = end_[at(s)] - parts_of(s).sum(),
            .parts = parts_of(s),
            .words = schedule_.spans.count(step(s).elements)};
  }

  /// Back from the step that ends last, over what each waited for: the last one first.
  [[nodiscard]] std::vector<StepId> path_back_from(std::int64_t last) const {
    std::vector<StepId> path;
    const auto found = std::find(end_.begin(), end_.end(), last);
    StepId s = found == end_.end() ? kNoStep : static_cast<StepId>(found - end_.begin());
    while (s != kNoStep) {
      path.push_back(s);
      const StepId from = waited_for_[at(s)];
      StepId previous = index_.before(from);
      for (const StepId wait : schedule_.waits_of(step(from))) {
        if (previous == kNoStep || end_[at(wait)] > end_[at(previous)]) previous = wait;
      }
      s = previous;
    }
    return path;
  }

  [[nodiscard]] std::vector<TimePart> parts_of_path(std::int64_t last) const {
    Parts all;
    for (const StepId s : path_back_from(last)) {
      const Parts here = parts_of(s);
      all.overhead += here.overhead;
      all.network += here.network;
      all.memory += here.memory;
    }
    const auto part = [](const char* name, std::int64_t time) {
      return TimePart{.name = name, .seconds = to_seconds(Ticks(time), kPicoseconds)};
    };
    return {part("network", all.network), part("memory", all.memory),
            part("software", last - all.network - all.memory)};
  }

  void count_traffic(Result& result, std::int64_t last) const {
    std::vector<std::int64_t> in(at(rank_count(program_.machine)), 0), out(in);
    std::int64_t most = 0, links = 0;
    for (const Stream& stream : schedule_.streams) {
      const std::int64_t words = schedule_.spans.count(stream.elements);
      for (const NodeId sink : schedule_.sinks_of(stream)) {
        links += words * default_hops(program_.machine, stream.source, sink);
        in[at(sink)] += words;
      }
      out[at(stream.source)] += words;
    }
    for (std::size_t r = 0; r < in.size(); ++r) most = std::max({most, in[r], out[r]});
    std::vector<std::int64_t> busy(in.size(), 0);
    double bytes = 0;
    for (StepId s = 0; s < steps(); ++s) {
      busy[at(index_.node_of[at(s)])] += parts_of(s).memory;
      bytes += memory_bytes(s);
    }
    result.hops = links;
    result.max_port_load = most;
    const double time = static_cast<double>(last) * static_cast<double>(in.size());
    const auto all_busy = static_cast<double>(std::accumulate(busy.begin(), busy.end(), std::int64_t{0}));
    result.utilization = time > 0 ? all_busy / time : 0;
    const auto busiest = std::max_element(busy.begin(), busy.end());
    result.resources.push_back({.name = "memory",
                                .bytes = Bytes(static_cast<std::int64_t>(bytes)),
                                .busy = seconds(*busiest),
                                .utilization = result.utilization,
                                .busiest = fmt::format("core {}", busiest - busy.begin())});
  }

  const HostProgram& program_;
  const Schedule& schedule_;
  const SimulateOptions& options_;
  HostMemories* memories_;
  const ScheduleIndex index_;
  const Adjacency waiting_;                ///< of each step: those that wait for it
  std::vector<std::int64_t> begin_, end_;  ///< of each step
  std::vector<StepId> waited_for_;         ///< whose begin was the later one: its own, or the sender's
  std::deque<StepId> ready_;               ///< steps that may have become able to begin or to end
};

}  // namespace

Result simulate(const HostProgram& program, const SimulateOptions& options) {
  const std::int64_t words = program.schedule.extent_of(Buffer::input) * rank_count(program.machine);
  if (words > kMostComputedWords) return Rounds(program, options, nullptr).run();
  Result result;
  std::vector<Outputs> outputs;
  for (int call = 0; call < options.calls; ++call) {
    HostMemories memories(program, options.seed + static_cast<std::uint64_t>(call));
    result = Rounds(program, options, &memories).run();
    outputs.push_back(memories.outputs());
  }
  if (!result.fault) result.outputs = std::move(outputs);
  return result;
}

}  // namespace muster::hyperx

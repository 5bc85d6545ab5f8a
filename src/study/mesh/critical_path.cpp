// The latest time of every event and which dependence gave it; then backwards from the last event.
#include "study/mesh/critical_path.h"

#include <algorithm>

#include "base/error.h"
#include "base/index.h"
#include "machine/mesh.h"
#include "machine/routing.h"
#include "plan/step_events.h"

namespace muster {

namespace {

class Timing {
 public:
  Timing(const Schedule& schedule, const Machine& machine)
      : schedule_(schedule), machine_(machine), mesh_(*as<Mesh>(machine)), nodes_(step_nodes(schedule)) {
    const std::size_t events = 2 * schedule.steps.size();
    time_.assign(events, Cycles(0));
    cause_.resize(events);
    is_caused_.assign(events, false);
    visit_in_order(events, dependences_of(schedule), [this](const Dependence& dependence) { settle(dependence); });
  }

  [[nodiscard]] CriticalPath path() const {
    CriticalPath path;
    if (time_.empty()) return path;
    auto event = static_cast<Event>(std::max_element(time_.begin(), time_.end()) - time_.begin());
    path.end = time_[at(event)];
    for (; is_caused_[at(event)]; event = cause_[at(event)].from) add(cause_[at(event)], path);
    std::reverse(path.pieces.begin(), path.pieces.end());
    return path;
  }

 private:
  [[nodiscard]] const Step& step(Event event) const { return schedule_.steps[at(step_of(event))]; }
  [[nodiscard]] NodeId node(Event event) const { return nodes_[at(step_of(event))]; }

  [[nodiscard]] std::int64_t streams_of(const Step& step) const {
    const auto operands = schedule_.operands_of(step);
    return std::count_if(operands.begin(), operands.end(), [](StreamId stream) { return is_stream(stream); });
  }

  /// Words of a step pass at one per cycle and stream; an exchange sends its own at the same time.
  [[nodiscard]] std::int64_t work_of(const Step& step) const {
    const std::int64_t taken = schedule_.spans.count(step.elements) * std::max<std::int64_t>(1, streams_of(step));
    return step.is_exchange() ? std::max(taken, schedule_.spans.count(step.sent_elements)) : taken;
  }

  [[nodiscard]] std::int64_t hops_of(const Dependence& dependence) const {
    const Stream& stream = schedule_.streams[at(dependence.stream)];
    if (stream.route == kDefaultRoute) return default_hops(machine_, stream.source, node(dependence.to));
    return hops_on_route(stream, node(dependence.to));
  }

  /// Hops from the stream's source to one of its sinks on the tree that it was given, back from the sink.
  [[nodiscard]] std::int64_t hops_on_route(const Stream& stream, NodeId sink) const {
    const std::vector<Hop>& route = schedule_.routes[at(stream.route)];
    std::int64_t hops = 0;
    for (NodeId here = sink; here != stream.source; ++hops) {
      const auto found = std::find_if(route.begin(), route.end(), [here](const Hop& hop) { return hop.to == here; });
      MUSTER_ASSERT(found != route.end(), "a route that does not lead to its sink was verified");
      here = found->from;
    }
    return hops;
  }

  /// Beyond its hops and words: two ramps, and a cycle to combine unless the sender only passes on what it holds.
  [[nodiscard]] std::int64_t ramps_of(const Dependence& dependence) const {
    const Step& sender = step(dependence.from);
    const bool combines = !sender.is_exchange() && streams_of(sender) > 0;
    return 2 * mesh_.ramp_latency.value() + (combines ? 1 : 0);
  }

  [[nodiscard]] std::int64_t delay_of(const Dependence& dependence) const {
    if (dependence.stream != kNoStream) {
      return dependence.words + mesh_.hop_latency.value() * hops_of(dependence) + ramps_of(dependence);
    }
    return step_of(dependence.from) == step_of(dependence.to) ? work_of(step(dependence.to)) : 0;
  }

  /// Of equals, a step's own words come first: a stream then travels ahead, and its words are counted where it ends.
  void settle(const Dependence& dependence) {
    const Cycles reached = time_[at(dependence.from)] + Cycles(delay_of(dependence));
    const bool own_words = dependence.stream == kNoStream && step_of(dependence.from) == step_of(dependence.to);
    Cycles& time = time_[at(dependence.to)];
    if (is_caused_[at(dependence.to)] && (reached < time || (reached == time && !own_words))) return;
    time = reached;
    cause_[at(dependence.to)] = dependence;
    is_caused_[at(dependence.to)] = true;
  }

  void add(const Dependence& dependence, CriticalPath& path) const {
    const Cycles begin = time_[at(dependence.from)], end = time_[at(dependence.to)];
    if (dependence.stream == kNoStream) {
      if (begin == end) return;  // the next step of a lane
      path.words += end - begin;
      path.pieces.push_back({.kind = PathPiece::Kind::words,
                             .begin = begin,
                             .end = end,
                             .from = node(dependence.to),
                             .to = node(dependence.to),
                             .words = (end - begin).value(),
                             .sends = streams_of(step(dependence.to)) == 0});
      return;
    }
    const std::int64_t hops = hops_of(dependence);
    path.words += Cycles(dependence.words);
    path.hops += mesh_.hop_latency * hops;
    path.ramps += Cycles(ramps_of(dependence));
    path.pieces.push_back({.kind = PathPiece::Kind::message,
                           .begin = begin,
                           .end = end,
                           .from = node(dependence.from),
                           .to = node(dependence.to),
                           .hops = hops,
                           .words = dependence.words});
  }

  const Schedule& schedule_;
  const Machine& machine_;
  const Mesh& mesh_;
  std::vector<NodeId> nodes_;
  std::vector<Cycles> time_;
  std::vector<Dependence> cause_;
  std::vector<bool> is_caused_;
};

}  // namespace

CriticalPath critical_path(const Schedule& schedule, const Machine& machine) {
  MUSTER_ASSERT(schedule.is_flat() && as<Mesh>(machine) != nullptr, "a critical path needs a flat schedule on a mesh");
  return Timing(schedule, machine).path();
}

}  // namespace muster

// Freedom from deadlock under finite buffers, in time linear in the schedule and whatever the element counts.
//
// Think of every vertex of the dependency graph unrolled into its elements k = 0, 1, ..., n - 1. Element k waits for
//   data, old   element k of the other vertex (streams join equal spans, `old` joins equal spans too);
//   credit      element k - depth of the consumer, depth >= 1;
//   lane, wait  the last element of the other vertex;
// and for element k - 1 of its own vertex. The schedule can stop before its end only if unrolled elements wait for each
// other in a cycle. Follow such a cycle:
//   - if it uses no lane or wait edge, k never grows along it, so it stays: no credit edge, and no step to k - 1, is on
//     it. It is a cycle of data and old edges, and one of the graph as it stands;
//   - otherwise it is a closed walk of the graph that contains a lane or wait edge: both ends of that edge lie in one
//     strongly connected component.
// So a schedule is free of deadlock if its data and old edges have no cycle and no lane or wait edge stays inside a
// component. A refusal may be too careful where a route holds more than the buffer that the machine promises. Without
// such edges the graph less its credit edges has no cycle at all, hence an order for symbolic execution.
#include <algorithm>
#include <limits>

#include "base/strong_components.h"
#include "machine/routing.h"
#include "schedule/verifier/verify_stages.h"

namespace muster::verifier {
namespace {

using Edge = Dependencies::Edge;
using Why = Dependencies::Why;

constexpr auto makes_wait = [](const Edge& edge) { return edge.why != Why::after_send; };
constexpr auto joins_ends = [](const Edge& edge) { return edge.why == Why::lane || edge.why == Why::wait; };
constexpr auto orders = [](const Edge& edge) { return edge.why != Why::credit; };

/// Of the edges that `use` accepts.
template <class Use>
StrongComponents components(const Dependencies& graph, Use use) {
  return strong_components(graph.first, [&](std::int32_t e) {
    const Edge& edge = graph.edges[at(e)];
    return use(edge) ? edge.to : kNoTarget;
  });
}

struct CycleEdge {
  Vertex from = 0;
  Edge edge;
};

/// The shortest cycle that begins with `edge` from `from` and stays on edges that `use` accepts, inside one component;
/// empty if there is none.
template <class Use>
std::vector<CycleEdge> shortest_cycle(const Dependencies& graph, const std::vector<std::int32_t>& component,
                                      Vertex from, Edge edge, Use use) {
  std::vector<CycleEdge> came(at(graph.vertices()), {-1, {}});
  std::vector<Vertex> queue = {edge.to};
  for (std::size_t i = 0; i < queue.size() && queue[i] != from; ++i) {
    for (const Edge& next : graph.edges_of(queue[i])) {
      if (!use(next) || component[at(next.to)] != component[at(from)]) continue;
      if (next.to == edge.to || came[at(next.to)].from >= 0) continue;
      came[at(next.to)] = {queue[i], next};
      queue.push_back(next.to);
    }
  }
  std::vector<CycleEdge> cycle;
  if (from != edge.to && came[at(from)].from < 0) return cycle;
  for (Vertex v = from; v != edge.to; v = came[at(v)].from) cycle.push_back(came[at(v)]);
  cycle.push_back({from, edge});
  std::reverse(cycle.begin(), cycle.end());
  return cycle;
}

class CycleText {
 public:
  CycleText(const Subject& subject, const ScheduleIndex& index, const Dependencies& graph)
      : subject_(subject), schedule_(subject.schedule), index_(index), graph_(graph) {}

  [[nodiscard]] Counterexample refusal(const std::vector<CycleEdge>& cycle) const {
    constexpr std::size_t kShown = 12;
    std::string text = fmt::format("{} steps wait for each other:", cycle.size());
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      if (cycle.size() > kShown && i == kShown - 2) {
        text += fmt::format("\n  ... {} more ...", cycle.size() - kShown + 1);
        i = cycle.size() - 2;
        continue;
      }
      text += "\n  " + line(cycle[i]);
    }
    const StepId step = graph_.step_of(cycle.front().from);
    return found(Kind::wait_cycle, {.node = index_.node_of[at(step)], .step = step, .stream = stream_of(cycle)}, "{}",
                 text);
  }

 private:
  [[nodiscard]] std::string name(Vertex v) const {
    const StepId step = graph_.step_of(v);
    return (graph_.is_sender(v) ? "the sending half of " : "") + subject_.step(step, index_.node_of[at(step)]);
  }

  /// The stream of a data or credit edge.
  [[nodiscard]] StreamId stream_of(const CycleEdge& link) const {
    const bool is_data = link.edge.why == Why::data;
    const StepId producer = graph_.step_of(is_data ? link.edge.to : link.from);
    const StepId consumer = graph_.step_of(is_data ? link.from : link.edge.to);
    for (const StreamId output : schedule_.outputs_of(schedule_.steps[at(producer)])) {
      const auto taken = schedule_.operands_of(schedule_.steps[at(consumer)]);
      if (std::find(taken.begin(), taken.end(), output) != taken.end()) return output;
    }
    MUSTER_ASSERT(false, "no stream joins steps {} and {}", producer, consumer);
    return 0;
  }

  [[nodiscard]] std::optional<StreamId> stream_of(const std::vector<CycleEdge>& cycle) const {
    for (const CycleEdge& link : cycle) {
      if (link.edge.why == Why::data || link.edge.why == Why::credit) return stream_of(link);
    }
    return std::nullopt;
  }

  [[nodiscard]] std::string line(const CycleEdge& link) const {
    const std::string who = name(link.from);
    const std::string whom = name(link.edge.to);
    switch (link.edge.why) {
      case Why::data:
        return fmt::format("{} waits for {} to push stream {}", who, whom, stream_of(link));
      case Why::credit: {
        const StreamId stream = stream_of(link);
        return fmt::format("{} waits for {} to take stream {} ({} elements, space for {})", who, whom, stream,
                           schedule_.spans.count(schedule_.streams[at(stream)].elements),
                           std::max<std::int64_t>(1, stream_buffer(subject_.machine)));
      }
      case Why::old:
        return fmt::format("{} waits for {}, whose elements it overwrites", who, whom);
      case Why::lane:
        return fmt::format("{} waits for {}, before it in its lane", who, whom);
      case Why::wait:
      case Why::after_send:
        break;
    }
    return fmt::format("{} waits for {}, as declared", who, whom);
  }

  const Subject& subject_;
  const Schedule& schedule_;
  const ScheduleIndex& index_;
  const Dependencies& graph_;
};

/// An edge accepted by `begin` with both ends in one component; of the first few, the edge on the shortest cycle.
template <class Begin, class Use>
std::vector<CycleEdge> find_cycle(const Dependencies& graph, const std::vector<std::int32_t>& component, Begin begin,
                                  Use use) {
  constexpr int kTried = 8;
  int tried = 0;
  std::vector<CycleEdge> best;
  for (Vertex v = 0; v < graph.vertices() && tried < kTried; ++v) {
    for (const Edge& edge : graph.edges_of(v)) {
      if (!begin(edge) || component[at(edge.to)] != component[at(v)] || tried == kTried) continue;
      std::vector<CycleEdge> cycle = shortest_cycle(graph, component, v, edge, use);
      if (cycle.empty()) continue;
      ++tried;
      if (best.empty() || cycle.size() < best.size()) best = std::move(cycle);
    }
  }
  return best;
}

}  // namespace

Finding check_waits(const Subject& subject, const ScheduleIndex& index, const Dependencies& dependencies,
                    std::vector<Vertex>& order) {
  const CycleText text(subject, index, dependencies);
  {
    // Without credit edges a cycle is a deadlock even with unlimited buffers.
    StrongComponents ordered = components(dependencies, orders);
    const auto cycle = find_cycle(
        dependencies, ordered.component, [](const Edge& e) { return orders(e) && makes_wait(e); },
        [](const Edge& e) { return orders(e) && makes_wait(e); });
    if (!cycle.empty()) return text.refusal(cycle);
    order = std::move(ordered.finished);
  }
  const bool has_credits = std::any_of(dependencies.edges.begin(), dependencies.edges.end(),
                                       [](const Edge& e) { return e.why == Why::credit; });
  if (!has_credits) return std::nullopt;
  const StrongComponents all = components(dependencies, makes_wait);
  const auto cycle = find_cycle(dependencies, all.component, joins_ends, makes_wait);
  if (!cycle.empty()) return text.refusal(cycle);
  return std::nullopt;
}

}  // namespace muster::verifier

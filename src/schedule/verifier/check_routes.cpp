// Routes. The default route exists between any two nodes of a machine without failures (the form check has seen that both
// ends are nodes), so only given routes are walked: every hop a link between nodes of the schedule, every node entered once,
// every sink reached, no loose end. Where links or nodes have failed, default routes must not pass them.
#include <algorithm>

#include "machine/family.h"
#include "machine/routing.h"
#include "schedule/verifier/verify_stages.h"

namespace muster::verifier {
namespace {

class RouteCheck {
 public:
  RouteCheck(const Subject& subject, StreamId id)
      : subject_(subject),
        id_(id),
        stream_(subject.schedule.streams[at(id)]),
        hops_(subject.schedule.routes[at(stream_.route)]) {}

  Finding run() {
    std::vector<NodeId> entered;
    for (const Hop& hop : hops_) {
      if (Finding wrong = link(hop)) return wrong;
      entered.push_back(hop.to);
    }
    std::sort(entered.begin(), entered.end());
    for (std::size_t i = 0; i < entered.size(); ++i) {
      const bool twice = i > 0 && entered[i] == entered[i - 1];
      if (twice || entered[i] == stream_.source) {
        return no_route(entered[i], "enters {} {}", subject_.node(entered[i]), twice ? "twice" : "again, its source");
      }
    }
    for (const NodeId sink : subject_.schedule.sinks_of(stream_)) {
      if (sink != stream_.source && !std::binary_search(entered.begin(), entered.end(), sink)) {
        return no_route(sink, "does not reach its sink {}", subject_.node(sink));
      }
    }
    std::sort(hops_.begin(), hops_.end());
    if (Finding wrong = connected()) return wrong;
    return loose_ends();
  }

 private:
  template <class... Args>
  Finding no_route(NodeId node, fmt::format_string<Args...> format, Args&&... args) const {
    return found(Kind::no_route, {.node = node, .stream = id_}, "{}: its route {}", subject_.stream(id_),
                 fmt::format(format, std::forward<Args>(args)...));
  }

  [[nodiscard]] Finding link(const Hop& hop) const {
    for (const NodeId node : {hop.from, hop.to}) {
      if (node < 0 || node >= subject_.schedule.node_count) {
        return no_route(node, "visits node {}, which is not one of the schedule's {}", node,
                        subject_.schedule.node_count);
      }
    }
    if (!subject_.is_part && !linked(subject_.machine, hop.from, hop.to)) {
      return no_route(hop.from, "goes from {} to {}, but no link joins them", subject_.node(hop.from),
                      subject_.node(hop.to));
    }
    return std::nullopt;
  }

  [[nodiscard]] std::span<const Hop> hops_from(NodeId node) const {
    const auto [first, last] = std::equal_range(hops_.begin(), hops_.end(), Hop{node, 0},
                                                [](const Hop& a, const Hop& b) { return a.from < b.from; });
    return {first, last};
  }

  /// As no node is entered twice, hops that are reached from the source form a tree; the others would be a cycle.
  [[nodiscard]] Finding connected() const {
    std::vector<NodeId> reached = {stream_.source};
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (const Hop& hop : hops_from(reached[i])) reached.push_back(hop.to);
    }
    if (reached.size() == hops_.size() + 1) return std::nullopt;
    std::sort(reached.begin(), reached.end());
    for (const Hop& hop : hops_) {
      if (!std::binary_search(reached.begin(), reached.end(), hop.from)) {
        return no_route(hop.from, "continues at {}, where it never arrives", subject_.node(hop.from));
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] Finding loose_ends() const {
    const auto all = subject_.schedule.sinks_of(stream_);
    std::vector<NodeId> sinks(all.begin(), all.end());
    std::sort(sinks.begin(), sinks.end());
    for (const Hop& hop : hops_) {
      if (hops_from(hop.to).empty() && !std::binary_search(sinks.begin(), sinks.end(), hop.to)) {
        return no_route(hop.to, "ends at {}, where no step takes it", subject_.node(hop.to));
      }
    }
    return std::nullopt;
  }

  const Subject& subject_;
  StreamId id_;
  const Stream& stream_;
  std::vector<Hop> hops_;
};

Finding check_default_route(const Subject& subject, StreamId id) {
  const Stream& stream = subject.schedule.streams[at(id)];
  for (const NodeId sink : subject.schedule.sinks_of(stream)) {
    const std::vector<NodeId> route = default_route(subject.machine, stream.source, sink);
    for (std::size_t i = 1; i < route.size(); ++i) {
      if (linked(subject.machine, route[i - 1], route[i])) continue;
      return found(Kind::no_route, {.node = route[i - 1], .stream = id},
                   "{}: its default route goes from {} to {}, which is not usable because of a failure",
                   subject.stream(id), subject.node(route[i - 1]), subject.node(route[i]));
    }
  }
  return std::nullopt;
}

bool has_failures(const Subject& subject) {
  const Machine& machine = subject.machine;
  return !subject.is_part && !machine.family().default_routes_are_whole(machine.network);
}

}  // namespace

Finding check_routes(const Subject& subject) {
  const bool walks_default = has_failures(subject);
  for (StreamId id = 0; id < static_cast<StreamId>(subject.schedule.streams.size()); ++id) {
    if (subject.schedule.streams[at(id)].route == kDefaultRoute) {
      if (!walks_default) continue;
      if (Finding wrong = check_default_route(subject, id)) return wrong;
      continue;
    }
    if (Finding wrong = RouteCheck(subject, id).run()) return wrong;
  }
  return std::nullopt;
}

}  // namespace muster::verifier

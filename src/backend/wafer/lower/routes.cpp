// Lowering, first stage: the tree of routers that each stream passes.
#include "backend/wafer/directions.h"
#include "backend/wafer/lower/lower.h"

namespace muster::wafer {
namespace {

/// Writes the visits of one stream after another; remembers which router is already part of the present one.
class RouteWriter {
 public:
  RouteWriter(const Mesh& mesh, StreamRoutes& routes)
      : mesh_(mesh), routes_(routes), visit_of_(static_cast<std::size_t>(mesh.width) * mesh.height, -1) {}

  void begin(NodeId source) {
    source_ = source;
    visit(source).position.from = set_of(Direction::ramp);
  }

  void default_route(NodeId sink) {
    visit(sink).position.to |= set_of(Direction::ramp);
    NodeId to = sink;
    while (to != source_) {
      const NodeId from = router_before(mesh_, source_, to);
      const bool known = contains(from);
      hop(from, to);
      if (known) return;
      to = from;
    }
  }

  void hop(NodeId from, NodeId to) {
    const Direction out = link_direction(mesh_, from, to);
    visit(from).position.to |= set_of(out);
    visit(to).position.from |= set_of(opposite(out));
  }

  void sink(NodeId node) { visit(node).position.to |= set_of(Direction::ramp); }

  void end() { routes_.first.push_back(static_cast<std::int64_t>(routes_.visits.size())); }

 private:
  [[nodiscard]] bool contains(NodeId router) const {
    return visit_of_[static_cast<std::size_t>(router)] >= routes_.first.back();
  }
  Visit& visit(NodeId router) {
    std::int64_t& index = visit_of_[static_cast<std::size_t>(router)];
    if (!contains(router)) {
      index = static_cast<std::int64_t>(routes_.visits.size());
      routes_.visits.push_back({.router = router, .position = {}});
    }
    return routes_.visits[static_cast<std::size_t>(index)];
  }

  const Mesh& mesh_;
  StreamRoutes& routes_;
  std::vector<std::int64_t> visit_of_;  ///< of each router; older than this stream: none
  NodeId source_ = 0;
};

bool one_direction(Directions set) { return set != 0 && (set & (set - 1)) == 0; }

std::optional<Refusal> check_given_route(const Schedule& schedule, const Mesh& mesh, StreamId stream) {
  const Stream& s = schedule.streams[static_cast<std::size_t>(stream)];
  for (const Hop& hop : schedule.routes[static_cast<std::size_t>(s.route)]) {
    if (link_direction(mesh, hop.from, hop.to) == Direction::ramp) {
      return Refusal{fmt::format("stream {}: no link leads from {} to {}", stream, place_text(mesh, hop.from),
                                 place_text(mesh, hop.to))};
    }
  }
  return {};
}

std::optional<Refusal> check_tree(const StreamRoutes& routes, const Mesh& mesh, StreamId stream) {
  for (const Visit& v : routes.of(stream)) {
    if (!one_direction(v.position.from) || v.position.to == 0) {
      return Refusal{fmt::format("stream {}: its route is no tree at {}: it comes from {} and goes {}", stream,
                                 place_text(mesh, v.router), directions_text(v.position.from),
                                 directions_text(v.position.to))};
    }
  }
  return {};
}

}  // namespace

Outcome<StreamRoutes> find_routes(const Schedule& schedule, const Mesh& mesh) {
  StreamRoutes routes;
  routes.first.reserve(schedule.streams.size() + 1);
  RouteWriter writer(mesh, routes);
  for (StreamId id = 0; id < static_cast<StreamId>(schedule.streams.size()); ++id) {
    const Stream& stream = schedule.streams[static_cast<std::size_t>(id)];
    if (schedule.spans.count(stream.elements) == 0) {  // carries nothing: passes no router
      writer.end();
      continue;
    }
    writer.begin(stream.source);
    if (stream.route == kDefaultRoute) {
      for (const NodeId sink : schedule.sinks_of(stream)) writer.default_route(sink);
    } else {
      if (auto refusal = check_given_route(schedule, mesh, id)) return *refusal;
      for (const Hop& hop : schedule.routes[static_cast<std::size_t>(stream.route)]) writer.hop(hop.from, hop.to);
      for (const NodeId sink : schedule.sinks_of(stream)) writer.sink(sink);
    }
    writer.end();
    if (auto refusal = check_tree(routes, mesh, id)) return *refusal;
  }
  return routes;
}

}  // namespace muster::wafer

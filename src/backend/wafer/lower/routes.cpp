// Lowering, first stage: the tree of routers that each stream passes.
#include "backend/wafer/directions.h"
#include "backend/wafer/lower/lower.h"
#include "base/index.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

constexpr Directions kLinks = static_cast<Directions>(set_of(Direction::ramp) - 1U);

/// Collects the visits of one stream after another; remembers which router is already part of the present one.
class TreeWriter {
 public:
  explicit TreeWriter(const Mesh& mesh) : mesh_(mesh), visit_of_(at(mesh.width) * at(mesh.height), -1) {}

  void begin(NodeId source) {
    for (const Visit& v : visits_) visit_of_[at(v.router)] = -1;
    visits_.clear();
    source_ = source;
    visit(source).position.from = set_of(Direction::ramp);
  }

  void default_route(NodeId sink) {
    visit(sink).position.to |= set_of(Direction::ramp);
    NodeId to = sink;
    while (to != source_) {
      const NodeId from = router_before(mesh_, source_, to);
      const bool known = visit_of_[at(from)] >= 0;
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

  [[nodiscard]] std::span<const Visit> visits() const { return visits_; }

 private:
  Visit& visit(NodeId router) {
    std::int32_t& index = visit_of_[at(router)];
    if (index < 0) {
      index = static_cast<std::int32_t>(visits_.size());
      visits_.push_back({.router = router, .position = {}});
    }
    return visits_[at(index)];
  }

  const Mesh& mesh_;
  std::vector<Visit> visits_;
  std::vector<std::int32_t> visit_of_;  ///< of each router; -1: not part of this stream
  NodeId source_ = 0;
};

bool one_direction(Directions set) { return set != 0 && (set & (set - 1)) == 0; }

std::optional<Refusal> check_given_route(const Schedule& schedule, const Mesh& mesh, StreamId stream) {
  const Stream& s = schedule.streams[at(stream)];
  for (const Hop& hop : schedule.routes[at(s.route)]) {
    if (link_direction(mesh, hop.from, hop.to) == Direction::ramp) {
      return Refusal{fmt::format("stream {}: no link leads from {} to {}", stream, pe_text(mesh, hop.from),
                                 pe_text(mesh, hop.to))};
    }
  }
  return {};
}

std::optional<Refusal> check_tree(std::span<const Visit> visits, const Mesh& mesh, StreamId stream) {
  for (const Visit& v : visits) {
    if (!one_direction(v.position.from) || v.position.to == 0) {
      return Refusal{fmt::format("stream {}: its route is not a tree at {}: it comes from {} and goes {}", stream,
                                 pe_text(mesh, v.router), directions_text(v.position.from),
                                 directions_text(v.position.to))};
    }
  }
  return {};
}

/// Writes the tree of one stream.
std::optional<Refusal> write_tree(const Schedule& schedule, const Mesh& mesh, StreamId id, TreeWriter& writer) {
  const Stream& stream = schedule.streams[at(id)];
  writer.begin(stream.source);
  if (stream.route == kDefaultRoute) {
    for (const NodeId sink : schedule.sinks_of(stream)) writer.default_route(sink);
  } else {
    if (auto refusal = check_given_route(schedule, mesh, id)) return refusal;
    for (const Hop& hop : schedule.routes[at(stream.route)]) writer.hop(hop.from, hop.to);
    for (const NodeId sink : schedule.sinks_of(stream)) writer.sink(sink);
  }
  return check_tree(writer.visits(), mesh, id);
}

}  // namespace

void StreamRoutes::add_none() {
  ends_.emplace_back();
  links_.push_back(0);
}

void StreamRoutes::add_default(NodeId source, NodeId sink) {
  const std::int32_t right = sink % width_ - source % width_, down = sink / width_ - source / width_;
  ends_.push_back({.kind = Ends::two, .source = source, .right = right, .down = down});
  Directions links = 0;
  if (right != 0) links |= set_of(right > 0 ? Direction::east : Direction::west);
  if (down != 0) links |= set_of(down > 0 ? Direction::south : Direction::north);
  links_.push_back(links);
}

void StreamRoutes::add_tree(std::span<const Visit> visits) {
  ends_.push_back({.kind = Ends::tree,
                   .first = static_cast<std::int64_t>(visits_.size()),
                   .count = static_cast<std::int64_t>(visits.size())});
  Directions links = 0;
  for (const Visit& v : visits) links |= v.position.to;
  links_.push_back(links & kLinks);
  visits_.insert(visits_.end(), visits.begin(), visits.end());
}

Outcome<StreamRoutes> find_routes(const Schedule& schedule, const Mesh& mesh) {
  StreamRoutes routes(mesh.width);
  TreeWriter writer(mesh);
  for (StreamId id = 0; id < static_cast<StreamId>(schedule.streams.size()); ++id) {
    const Stream& stream = schedule.streams[at(id)];
    const auto sinks = schedule.sinks_of(stream);
    if (schedule.spans.count(stream.elements) == 0) {  // carries nothing: passes no router
      routes.add_none();
    } else if (stream.route == kDefaultRoute && sinks.size() == 1) {
      routes.add_default(stream.source, sinks.front());
    } else {
      if (auto refusal = write_tree(schedule, mesh, id, writer)) return *refusal;
      routes.add_tree(writer.visits());
    }
  }
  return routes;
}

}  // namespace muster::wafer

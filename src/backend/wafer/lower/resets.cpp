// Lowering, fifth stage: a program leaves the fabric as it found it. A processor whose router ends in a position that
// takes from the ramp sends RESET behind its last data; it follows the last positions of the routers, so that it comes
// to each of them after everything else, and sets it back.
#include <algorithm>

#include "backend/wafer/directions.h"
#include "backend/wafer/lower/lower.h"
#include "base/index.h"

namespace muster::wafer {
namespace {

const Position& last_position(const ColorRoute& route) { return route.positions[route.count - 1U]; }

class ResetFinder {
 public:
  ResetFinder(const RouterPassings& passings, const Switching& switching, const Coloring& coloring, const Mesh& mesh,
              std::vector<Objection>& objections)
      : passings_(passings),
        switching_(switching),
        coloring_(coloring),
        mesh_(mesh),
        objections_(objections),
        reached_(switching.routes.size(), false) {}

  std::vector<ResetSender> run() {
    std::vector<ResetSender> senders;
    const NodeId routers = mesh_.width * mesh_.height;
    for (NodeId router = 0; router < routers; ++router) {
      for (const ColorRoute& route : switching_.at(router)) {
        if (!has(last_position(route).from, Direction::ramp) || !follow(router, route)) continue;
        senders.push_back({.node = router, .color = route.color, .last = last_stream(router, route.color)});
      }
    }
    if (objections_.empty()) object_to_unreached(routers);
    return senders;
  }

 private:
  /// Follows a reset from its sender. True if it meets switches and nothing stops it.
  bool follow(NodeId sender, const ColorRoute& start) {
    way_.clear();
    bool useful = false;
    NodeId stopped = kOutside;
    std::vector<std::pair<NodeId, const ColorRoute*>> ahead{{sender, &start}};
    while (!ahead.empty()) {
      const auto [router, route] = ahead.back();
      ahead.pop_back();
      useful |= route->count > 1;
      way_.push_back(route);
      for (int d = 0; d < kDirections - 1; ++d) {
        if (!has(last_position(*route).to, direction_at(d))) continue;
        const NodeId next = neighbour(mesh_, router, direction_at(d));
        const ColorRoute* next_route = switching_.find(next, start.color);
        MUSTER_ASSERT(next_route != nullptr, "color {} leads nowhere at router {}", start.color, next);
        if (has(last_position(*next_route).from, opposite(direction_at(d)))) {
          ahead.emplace_back(next, next_route);
        } else {
          stopped = next;
        }
      }
    }
    if (!useful) return false;
    if (stopped != kOutside) {
      object(stopped, start.color, [](Position a, Position b) { return a.from != b.from; });
      return false;
    }
    for (const ColorRoute* route : way_) reached_[static_cast<std::size_t>(route - switching_.routes.data())] = true;
    return true;
  }

  void object_to_unreached(NodeId routers) {
    for (NodeId router = 0; router < routers; ++router) {
      for (const ColorRoute& route : switching_.at(router)) {
        if (route.count < 2 || reached_[static_cast<std::size_t>(&route - switching_.routes.data())]) continue;
        object(router, route.color, [](Position a, Position b) { return a != b; });
      }
    }
  }

  /// Objects to the streams at a router whose position differs from its position 0.
  template <class Differs>
  void object(NodeId router, std::int8_t color, Differs differs) {
    const Position start = switching_.find(router, color)->positions[0];
    for (const Passing& p : passings_.at(router)) {
      if (coloring_.color[at(p.stream)] == color && differs(p.position, start)) {
        objections_.push_back({p.stream, router, "a switch that no reset would reach"});
      }
    }
  }

  [[nodiscard]] StreamId last_stream(NodeId router, std::int8_t color) const {
    StreamId last = 0;
    for (const Passing& p : passings_.at(router)) {
      if (coloring_.color[at(p.stream)] == color) last = p.stream;
    }
    return last;
  }

  const RouterPassings& passings_;
  const Switching& switching_;
  const Coloring& coloring_;
  const Mesh& mesh_;
  std::vector<Objection>& objections_;
  std::vector<bool> reached_;  ///< of each entry of switching.routes
  std::vector<const ColorRoute*> way_;
};

}  // namespace

std::vector<ResetSender> find_resets(const RouterPassings& passings, const Switching& switching,
                                     const Coloring& coloring, const Mesh& mesh, std::vector<Objection>& objections) {
  return ResetFinder(passings, switching, coloring, mesh, objections).run();
}

}  // namespace muster::wafer

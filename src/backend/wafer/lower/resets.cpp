// Lowering, fourth stage: a program leaves the fabric as it found it. A processor whose router ends in a position that
// takes from the ramp sends RESET after its last data; it follows the last positions of the routers, so that it comes
// to each of them after everything else, and sets it back.
#include "backend/wafer/directions.h"
#include "backend/wafer/lower/lower.h"
#include "base/index.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

const Position& last_position(const ColorRoute& route) { return route.positions[route.count - 1U]; }

class ResetFinder {
 public:
  ResetFinder(const Switching& switching, const Mesh& mesh)
      : switching_(switching), mesh_(mesh), reached_(switching.routes.size(), false) {
    for (const ColorRoute& route : switching.routes) {
      if (route.count > 1) switched_ |= std::uint64_t{1} << route.color;
    }
  }

  Resets run() {
    const NodeId routers = mesh_.width * mesh_.height;
    for (NodeId router = 0; router < routers && switched_ != 0; ++router) {
      for (const ColorRoute& route : switching_.at(router)) {
        if (!is_switched(route.color) || !has(last_position(route).from, Direction::ramp)) continue;
        if (follow(router, route)) {
          resets_.senders.push_back({.node = router, .color = route.color, .last = switching_.last[index_of(route)]});
        }
      }
    }
    if (resets_.objections.empty()) object_to_unreached(routers);
    return std::move(resets_);
  }

 private:
  /// Whether any router switches the color.
  [[nodiscard]] bool is_switched(std::int8_t color) const { return ((switched_ >> color) & 1U) != 0; }
  [[nodiscard]] std::size_t index_of(const ColorRoute& route) const {
    return static_cast<std::size_t>(&route - switching_.routes.data());
  }

  /// Follows a reset from its sender. True if it meets switches and nothing stops it.
  bool follow(NodeId sender, const ColorRoute& start) {
    path_.clear();
    bool useful = false;
    NodeId stopped = kOutside;
    ahead_.assign(1, {sender, &start});
    while (!ahead_.empty()) {
      const auto [router, route] = ahead_.back();
      ahead_.pop_back();
      useful |= route->count > 1;
      path_.push_back(route);
      for (int d = 0; d < kDirections - 1; ++d) {
        if (!has(last_position(*route).to, direction_at(d))) continue;
        const NodeId next = neighbour(mesh_, router, direction_at(d));
        const ColorRoute* next_route = switching_.find(next, start.color);
        MUSTER_ASSERT(next_route != nullptr, "color {} leads nowhere at router {}", start.color, next);
        if (has(last_position(*next_route).from, opposite(direction_at(d)))) {
          ahead_.emplace_back(next, next_route);
        } else {
          stopped = next;
        }
      }
    }
    if (!useful) return false;
    if (stopped != kOutside) {
      resets_.objections.push_back({.router = stopped, .color = start.color, .inputs = true});
      return false;
    }
    for (const ColorRoute* route : path_) reached_[index_of(*route)] = true;
    return true;
  }

  void object_to_unreached(NodeId routers) {
    for (NodeId router = 0; router < routers; ++router) {
      for (const ColorRoute& route : switching_.at(router)) {
        if (route.count > 1 && !reached_[index_of(route)]) {
          resets_.objections.push_back({.router = router, .color = route.color, .inputs = false});
        }
      }
    }
  }

  const Switching& switching_;
  const Mesh& mesh_;
  std::vector<bool> reached_;  ///< of each entry of switching.routes
  std::uint64_t switched_ = 0;
  std::vector<const ColorRoute*> path_;
  std::vector<std::pair<NodeId, const ColorRoute*>> ahead_;
  Resets resets_;
};

}  // namespace

Resets find_resets(const Switching& switching, const Mesh& mesh) { return ResetFinder(switching, mesh).run(); }

}  // namespace muster::wafer

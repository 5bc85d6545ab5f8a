#include "backend/wafer/lower/phase_colors.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "backend/wafer/directions.h"
#include "base/index.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

/// How the boxes of two parts meet.
struct Relation {
  enum class Kind : std::uint8_t {
    apart,     ///< no processor in common
    shifted,   ///< wherever two boxes overlap, the second one's corner is (dx, dy) from the first one's
    crossing,  ///< differently in different places
  };
  Kind kind = Kind::apart;
  NodeId dx = 0;
  NodeId dy = 0;
};

Relation relation_of(const Placement& a, const Placement& b, NodeId stride) {
  const bool same_shape = a.width == b.width && a.height == b.height;
  if (same_shape && a.corners == b.corners) return {.kind = Relation::Kind::shifted};
  Relation relation;
  for (const NodeId p : a.corners) {
    for (const NodeId q : b.corners) {
      const NodeId dx = q % stride - p % stride, dy = q / stride - p / stride;
      if (dx >= a.width || -dx >= b.width || dy >= a.height || -dy >= b.height) continue;
      if (relation.kind == Relation::Kind::apart) relation = {Relation::Kind::shifted, dx, dy};
      if (relation.dx != dx || relation.dy != dy) return {.kind = Relation::Kind::crossing};
    }
  }
  return relation;
}

/// One color of one part: its routes by node; without positions: none.
using Routes = std::vector<ColorRoute>;

std::vector<Routes> routes_of(const WaferProgram& part) {
  std::vector<Routes> routes(part.colors.size(), Routes(part.class_of.size()));
  for (std::size_t node = 0; node < part.class_of.size(); ++node) {
    for (const ColorRoute& route : part.classes[at(part.class_of[node])].routes) routes[at(route.color)][node] = route;
  }
  return routes;
}

bool is_sent_here(const ColorRoute& route) { return route.positions[0].from == set_of(Direction::ramp); }

std::vector<Operation>::iterator last_sender(ProcessorClass& c, std::int8_t color) {
  const auto sends = [&](const Operation& o) {
    return std::any_of(o.outputs.begin(), o.outputs.end(), [&](const Output& output) { return output.color == color; });
  };
  const auto last = std::find_if(c.operations.rbegin(), c.operations.rend(), sends);
  return last == c.operations.rend() ? c.operations.end() : last.base() - 1;
}

/// An operation of its own, as lowering writes it: a control wavelet behind the last one that a processor sends on the color.
void reset_behind_last(WaferProgram& part, ProcessorClass& c, std::int8_t color) {
  const auto operation = last_sender(c, color);
  if (operation == c.operations.end()) return;
  const SpanId nothing = part.spans.add(std::span<const Range>());
  Operation reset{.elements = nothing, .outputs = {{.color = color, .ending = Ending::reset}}};
  reset.own_elements = reset.store_elements = reset.sent_elements = nothing;
  c.operations.insert(operation + 1, std::move(reset));
}

class Sharing {
 public:
  Sharing(std::span<WaferProgram> parts, std::span<const Placement> placements, NodeId mesh_width)
      : parts_(parts), placements_(placements), width_(mesh_width), routes_(parts.size()), kind_(parts.size()) {
    std::map<std::pair<std::pair<NodeId, NodeId>, std::vector<NodeId>>, std::size_t> kinds;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const Placement& placement = placements[p];
      if (placement.width == 0) continue;
      routes_[p] = routes_of(parts[p]);
      const std::pair key(std::pair(placement.width, placement.height), placement.corners);
      kind_[p] = kinds.emplace(key, kinds.size()).first->second;
    }
  }

  PhaseColors run() {
    PhaseColors colors{.of_part = std::vector<std::vector<std::int8_t>>(routes_.size())};
    for (const std::size_t part : last_first()) {
      auto& own = colors.of_part[part];
      for (std::size_t color = 0; color < routes_[part].size(); ++color) {
        own.push_back(static_cast<std::int8_t>(chosen({part, color}, own)));
      }
    }
    for (const Shared& shared : shared_) {
      colors.switched.push_back(!shared.switched.empty());
      if (colors.switched.back()) reset_behind(shared);
    }
    colors.count = static_cast<int>(shared_.size());
    return colors;
  }

 private:
  struct User {
    std::size_t part = 0;
    std::size_t color = 0;
  };
  struct Shared {
    std::vector<User> users;  ///< the last one first
    std::vector<bool>
        switched;  ///< of each node of the last user's part: whether its router has two positions; empty: none has
  };
  struct Fit {
    bool fits = true;
    std::int64_t equal = 0;             ///< routers with a route for both
    std::vector<std::size_t> switched;  ///< nodes of the last user's part
  };

  [[nodiscard]] std::vector<std::size_t> last_first() const {
    std::vector<std::size_t> order;
    for (std::size_t p = 0; p < placements_.size(); ++p) {
      if (placements_[p].width != 0) order.push_back(p);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return placements_[a].last_phase > placements_[b].last_phase;
    });
    return order;
  }

  /// A color on which parts send the same way keeps processors alike, and leaves others for what goes another way; among equals, the lowest.
  std::size_t chosen(const User& user, const std::vector<std::int8_t>& taken) {
    std::optional<std::size_t> best;
    Fit best_fit;
    for (std::size_t shared = 0; shared < shared_.size(); ++shared) {
      if (std::find(taken.begin(), taken.end(), static_cast<std::int8_t>(shared)) != taken.end()) continue;
      Fit fit = fit_all(user, shared_[shared].users);
      if (!fit.fits || (best && fit.equal <= best_fit.equal)) continue;
      best = shared;
      best_fit = std::move(fit);
    }
    if (!best) {
      best = shared_.size();
      shared_.emplace_back();
    }
    Shared& shared = shared_[*best];
    shared.users.push_back(user);
    if (!best_fit.switched.empty()) {
      shared.switched.resize(routes_[shared.users.front().part][shared.users.front().color].size(), false);
      for (const std::size_t node : best_fit.switched) shared.switched[node] = true;
    }
    return *best;
  }

  Fit fit_all(const User& user, const std::vector<User>& others) {
    Fit all;
    bool goes_the_same_way = true;
    for (const User& other : others) {
      Fit fit = fit_two(user, other, others.front());
      if (!fit.fits) return fit;
      const bool is_apart = relation_between(user.part, other.part).kind == Relation::Kind::apart;
      goes_the_same_way &= is_apart || links_of(user) == links_of(other);
      all.equal = std::max(all.equal, fit.equal);
      all.switched.insert(all.switched.end(), fit.switched.begin(), fit.switched.end());
    }
    all.fits = all.equal > 0 || goes_the_same_way;
    return all;
  }

  /// The directions in which words leave routers.
  [[nodiscard]] Directions links_of(const User& user) const {
    Directions links = 0;
    for (const ColorRoute& route : routes_[user.part][user.color]) {
      for (std::size_t p = 0; p < route.count; ++p) links |= route.positions.at(p).to;
    }
    return links & static_cast<Directions>(~set_of(Direction::ramp));
  }

  /// `user` may be used earlier than `other`, and `last` is used after all.
  Fit fit_two(const User& user, const User& other, const User& last) {
    const Relation& relation = relation_between(user.part, other.part);
    Fit fit{.fits = relation.kind != Relation::Kind::crossing};
    if (relation.kind != Relation::Kind::shifted) return fit;
    const Relation& to_last = relation_between(user.part, last.part);
    const Routes& routes = routes_[user.part][user.color];
    fit.fits = false;
    for (std::size_t node = 0; node < routes.size(); ++node) {
      const ColorRoute& mine = routes[node];
      const auto there = mine.count == 0 ? std::nullopt : node_of(user.part, node, relation, other.part);
      if (!there) continue;
      const ColorRoute& theirs = routes_[other.part][other.color][*there];
      if (theirs.count == 0) continue;
      if (mine.count != 1 || theirs.count != 1) return fit;
      if (mine.positions[0] == theirs.positions[0]) {
        ++fit.equal;
        continue;
      }
      const bool is_before = placements_[user.part].last_phase < placements_[other.part].first_phase;
      const bool changes_input_only = is_sent_here(mine) && mine.positions[0].to == theirs.positions[0].to;
      if (!is_before || !changes_input_only || to_last.kind != Relation::Kind::shifted) return fit;
      if (placements_[last.part].repeats) return fit;  // its first run would take the switch back
      if (!is_everywhere(user.part, to_last, last.part)) return fit;
      const auto at_last = node_of(user.part, node, to_last, last.part);
      if (!at_last || routes_[last.part][last.color][*at_last].count == 0) return fit;
      fit.switched.push_back(*at_last);
    }
    fit.fits = true;
    return fit;
  }

  /// Whether `other` runs wherever `part` does.
  [[nodiscard]] bool is_everywhere(std::size_t part, const Relation& relation, std::size_t other) const {
    const std::vector<NodeId>& corners = placements_[other].corners;
    return std::ranges::all_of(placements_[part].corners, [&](NodeId corner) {
      const NodeId x = corner % width_ + relation.dx;
      return x >= 0 && x < width_ && std::ranges::binary_search(corners, corner + relation.dy * width_ + relation.dx);
    });
  }

  const Relation& relation_between(std::size_t a, std::size_t b) {
    const std::pair key(kind_[a], kind_[b]);
    auto known = relations_.find(key);
    if (known == relations_.end()) {
      known = relations_.emplace(key, relation_of(placements_[a], placements_[b], width_)).first;
    }
    return known->second;
  }

  /// The node of another part that is the same processor as a node of `part`.
  [[nodiscard]] std::optional<std::size_t> node_of(std::size_t part, std::size_t node, const Relation& relation,
                                                   std::size_t other) const {
    const auto index = static_cast<NodeId>(node);
    const NodeId x = index % placements_[part].width - relation.dx, y = index / placements_[part].width - relation.dy;
    const Placement& there = placements_[other];
    if (x < 0 || y < 0 || x >= there.width || y >= there.height) return std::nullopt;
    return at(y * there.width + x);
  }

  /// The last wavelet that goes through a router with two positions is a RESET.
  void reset_behind(const Shared& shared) {
    const User& last = shared.users.front();
    const Routes& routes = routes_[last.part][last.color];
    WaferProgram& part = parts_[last.part];
    for (std::size_t node = 0; node < routes.size(); ++node) {
      if (routes[node].count == 0 || !is_sent_here(routes[node]) || !passes(last, node, shared.switched)) continue;
      ProcessorClass own = part.classes[at(part.class_of[node])];
      reset_behind_last(part, own, static_cast<std::int8_t>(last.color));
      part.class_of[node] = static_cast<std::int32_t>(part.classes.size());
      part.classes.push_back(std::move(own));
    }
  }

  /// Whether what a processor sends passes one of the routers.
  [[nodiscard]] bool passes(const User& user, std::size_t node, const std::vector<bool>& routers) const {
    const Routes& routes = routes_[user.part][user.color];
    const Mesh& mesh = parts_[user.part].mesh();
    std::vector<std::size_t> open{node};
    while (!open.empty()) {
      const std::size_t here = open.back();
      open.pop_back();
      if (routers[here]) return true;
      for (int d = 0; d < kDirections - 1; ++d) {
        if (has(routes[here].positions[0].to, direction_at(d))) {
          open.push_back(at(neighbour(mesh, static_cast<NodeId>(here), direction_at(d))));
        }
      }
    }
    return false;
  }

  std::span<WaferProgram> parts_;
  std::span<const Placement> placements_;
  NodeId width_;
  std::vector<std::vector<Routes>> routes_;  ///< of each part and color
  std::vector<std::size_t> kind_;            ///< of each part: equal for equal boxes
  std::map<std::pair<std::size_t, std::size_t>, Relation> relations_;
  std::vector<Shared> shared_;  ///< the colors of the program
};

}  // namespace

bool advance_behind_last(ProcessorClass& c, std::int8_t color) {
  auto operation = last_sender(c, color);
  if (operation == c.operations.end()) return false;
  if (operation->times > 1) {
    --operation->times;
    operation = c.operations.insert(operation + 1, *operation);
    operation->times = 1;
  }
  for (Output& output : operation->outputs) {
    if (output.color == color) output.ending = Ending::advance_own;
  }
  return true;
}

PhaseColors share_colors(std::span<WaferProgram> parts, std::span<const Placement> placements, NodeId mesh_width) {
  return Sharing(parts, placements, mesh_width).run();
}

}  // namespace muster::wafer

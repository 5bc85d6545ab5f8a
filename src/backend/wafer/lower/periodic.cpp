// Lowering: rings of switch positions for streams that take turns.
#include "backend/wafer/lower/periodic.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "backend/wafer/directions.h"
#include "base/index.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

/// A stream at a router, and how many positions its end moves the router on.
struct Turn {
  StreamId stream = 0;
  Position role;
  std::int32_t advances = 0;
};

/// A router on one color.
struct Ring {
  NodeId router = 0;
  std::int8_t color = 0;
  std::vector<Turn> turns;  ///< in the order of passing
  std::vector<Position> positions;
};

bool is_one_direction(Directions links) { return links != 0 && (links & (links - 1U)) == 0; }

/// The roles of a router one after another, equal neighbours once: the turns that end them.
std::vector<Turn*> runs_of(Ring& ring) {
  std::vector<Turn*> runs;
  for (Turn& turn : ring.turns) {
    if (!runs.empty() && runs.back()->role == turn.role) {
      runs.back() = &turn;
    } else {
      runs.push_back(&turn);
    }
  }
  return runs;
}

/// The least length after which `count` roles repeat, a whole number of times.
std::size_t period_of(const std::vector<Turn*>& runs, std::size_t count) {
  for (std::size_t period = 1; period < count; ++period) {
    if (count % period != 0) continue;
    bool repeats = true;
    for (std::size_t i = period; i < count && repeats; ++i) repeats = runs[i]->role == runs[i - period]->role;
    if (repeats) return period;
  }
  return count;
}

/// Lays the roles on a ring, with a position between two that differ in more sides than may change at once: there the router
/// still listens to the old side, so that the sender of one command can send the next. False if there are too many positions.
bool close_ring(Ring& ring, const Mesh& mesh) {
  const std::vector<Turn*> runs = runs_of(ring);
  const bool ends_as_it_begins = runs.size() > 1 && runs.front()->role == runs.back()->role;
  const std::size_t period = period_of(runs, runs.size() - (ends_as_it_begins ? 1 : 0));
  if (runs.size() == 1) {
    ring.positions = {runs[0]->role};
    return true;
  }
  std::vector<std::int32_t> advances;
  for (std::size_t i = 0; i < period; ++i) {
    const Position here = runs[i]->role, next = runs[(i + 1) % period]->role;
    const bool between = changed_sides(here, next).both() && !mesh.switch_both_sides;
    ring.positions.push_back(here);
    if (between) ring.positions.push_back({.from = here.from, .to = next.to});
    advances.push_back(between ? 2 : 1);
  }
  if (period == 1 || ring.positions.size() > at(std::clamp(mesh.switch_positions, 1, 4))) return false;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!ends_as_it_begins || i + 1 < runs.size()) runs[i]->advances = advances[i % period];
  }
  return true;
}

class RingMaker {
 public:
  RingMaker(const Schedule& schedule, const StreamRoutes& routes, const StreamOrder& order, const Mesh& mesh)
      : schedule_(schedule), routes_(routes), order_(order), mesh_(mesh), moves_(schedule.streams.size()) {}

  Outcome<Configuration> make() {
    Configuration fabric;
    if (auto refusal = color(fabric.coloring)) return *refusal;
    if (auto refusal = collect(fabric.coloring)) return *refusal;
    if (auto refusal = close()) return *refusal;
    if (auto refusal = write_lists(fabric.coloring)) return *refusal;
    fabric.switching = switching();
    return fabric;
  }

 private:
  /// How far a stream's end moves a router of its path on.
  struct Move {
    std::int32_t hop = 0;
    std::int32_t advances = 0;
  };

  std::optional<Refusal> color(Coloring& coloring) {
    std::array<std::int8_t, 1U << kDirections> color_of{};
    color_of.fill(-1);
    coloring.color.assign(schedule_.streams.size(), 0);
    coloring.endings.assign(schedule_.streams.size(), Ending::nothing);
    for (StreamId s = 0; s < static_cast<StreamId>(schedule_.streams.size()); ++s) {
      if (routes_.empty(s)) continue;
      const Directions links = routes_.links(s);
      if (!is_one_direction(links) || schedule_.streams[at(s)].sinks.count < 2) {
        return Refusal{fmt::format("stream {} is no multicast along one direction", s)};
      }
      std::int8_t& color = color_of.at(links);
      if (color < 0) color = static_cast<std::int8_t>(coloring.count++);
      coloring.color[at(s)] = color;
    }
    colors_ = at(coloring.count);
    return {};
  }

  std::optional<Refusal> collect(const Coloring& coloring) {
    ring_of_.assign(at(schedule_.node_count) * colors_, kNone);
    std::optional<Refusal> refusal;
    for (const StreamId s : order_.sequence) {
      if (routes_.empty(s)) continue;
      routes_.all_visits(s, [&](const Visit& visit) {
        Ring& ring = ring_at(visit.router, coloring.color[at(s)]);
        if (!ring.turns.empty() && !may_follow(ring.turns.back(), s, visit)) {
          refusal = Refusal{fmt::format("streams {} and {} share a color at {} without an order",
                                        ring.turns.back().stream, s, pe_text(mesh_, visit.router))};
          return false;
        }
        ring.turns.push_back({.stream = s, .role = visit.position});
        return true;
      });
      if (refusal) return refusal;
    }
    return {};
  }

  Ring& ring_at(NodeId router, std::int8_t color) {
    std::int32_t& known = ring_of_[at(router) * colors_ + at(color)];
    if (known == kNone) {
      known = static_cast<std::int32_t>(rings_.size());
      rings_.push_back({.router = router, .color = color, .turns = {}, .positions = {}});
    }
    return rings_[at(known)];
  }

  /// Streams of one group may run at once; and a processor takes, and sends, one after another on a color.
  [[nodiscard]] bool may_follow(const Turn& before, StreamId stream, const Visit& visit) const {
    if (order_.group[at(before.stream)] == order_.group[at(stream)]) return false;
    const auto in_one_lane = [&](StepId a, StepId b) {
      return order_.index.lane_of[at(a)] == order_.index.lane_of[at(b)] && a < b;
    };
    if (has(before.role.to, Direction::ramp) && has(visit.position.to, Direction::ramp) &&
        !in_one_lane(order_.taker(before.stream, visit.router), order_.taker(stream, visit.router))) {
      return false;
    }
    const bool both_send = has(before.role.from, Direction::ramp) && has(visit.position.from, Direction::ramp);
    return !both_send || in_one_lane(order_.index.producer[at(before.stream)], order_.index.producer[at(stream)]);
  }

  std::optional<Refusal> close() {
    for (Ring& ring : rings_) {
      if (!close_ring(ring, mesh_)) {
        return Refusal{fmt::format("the roles of the router of {} do not fit on a ring of {} switch positions",
                                   pe_text(mesh_, ring.router), mesh_.switch_positions)};
      }
      for (const Turn& turn : ring.turns) {
        if (turn.advances == 0) continue;
        moves_[at(turn.stream)].push_back({.hop = hops(turn.stream, ring.router), .advances = turn.advances});
      }
    }
    return {};
  }

  [[nodiscard]] std::int32_t hops(StreamId stream, NodeId router) const {
    const NodeId source = schedule_.streams[at(stream)].source;
    return std::abs(router % mesh_.width - source % mesh_.width) +
           std::abs(router / mesh_.width - source / mesh_.width);
  }

  /// The first list moves every router that has to move; a second one moves the sender's own router again, which by then listens to its
  /// processor and passes on nothing else.
  std::optional<Refusal> write_lists(Coloring& coloring) {
    coloring.lists.resize(schedule_.streams.size());
    for (std::size_t s = 0; s < moves_.size(); ++s) {
      if (moves_[s].empty()) continue;
      std::array<Command, kMostCommands> commands{};
      std::int32_t last = 0;
      for (const Move& move : moves_[s]) {
        if (move.hop >= kMostCommands || (move.hop > 0 && move.advances > 1)) {
          return Refusal{
              fmt::format("stream {} would have to move the router {} hops behind its sender by {} positions", s,
                          move.hop, move.advances)};
        }
        commands.at(at(move.hop)) = Command::advance;
        if (move.hop == 0 && move.advances > 1) coloring.lists[s].at(1) = command_list({Command::advance});
        last = std::max(last, move.hop);
      }
      for (std::int32_t hop = 0; hop <= last; ++hop) {
        const bool advances = commands.at(at(hop)) == Command::advance;
        coloring.lists[s].at(0) = with_command(coloring.lists[s].at(0), advances ? Command::advance : Command::nop);
      }
      coloring.endings[s] = Ending::commands;
    }
    return {};
  }

  [[nodiscard]] Switching switching() const {
    Switching switching;
    switching.first.push_back(0);
    for (NodeId router = 0; router < schedule_.node_count; ++router) {
      for (std::size_t color = 0; color < colors_; ++color) {
        const std::int32_t known = ring_of_[at(router) * colors_ + color];
        if (known == kNone) continue;
        const Ring& ring = rings_[at(known)];
        ColorRoute route{
            .color = ring.color, .count = static_cast<std::uint8_t>(ring.positions.size()), .positions = {}};
        std::copy(ring.positions.begin(), ring.positions.end(), route.positions.begin());
        route.ring = ring.positions.size() > 1;
        switching.routes.push_back(route);
        switching.last.push_back(ring.turns.back().stream);
      }
      switching.first.push_back(static_cast<std::int64_t>(switching.routes.size()));
    }
    return switching;
  }

  static constexpr std::int32_t kNone = -1;

  const Schedule& schedule_;
  const StreamRoutes& routes_;
  const StreamOrder& order_;
  const Mesh& mesh_;
  std::size_t colors_ = 0;
  std::vector<Ring> rings_;
  std::vector<std::int32_t> ring_of_;     ///< by router and color: its index in rings_, or kNone
  std::vector<std::vector<Move>> moves_;  ///< of each stream
};

}  // namespace

Outcome<Configuration> configure_in_rings(const Schedule& schedule, const StreamRoutes& routes,
                                          const StreamOrder& order, const Mesh& mesh) {
  return RingMaker(schedule, routes, order, mesh).make();
}

}  // namespace muster::wafer

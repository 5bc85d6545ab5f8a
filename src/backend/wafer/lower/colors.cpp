// Lowering, third stage: colors, chosen greedily from the last consumer upstream, and the switch positions that follow
// from them. In a reduction tree, colors then alternate with the depth: a processor receives on the color that it does
// not send on.
#include <algorithm>

#include "backend/wafer/lower/lower.h"
#include "backend/wafer/lower/tracks.h"
#include "base/index.h"

namespace muster::wafer {
namespace {

constexpr Directions kAlongX = set_of(Direction::east) | set_of(Direction::west);
constexpr Directions kAlongY = set_of(Direction::north) | set_of(Direction::south);

/// Which axes a stream runs along: bit 0 x, bit 1 y.
unsigned axes_of(Directions links) { return ((links & kAlongX) != 0 ? 1U : 0U) | ((links & kAlongY) != 0 ? 2U : 0U); }

class Colorist {
 public:
  explicit Colorist(const ColorQuestion& question) : q_(question), tracks_(question) {}

  /// Gives the stream a color; nothing if it would need one more than there may be.
  std::optional<std::pair<int, Ending>> color(StreamId stream) {
    const unsigned kind = kind_of(stream);
    const bool alike = q_.rules.multicasts_alike && kind == kMulticast;
    const Manners manners{.sides_apart = q_.rules.sides_apart && !alike, .turns_apart = !alike};
    std::optional<std::pair<int, Ending>> chosen;
    for (int c = 0; c < tracks_.colors(); ++c) {
      if (kinds_[at(c)] != kind || is_forbidden(stream, c)) continue;
      const Fit fit = tracks_.fit(stream, c, manners);
      if (!fit.possible || (chosen && fit.other)) continue;
      chosen = {c, fit.ending()};
      if (!fit.other) break;
    }
    while (!chosen) {
      const int fresh = tracks_.colors();
      if (fresh >= q_.most) return {};
      tracks_.add_color();
      kinds_.push_back(kind);
      if (!is_forbidden(stream, fresh)) chosen = {fresh, Ending::nothing};
    }
    tracks_.pass(stream, chosen->first);
    return chosen;
  }

  [[nodiscard]] const Tracks& tracks() const { return tracks_; }

 private:
  static constexpr unsigned kMulticast = 4;
  static constexpr unsigned kEvenField = 5;

  /// Streams of different kinds do not share a color.
  [[nodiscard]] unsigned kind_of(StreamId stream) const {
    const bool multicast = q_.schedule.streams[at(stream)].sinks.count > 1;
    if (multicast && (q_.rules.multicasts_alike || q_.rules.checkered)) return kMulticast;
    if (q_.rules.checkered) {
      const NodeId from = q_.schedule.streams[at(stream)].source;
      return kEvenField + static_cast<unsigned>(from % q_.mesh.width + from / q_.mesh.width) % 2U;
    }
    if (q_.rules.directions_apart) return q_.routes.links(stream);
    return q_.rules.axes_apart ? axes_of(q_.routes.links(stream)) : 0U;
  }

  [[nodiscard]] bool is_forbidden(StreamId stream, int color) const {
    return !q_.forbidden.empty() && ((q_.forbidden[at(stream)] >> color) & 1U) != 0;
  }

  const ColorQuestion& q_;
  Tracks tracks_;
  std::vector<unsigned> kinds_;  ///< of each color
};

/// The positions of a router in the order of passing.
ColorRoute route_of(const Track& track, int color) {
  ColorRoute route{.color = static_cast<std::int8_t>(color), .count = track.count, .positions = {}};
  std::reverse_copy(track.reverse.begin(), track.reverse.begin() + track.count, route.positions.begin());
  return route;
}

Switching make_switching(const Tracks& tracks, NodeId routers) {
  Switching switching;
  switching.first.reserve(at(routers) + 1);
  switching.first.push_back(0);
  for (NodeId router = 0; router < routers; ++router) {
    for (int color = 0; color < tracks.colors(); ++color) {
      const Track& track = tracks.find(router, color);
      if (track.count == 0) continue;
      switching.routes.push_back(route_of(track, color));
      switching.last.push_back(track.last);
    }
    switching.first.push_back(static_cast<std::int64_t>(switching.routes.size()));
  }
  return switching;
}

}  // namespace

bool axes_meet(const Schedule& schedule, const StreamRoutes& routes) {
  std::vector<std::uint8_t> sends(at(schedule.node_count), 0), takes(at(schedule.node_count), 0);
  const auto both = [](std::uint8_t& axes, unsigned axis) {
    axes = static_cast<std::uint8_t>(axes | axis);
    return axes == 3U;
  };
  for (StreamId s = 0; s < static_cast<StreamId>(schedule.streams.size()); ++s) {
    const unsigned axis = axes_of(routes.links(s));
    if (axis == 0U || axis == 3U) continue;
    const Stream& stream = schedule.streams[at(s)];
    if (both(sends[at(stream.source)], axis)) return true;
    const auto sinks = schedule.sinks_of(stream);
    if (std::any_of(sinks.begin(), sinks.end(), [&](NodeId n) { return both(takes[at(n)], axis); })) return true;
  }
  return false;
}

std::optional<ColorsAndPositions> choose_colors(const ColorQuestion& question) {
  ColorsAndPositions fabric;
  Coloring& coloring = fabric.coloring;
  coloring.color.assign(question.schedule.streams.size(), 0);
  coloring.endings.assign(question.schedule.streams.size(), Ending::nothing);
  Colorist colorist(question);
  const auto& sequence = question.order.sequence;
  for (auto s = sequence.rbegin(); s != sequence.rend(); ++s) {
    if (question.routes.empty(*s)) continue;  // without elements: nothing is sent
    const auto chosen = colorist.color(*s);
    if (!chosen) return {};
    coloring.color[at(*s)] = static_cast<std::int8_t>(chosen->first);
    coloring.endings[at(*s)] = chosen->second;
  }
  coloring.count = colorist.tracks().colors();
  fabric.switching = make_switching(colorist.tracks(), question.schedule.node_count);
  return fabric;
}

const ColorRoute* Switching::find(NodeId router, std::int8_t color) const {
  const auto here = this->at(router);
  const auto found = std::find_if(here.begin(), here.end(), [&](const ColorRoute& r) { return r.color == color; });
  return found == here.end() ? nullptr : &*found;
}

}  // namespace muster::wafer

// Lowering, fourth stage: the switch positions that each router needs, in the order in which streams pass it, and the
// endings of streams that move them on.
#include <algorithm>

#include "backend/wafer/directions.h"
#include "backend/wafer/lower/lower.h"
#include "base/index.h"

namespace muster::wafer {
namespace {

constexpr StreamId kNoStream = -1;
constexpr int kNoPosition = -1;

/// One color at one router while its positions are collected.
struct Track {
  ColorRoute route;
  std::array<StreamId, 4> opener{};  ///< the first stream of each position
  std::array<StreamId, 4> closer{};  ///< the last one
  bool crowded = false;
};

/// What the routers on a stream's way want of its end.
struct Wishes {
  bool own = false;             ///< its source wants to advance
  bool other = false;           ///< another router wants to
  bool hold = false;            ///< a router must stay where it is
  StreamId opener = kNoStream;  ///< the stream that another router advances for
  NodeId router = 0;            ///< that router
};

class Positions {
 public:
  Positions(const Coloring& coloring, const Mesh& mesh, std::vector<Objection>& objections)
      : coloring_(coloring),
        both_sides_(mesh.switch_both_sides),
        most_(static_cast<std::uint8_t>(std::clamp(mesh.switch_positions, 1, 4))),
        objections_(objections),
        wishes_(coloring.color.size()) {
    track_of_.fill(-1);
  }

  /// Appends the routes of one router to `routes`.
  void add_router(NodeId router, std::span<const Passing> passings, std::vector<ColorRoute>& routes) {
    index_.clear();
    for (const Passing& p : passings) index_.push_back(place(router, p));
    for (std::size_t i = 0; i < passings.size(); ++i) {
      const Track& track = tracks_[at(track_of_[color_of(passings[i].stream)])];
      if (track.crowded && passings[i].position != track.route.positions[0]) {
        objections_.push_back({passings[i].stream, router, "too many switch positions"});
      }
      if (index_[i] != kNoPosition) note_wishes(router, passings[i], track, static_cast<std::size_t>(index_[i]));
    }
    std::sort(tracks_.begin(), tracks_.end(),
              [](const Track& a, const Track& b) { return a.route.color < b.route.color; });
    for (const Track& track : tracks_) {
      routes.push_back(track.route);
      track_of_[static_cast<std::size_t>(track.route.color)] = -1;
    }
    tracks_.clear();
  }

  std::vector<Ending> endings() {
    std::vector<Ending> endings(wishes_.size(), Ending::nothing);
    for (std::size_t s = 0; s < wishes_.size(); ++s) {
      const Wishes& w = wishes_[s];
      if (w.other && w.hold) {
        objections_.push_back({w.opener, w.router, "a control wavelet would move another router too early"});
      }
      if (w.other) {
        endings[s] = Ending::advance;
      } else if (w.own) {
        endings[s] = Ending::advance_own;
      }
    }
    return endings;
  }

 private:
  [[nodiscard]] std::size_t color_of(StreamId stream) const {
    return static_cast<std::size_t>(coloring_.color[at(stream)]);
  }

  /// The index of the position in which the stream passes, a new one if it must be.
  int place(NodeId router, const Passing& passing) {
    int& slot = track_of_[color_of(passing.stream)];
    if (slot < 0) {
      slot = static_cast<int>(tracks_.size());
      tracks_.emplace_back().route.color = coloring_.color[at(passing.stream)];
    }
    Track& track = tracks_[at(slot)];
    ColorRoute& route = track.route;
    if (route.count == 0 || route.positions[route.count - 1U] != passing.position) {
      if (route.count == most_) {
        track.crowded = true;
        return kNoPosition;
      }
      if (route.count > 0 && !both_sides_ && changed_sides(route.positions[0], passing.position).both()) {
        objections_.push_back({passing.stream, router, "a switch that changes input and output"});
        return kNoPosition;
      }
      track.opener[route.count] = passing.stream;
      route.positions[route.count++] = passing.position;
    }
    track.closer[route.count - 1U] = passing.stream;
    return route.count - 1;
  }

  void note_wishes(NodeId router, const Passing& passing, const Track& track, std::size_t index) {
    if (index + 1U >= track.route.count) return;  // the last position: advancing has no effect
    Wishes& wishes = wishes_[at(passing.stream)];
    if (track.closer[index] != passing.stream) {
      wishes.hold = true;
    } else if (has(passing.position.from, Direction::ramp)) {
      wishes.own = true;
    } else {
      wishes.other = true;
      wishes.opener = track.opener[index + 1];
      wishes.router = router;
    }
  }

  const Coloring& coloring_;
  bool both_sides_;
  std::uint8_t most_;
  std::vector<Objection>& objections_;
  std::vector<Wishes> wishes_;
  std::array<int, kMaxColors> track_of_{};  ///< of each color at the present router
  std::vector<Track> tracks_;
  std::vector<int> index_;
};

}  // namespace

RouterPassings find_passings(const StreamRoutes& routes, const StreamOrder& order, NodeId routers) {
  RouterPassings result;
  result.first.assign(at(routers) + 1, 0);
  for (const Visit& v : routes.visits) ++result.first[at(v.router) + 1];
  for (std::size_t r = 0; r < at(routers); ++r) result.first[r + 1] += result.first[r];
  result.passings.resize(routes.visits.size());
  std::vector<std::int64_t> next(result.first.begin(), result.first.end() - 1);
  for (const StreamId s : order.sequence) {
    for (const Visit& v : routes.of(s)) {
      result.passings[static_cast<std::size_t>(next[at(v.router)]++)] = {.stream = s, .position = v.position};
    }
  }
  return result;
}

const ColorRoute* Switching::find(NodeId router, std::int8_t color) const {
  const auto here = this->at(router);
  const auto found = std::find_if(here.begin(), here.end(), [&](const ColorRoute& r) { return r.color == color; });
  return found == here.end() ? nullptr : &*found;
}

Switching find_switching(const RouterPassings& passings, const Coloring& coloring, const Mesh& mesh,
                         std::vector<Objection>& objections) {
  Switching switching;
  Positions positions(coloring, mesh, objections);
  switching.first.push_back(0);
  for (NodeId router = 0; router < mesh.width * mesh.height; ++router) {
    positions.add_router(router, passings.at(router), switching.routes);
    switching.first.push_back(static_cast<std::int64_t>(switching.routes.size()));
  }
  switching.endings = positions.endings();
  return switching;
}

}  // namespace muster::wafer

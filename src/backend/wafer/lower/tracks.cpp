// What every color does at every router: the rules of choose_colors, router by router.
#include "backend/wafer/lower/tracks.h"

#include "backend/wafer/directions.h"

namespace muster::wafer {
namespace {

bool from_ramp(const Position& p) { return has(p.from, Direction::ramp); }
bool to_ramp(const Position& p) { return has(p.to, Direction::ramp); }

}  // namespace

Fit Tracks::fit(StreamId stream, int color, Manners manners) const {
  Fit fit;
  const std::vector<Track>& tracks = tracks_[at(color)];
  const std::int32_t group = q_.order.group[at(stream)];
  fit.possible = q_.routes.all_visits(stream, [&](const Visit& v) {
    const Track& track = tracks[at(v.router)];
    if (track.count == 0) return true;
    if (track.group == group || !ordered_at_ramp(stream, v, track, manners)) return false;
    if (v.position == track.reverse[track.count - 1U]) {
      fit.hold |= track.count > 1;  // in the last position, advancing has no effect
    } else {
      if (!new_position(v.position, track, manners)) return false;
      (from_ramp(v.position) ? fit.own : fit.other) = true;
    }
    return !(fit.other && fit.hold);
  });
  return fit;
}

void Tracks::pass(StreamId stream, int color) {
  std::vector<Track>& tracks = tracks_[at(color)];
  const std::int32_t group = q_.order.group[at(stream)];
  q_.routes.all_visits(stream, [&](const Visit& v) {
    Track& track = tracks[at(v.router)];
    if (track.count == 0) track.last = stream;
    if (track.count == 0 || v.position != track.reverse[track.count - 1U]) track.reverse[track.count++] = v.position;
    if (from_ramp(v.position)) track.begins = stream;
    if (to_ramp(v.position)) track.ends = stream;
    track.group = group;
    return true;
  });
}

bool Tracks::ordered_at_ramp(StreamId stream, const Visit& v, const Track& track, Manners manners) const {
  if (from_ramp(v.position)) {
    if (track.ends != kNoStream && manners.turns_apart) return false;
    if (track.begins != kNoStream &&
        !runs_before(q_.order.index.producer[at(stream)], q_.order.index.producer[at(track.begins)])) {
      return false;
    }
  }
  if (!to_ramp(v.position)) return true;
  if (track.begins != kNoStream && manners.turns_apart) return false;
  return track.ends == kNoStream || runs_before(q_.order.taker(stream, v.router), q_.order.taker(track.ends, v.router));
}

/// Whether the router can have one more position. Any of them may turn out to be the base that others are compared
/// with, so no two may differ in both sides where the machine changes one.
bool Tracks::new_position(const Position& position, const Track& track, Manners manners) const {
  if (track.count == most_positions_) return false;
  for (std::size_t i = 0; i < track.count; ++i) {
    const Position& other = track.reverse[i];
    const ChangedSides changed = changed_sides(other, position);
    if (changed.both() && !q_.mesh.switch_both_sides) return false;
    if (manners.sides_apart && changed.input && to_ramp(position) && to_ramp(other)) return false;
  }
  return true;
}

/// Whether step `a` surely ends before step `b` of the same node begins: by their lane, or by one wait.
bool Tracks::runs_before(StepId a, StepId b) const {
  const std::int32_t lane_a = q_.order.index.lane_of[at(a)], lane_b = q_.order.index.lane_of[at(b)];
  if (lane_a == lane_b) return a < b;
  for (StepId s = q_.schedule.lanes[at(lane_b)].first; s <= b; ++s) {
    for (const StepId wait : q_.schedule.waits_of(q_.schedule.steps[at(s)])) {
      if (q_.order.index.lane_of[at(wait)] == lane_a && wait >= a) return true;
    }
  }
  return false;
}

}  // namespace muster::wafer

// What every color does at every router while streams get their colors, in reverse order of passing (colors.cpp).
#pragma once

#include <vector>

#include "backend/wafer/lower/lower.h"
#include "base/index.h"

namespace muster::wafer {

inline constexpr StreamId kNoStream = -1;

/// One color at one router. Streams come in reverse, so "earliest" is the one that came last.
struct Track {
  std::int32_t group = -1;            ///< of the earliest stream
  StreamId last = kNoStream;          ///< the stream that passes last
  StreamId begins = kNoStream;        ///< the earliest that comes from the ramp
  StreamId ends = kNoStream;          ///< the earliest that goes to the ramp
  std::array<Position, 4> reverse{};  ///< positions, the last one first
  std::uint8_t count = 0;
};

/// What one processor does not do on one color.
struct Manners {
  bool sides_apart = true;  ///< receive from two sides
  bool turns_apart = true;  ///< send and receive: a position that changes both sides
};

/// What a stream's end would have to do on a color.
struct Fit {
  bool possible = true;
  bool own = false;    ///< its source's router wants to move on
  bool other = false;  ///< another router wants to: a control wavelet
  bool hold = false;   ///< a router must stay where it is
  [[nodiscard]] Ending ending() const {
    if (other) return Ending::advance;
    return own ? Ending::advance_own : Ending::nothing;
  }
};

class Tracks {
 public:
  explicit Tracks(const ColorQuestion& question)
      : q_(question), most_positions_(static_cast<std::uint8_t>(std::clamp(question.mesh.switch_positions, 1, 4))) {}

  [[nodiscard]] int colors() const { return static_cast<int>(tracks_.size()); }
  void add_color() { tracks_.emplace_back(at(q_.schedule.node_count)); }
  [[nodiscard]] const Track& find(NodeId router, int color) const { return tracks_[at(color)][at(router)]; }

  /// Whether the stream, earlier than all before, may have the color (choose_colors), and what its end must do.
  [[nodiscard]] Fit fit(StreamId stream, int color, Manners manners) const;
  void pass(StreamId stream, int color);

 private:
  [[nodiscard]] bool ordered_at_ramp(StreamId stream, const Visit& v, const Track& track, Manners manners) const;
  [[nodiscard]] bool new_position(const Position& position, const Track& track, Manners manners) const;
  [[nodiscard]] bool runs_before(StepId a, StepId b) const;

  const ColorQuestion& q_;
  std::uint8_t most_positions_;
  std::vector<std::vector<Track>> tracks_;  ///< by color, by router
};

}  // namespace muster::wafer

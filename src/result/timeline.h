// A timeline for pictures and trace viewers: spans of time on named tracks. Independent of families.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"

namespace muster {

/// A track of the picture: a resource that does one thing at a time.
struct TimelineTrack {
  std::string group;  ///< "PE", "link"
  std::string name;   ///< "PE (3,0)", "PE (3,0) lane 1", "(3,0) to west"
};

/// Ticks [begin, end).
struct TimelineSpan {
  std::int32_t track = 0;
  Ticks begin;
  Ticks end;
  std::string label;               ///< "takes color 3, sends color 1"
  std::string mark = {};           ///< a short label for a small box: "17"
  std::int32_t kind = -1;          ///< of Timeline::kinds; -1: none
  std::optional<Ticks> busy = {};  ///< of a span with gaps: how long the track is in use; nothing: all the time
  [[nodiscard]] Ticks in_use() const { return busy.value_or(end - begin); }
};

/// A segment of the critical path.
struct PathLine {
  Ticks begin;
  Ticks end;
  std::string what;
};

/// Time of the critical path by category.
struct PathPart {
  std::string name;  ///< "memory"
  Ticks time;
  std::string meaning;  ///< "reads and writes of a core's memory"
};

struct Timeline {
  bool in_picoseconds = false;          ///< times are picoseconds: the machine has no clock
  std::vector<std::string> kinds = {};  ///< kinds of work, if there are several: "reduce-scatter", "allgather"
  std::string done_to = {};             ///< the object of each kind, "a chunk"; empty: none
  std::vector<TimelineTrack> tracks;
  std::vector<TimelineSpan> spans;        ///< by track, then by time
  std::vector<PathLine> path = {};        ///< the critical path in order of time, if the simulator provides it
  std::vector<PathPart> path_parts = {};  ///< its time by category; they add up to all of it
};

}  // namespace muster

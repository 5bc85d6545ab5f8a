// What happened when, for pictures and trace viewers: spans of time on named tracks. Nothing here knows a family.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"

namespace muster {

/// A line of the picture: something that does one thing at a time.
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
  std::string mark = {};           ///< the same as short as can be, for a small box: "17"
  std::int32_t kind = -1;          ///< of Timeline::kinds; -1: none
  std::optional<Ticks> busy = {};  ///< of a stretch with gaps in it: how long it is in use; nothing: all the time
  [[nodiscard]] Ticks in_use() const { return busy.value_or(end - begin); }
};

/// A stretch of the critical path: what the end of a run hung on.
struct PathLine {
  Ticks begin;
  Ticks end;
  std::string what;
};

/// Time of the critical path by what it was spent on.
struct PathPart {
  std::string name;  ///< "memory"
  Ticks time;
  std::string meaning;  ///< "reads and writes, packet after packet"
};

struct Timeline {
  bool in_picoseconds = false;          ///< of a machine without a clock: so its cycles are meant
  std::vector<std::string> kinds = {};  ///< of what is done, where there are several: "reduce-scatter", "allgather"
  std::string done_to = {};             ///< what each kind is done to, "a chunk"; empty: its name says it
  std::vector<TimelineTrack> tracks;
  std::vector<TimelineSpan> spans;        ///< by track, then by time
  std::vector<PathLine> path = {};        ///< the critical path in order of time, where the simulator knows it
  std::vector<PathPart> path_parts = {};  ///< its time, divided; together all of it
};

}  // namespace muster

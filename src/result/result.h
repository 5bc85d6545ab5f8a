// What a simulation or a run measured, in neutral words: nothing here knows a family.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "result/timeline.h"

namespace muster {

/// Something that was shared and could be busy: all links of one direction, the busiest port, a processor.
struct Resource {
  std::string name;
  Bytes bytes;
  Seconds busy;
  double utilization = 0;
  std::string busiest = {};  ///< of several: which one was busy so long; empty: it is one, or that is not known
};

/// A part of the time of a simulation: what the parts are is the family's matter, together they are all of it.
struct TimePart {
  std::string name;
  Seconds seconds;
};

/// Why a simulation did not end well.
struct Fault {
  std::string kind;   ///< "deadlock", "two inputs", "no route", "left over", ...
  std::string place;  ///< "PE (3,0), color 1"
  Ticks cycle;
  std::string message;                         ///< one or more lines
  bool before_running = false;                 ///< found by a static check: there is no cycle
  std::optional<Seconds> time = std::nullopt;  ///< of a machine without a clock: when, instead of the cycle
};

/// When one node was through with one call.
struct NodeTimes {
  Ticks owed;      ///< its last owed element was stored; 0 if it owes nothing
  Ticks finished;  ///< the cycle in which its last operation ended
  bool operator==(const NodeTimes&) const = default;
};

/// What one simulation returns.
struct Result {
  std::string engine;  ///< which simulator ran
  std::string note;    ///< why not another one, where that was to be expected
  /// Until the last rank that owes a result has stored it. On machines without a clock: picoseconds, which no answer shows.
  std::optional<Ticks> cycles;
  Seconds seconds;
  std::vector<TimePart> parts;                     ///< of the first call, where the family can tell
  std::vector<Ticks> call_cycles;                  ///< when several calls run back to back: the end of each
  std::vector<std::vector<NodeTimes>> node_times;  ///< per call, per node
  std::optional<Fault> fault;
  std::int64_t effort = 0;         ///< what the simulation took: evaluations of streams, where these are followed
  std::int64_t hops = 0;           ///< wavelets or packets moved over links between nodes
  std::optional<int> channels;     ///< colors or virtual channels that the program uses
  std::int64_t max_port_load = 0;  ///< elements through the busiest port of a processor
  double utilization = 0;          ///< bytes sent / (total bandwidth x time)
  std::vector<Resource> resources;
  std::vector<std::vector<std::vector<std::uint32_t>>> outputs;  ///< per call, per node: words that the contract owes
  std::optional<Timeline> timeline;                              ///< if it was asked for
};

}  // namespace muster

// What a simulation measured. Independent of families.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "result/timeline.h"

namespace muster {

/// A shared resource and its load: all links of one direction, the busiest port, a processor.
struct Resource {
  std::string name;
  Bytes bytes;
  Seconds busy;
  double utilization = 0;
  std::string busiest = {};  ///< of several: the busiest one; empty: there is only one, or it is not known
};

/// A part of the time of a simulation. The family defines the parts; they add up to the total.
struct TimePart {
  std::string name;
  Seconds seconds;
};

/// Why a simulation failed.
struct Fault {
  std::string kind;      ///< "deadlock", "two inputs", "no route", "left over", ...
  std::string location;  ///< "PE (3,0), color 1"
  Ticks cycle;
  std::string message;                         ///< one or more lines
  bool before_running = false;                 ///< found by a static check: there is no cycle
  std::optional<Seconds> time = std::nullopt;  ///< of a machine without a clock: when, instead of the cycle
};

/// When one node finished one call.
struct NodeTimes {
  Ticks owed;                         ///< its last required element was stored; 0 if it needs no result
  Ticks finished;                     ///< the cycle in which its last operation ended
  std::optional<Ticks> started = {};  ///< if the simulator says when the node began the call
  bool operator==(const NodeTimes&) const = default;
};

/// What one simulation returns.
struct Result {
  std::string engine;  ///< which simulator ran
  std::string note;    ///< why the engine that would normally run did not
  /// Until the last rank that needs a result has stored it. On machines without a clock: picoseconds, which no answer shows.
  std::optional<Ticks> cycles;
  Seconds seconds;
  std::vector<TimePart> parts;                     ///< of the first call, if the family provides them
  std::vector<Ticks> call_cycles;                  ///< when several calls run back to back: the end of each
  std::vector<std::vector<NodeTimes>> node_times;  ///< per call, per node
  std::optional<Fault> fault;
  std::int64_t effort = 0;         ///< the work of the simulation, in evaluations of streams
  std::int64_t hops = 0;           ///< wavelets or packets moved over links between nodes
  std::optional<int> channels;     ///< colors or virtual channels that the program uses
  std::int64_t max_port_load = 0;  ///< elements through the busiest port of a processor
  double utilization = 0;          ///< bytes sent / (total bandwidth x time)
  std::vector<Resource> resources;
  std::vector<std::vector<std::vector<std::uint32_t>>>
      outputs;                       ///< per call, per node: the words that the contract requires
  std::optional<Timeline> timeline;  ///< if it was asked for
};

}  // namespace muster

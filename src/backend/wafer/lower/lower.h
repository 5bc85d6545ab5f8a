// The stages of the lowering, schedule → program. Each is a function of the ones before it and knows streams and steps,
// never an algorithm:
//   routes      the tree of routers of every stream
//   order       in which order streams pass a router that they share, and which of them run side by side
//   colors      a color for every stream
//   positions   the switch positions of every router, and what moves them on
//   resets      who sends the wavelet that leaves the fabric as it was
//   operations  what every processor runs
// Colors, positions and resets are tried together: a stage that finds a stream that cannot have its color forbids it,
// and the coloring is made again.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "backend/wafer/program.h"
#include "backend/wafer/wafer.h"

namespace muster::wafer {

// --- routes

/// A stream at one router: where it comes from and where it goes.
struct Visit {
  NodeId router = 0;
  Position position;
};

struct StreamRoutes {
  std::vector<Visit> visits;           ///< by stream; no order within a stream
  std::vector<std::int64_t> first{0};  ///< stream s visits [first[s], first[s + 1])
  [[nodiscard]] std::span<const Visit> of(StreamId stream) const {
    const auto s = static_cast<std::size_t>(stream);
    return {visits.data() + first[s], visits.data() + first[s + 1]};
  }
};

/// The tree of every stream: the given one, or x then y to every sink. A stream without elements visits no router.
Outcome<StreamRoutes> find_routes(const Schedule& schedule, const Mesh& mesh);

// --- order

/// A directed graph in one array: the targets of vertex v are to[first[v]] .. to[first[v + 1]].
struct Graph {
  std::vector<std::int64_t> first;
  std::vector<std::int32_t> to;
  [[nodiscard]] std::span<const std::int32_t> of(std::int32_t v) const {
    return {to.data() + first[static_cast<std::size_t>(v)], to.data() + first[static_cast<std::size_t>(v) + 1]};
  }
};

/// The strongly connected component of each vertex, numbered so that an edge never leads to a higher number.
std::vector<std::int32_t> components(const Graph& graph);

/// Who makes and takes each stream, and in which order streams pass.
struct StreamOrder {
  std::vector<StepId> producer;         ///< of each stream
  Graph takers;                         ///< the steps that take each stream, by node
  std::vector<NodeId> step_node;        ///< of each step
  std::vector<std::int32_t> step_lane;  ///< of each step: index into Schedule::lanes
  std::vector<std::int32_t> group;      ///< of each stream: streams of one group may run side by side
  std::vector<StreamId> sequence;       ///< all streams, in the order in which they pass a shared router
  /// The step of `node` that takes the stream.
  [[nodiscard]] StepId taker(StreamId stream, NodeId node) const;
};

/// A step and those that it exchanges streams with run side by side, so they form one group; groups follow each other
/// in the order of lanes and waits. A verified schedule cannot deadlock as a program if
///   - streams pass every router in the order of their groups, and
///   - streams of one group share no color at any router.
/// For consider the first unfinished group: the ways of its streams are empty of what came before and nothing later is
/// ahead, so each stream has the buffers of its way to itself. These hold the elements that the verifier counted on
/// (stream_buffer) and the two control wavelets that may follow, at the sender's ramp, the link and the receiver's ramp.
/// So the group is as free to run as in the schedule.
Outcome<StreamOrder> find_order(const Schedule& schedule);

// --- colors

inline constexpr int kMaxColors = 64;

/// The choice of a color per stream, and the choices that later stages have ruled out.
struct Coloring {
  std::vector<std::int8_t> color;        ///< of each stream
  std::vector<std::uint64_t> forbidden;  ///< of each stream: one bit per color
  int count = 0;                         ///< colors in use
};

/// Gives every stream the lowest color that it may have, last consumer first. Two streams have different colors if
///   - one ends where the other begins (a position would change both sides);
///   - they are of one group and meet at a router: even where one follows the other on the same way, a verified schedule
///     may count on both being under way at once, each in a buffer of its own;
///   - they begin, or end, at one processor and are not ordered there.
/// False if some stream has no color left.
bool choose_colors(const Schedule& schedule, const StreamRoutes& routes, const StreamOrder& order, Coloring& coloring);

// --- positions

/// A stream at a router, in the order of passing.
struct Passing {
  StreamId stream = 0;
  Position position;
};

struct RouterPassings {
  std::vector<Passing> passings;    ///< by router, in the order of passing
  std::vector<std::int64_t> first;  ///< router r: [first[r], first[r + 1])
  [[nodiscard]] std::span<const Passing> at(NodeId router) const {
    const auto r = static_cast<std::size_t>(router);
    return {passings.data() + first[r], passings.data() + first[r + 1]};
  }
};

RouterPassings find_passings(const StreamRoutes& routes, const StreamOrder& order, NodeId routers);

/// A stream that cannot keep its color, because of what the router would need.
struct Objection {
  StreamId stream = 0;
  NodeId router = 0;
  const char* why = "";
};

struct Switching {
  std::vector<ColorRoute> routes;   ///< by router, then by color
  std::vector<std::int64_t> first;  ///< router r: [first[r], first[r + 1])
  std::vector<Ending> endings;      ///< of each stream
  [[nodiscard]] std::span<const ColorRoute> at(NodeId router) const {
    const auto r = static_cast<std::size_t>(router);
    return {routes.data() + first[r], routes.data() + first[r + 1]};
  }
  [[nodiscard]] const ColorRoute* find(NodeId router, std::int8_t color) const;
};

/// Positions in the order of passing, and the endings that move them on. After the last stream of a position, its
/// source advances its own router for free; any other router needs a control wavelet, which acts on all routers of the
/// stream.
Switching find_switching(const RouterPassings& passings, const Coloring& coloring, const Mesh& mesh,
                         std::vector<Objection>& objections);

// --- resets

/// A processor that sends RESET on a color after its last data.
struct ResetSender {
  NodeId node = 0;
  std::int8_t color = 0;
  StreamId last = 0;  ///< the last stream that it sends on the color
};

/// A reset follows the last positions from a processor through the fabric, behind all data. Every router with several
/// positions must be on the way of one.
std::vector<ResetSender> find_resets(const RouterPassings& passings, const Switching& switching,
                                     const Coloring& coloring, const Mesh& mesh, std::vector<Objection>& objections);

// --- operations and budgets

struct Lowered {
  const Schedule& schedule;
  const StreamOrder& order;
  const Coloring& coloring;
  const Switching& switching;
  const std::vector<ResetSender>& resets;  ///< by node
};

/// Fills the classes of the program. Steps become operations, equal neighbours one operation with `times`.
void write_classes(const Lowered& lowered, WaferProgram& program);

/// The hardware color of each color: lowest free first, those with several positions among the switchable ones.
Outcome<std::vector<int>> choose_hardware_colors(const Switching& switching, int count, const Mesh& mesh,
                                                 const LowerOptions& options);

/// Why the program does not fit the memory or the queues of a processor, or nothing.
std::optional<std::string> over_budget(const WaferProgram& program);

}  // namespace muster::wafer

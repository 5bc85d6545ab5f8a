// The stages of the lowering, schedule → program. Each is a function of the ones before it and knows streams and steps,
// never an algorithm:
//   destinations  steps that store and send become several, since an instruction has one destination
//   routes        the tree of routers of every stream
//   order         the order in which streams pass a shared router, and which of them run concurrently
//   colors        a color for every stream, the switch positions of every router, and what advances them
//   resets        which PEs send the wavelet that resets the fabric
//   operations    what every processor runs
//   pieces        operations on scattered elements become one for each piece
// The result corresponds to the CSL instruction by instruction: what is checked, timed and written is the same.
// Colors and resets are chosen together: if no reset would reach a switch, its streams are excluded from that color, and the
// coloring is repeated.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "backend/wafer/program.h"
#include "backend/wafer/wafer.h"
#include "machine/mesh.h"
#include "schedule/index.h"

namespace muster::wafer {

// --- phases

/// Lowers a schedule of phases part by part, if every phase runs at boxes of processors, after all phases before it, and there are
/// enough colors for all parts. The stages below are those of a flat schedule.
Outcome<std::unique_ptr<WaferProgram>> lower_phases(const Schedule& schedule, const Machine& machine,
                                                    const LowerOptions& options);

// --- routes

/// A stream at one router: its input side and its output sides.
struct Visit {
  NodeId router = 0;
  Position position;
};

/// The routers of every stream. A stream to one sink by the default route is stored as its two ends and generated on
/// demand: a star on rows of P processors visits P² / 2 routers per row.
class StreamRoutes {
 public:
  explicit StreamRoutes(NodeId width) : width_(width) {}

  /// Calls visitor(Visit) for every router of the stream until it returns false, in no order; whether it never did.
  template <class Visitor>
  bool all_visits(StreamId stream, Visitor visitor) const;
  /// The directions of its links.
  [[nodiscard]] Directions links(StreamId stream) const { return links_[static_cast<std::size_t>(stream)]; }
  /// Whether it visits any router.
  [[nodiscard]] bool empty(StreamId stream) const { return ends_[static_cast<std::size_t>(stream)].kind == Ends::none; }

  void add_none();
  void add_default(NodeId source, NodeId sink);
  void add_tree(std::span<const Visit> visits);

 private:
  struct Ends {
    enum Kind : std::uint8_t { none, two, tree };
    Kind kind = none;
    NodeId source = 0;
    std::int32_t right = 0;  ///< hops to the east; less than 0: to the west
    std::int32_t down = 0;   ///< hops to the south
    std::int64_t first = 0;  ///< of a tree: its visits are [first, first + count)
    std::int64_t count = 0;
  };
  NodeId width_;
  std::vector<Ends> ends_;
  std::vector<Directions> links_;
  std::vector<Visit> visits_;
};

template <class Visitor>
bool StreamRoutes::all_visits(StreamId stream, Visitor visitor) const {
  const Ends& ends = ends_[static_cast<std::size_t>(stream)];
  if (ends.kind != Ends::two) {
    return std::all_of(visits_.begin() + ends.first, visits_.begin() + ends.first + ends.count, visitor);
  }
  Visit visit{.router = ends.source, .position = {.from = set_of(Direction::ramp)}};
  const auto go = [&](std::int32_t hops, NodeId stride, Direction ahead, Direction back) {
    visit.position.to = set_of(ahead);
    for (std::int32_t h = 0; h < hops; ++h) {
      if (!visitor(visit)) return false;
      visit.router += stride;
      visit.position.from = set_of(back);
    }
    return true;
  };
  const bool passed = ends.right >= 0 ? go(ends.right, 1, Direction::east, Direction::west)
                                      : go(-ends.right, -1, Direction::west, Direction::east);
  if (!passed) return false;
  if (ends.down >= 0 ? !go(ends.down, width_, Direction::south, Direction::north)
                     : !go(-ends.down, -width_, Direction::north, Direction::south)) {
    return false;
  }
  visit.position.to = set_of(Direction::ramp);
  return visitor(visit);
}

/// The tree of every stream: the given one, or x then y to every sink. A stream without elements visits no router.
Outcome<StreamRoutes> find_routes(const Schedule& schedule, const Mesh& mesh);

// --- order

/// The order in which streams pass routers.
struct StreamOrder {
  ScheduleIndex index;
  std::vector<std::int32_t> group;  ///< of each stream: streams of one group may run concurrently
  std::vector<StreamId> sequence;   ///< all streams, in the order in which they pass a shared router: by group,
                                    ///< then by when they end, then from west to east and from north to south
  /// The step of `node` that takes the stream.
  [[nodiscard]] StepId taker(StreamId stream, NodeId node) const;
};

/// A step and those that it exchanges streams with run concurrently, so they form one group; groups follow each other
/// in the order of lanes and waits. A verified schedule cannot deadlock as a program if
///   - streams pass every router in the order of their groups, and
///   - streams of one group share no color at any router.
/// Proof: consider the first unfinished group. The paths of its streams contain no earlier traffic, and nothing later is ahead,
/// so each stream has the buffers of its path to itself. These hold the elements that the verifier assumed (stream_buffer) and the
/// two control wavelets that may follow, at the sender's ramp, the link and the receiver's ramp. So the group can run as in the
/// schedule.
Outcome<StreamOrder> find_order(const Schedule& schedule);

// --- colors and positions

inline constexpr int kMaxColors = 64;

/// Which streams do not share a color although they could. A color with one job needs fewer switch positions and control
/// wavelets, and more processors are alike.
struct ColorRules {
  bool axes_apart = true;         ///< streams along x, along y and along both
  bool multicasts_alike = false;  ///< streams to several sinks share colors among themselves, along whatever axis
  bool sides_apart = true;        ///< streams that come to one processor from different sides, but for those alike
  /// Streams that begin on the white and on the black squares of a checkerboard. Chains along rows and then along
  /// columns need two colors for both: a processor always sends on one and receives on the other, so that each switch
  /// changes one side.
  bool checkered = false;
  /// Streams that run in different directions. Where rows send towards a processor and it sends to them, the colors of
  /// one way would otherwise attract streams of the other, which then lack them.
  bool directions_apart = false;
  auto operator<=>(const ColorRules&) const = default;
};

/// Whether some processor sends to both axes or receives from both: only then does keeping the axes apart save switches.
bool axes_meet(const Schedule& schedule, const StreamRoutes& routes);

/// A color for every stream.
struct Coloring {
  std::vector<std::int8_t> color;   ///< of each stream
  std::vector<Ending> endings;      ///< of each stream: what advances the switches
  std::vector<CommandLists> lists;  ///< of each stream: those of Ending::commands; empty: no stream has that
  int count = 0;                    ///< colors in use
};

/// The positions of every router, in the order of passing.
struct Switching {
  std::vector<ColorRoute> routes;   ///< by router, then by color
  std::vector<StreamId> last;       ///< of each of `routes`: the stream that passes last
  std::vector<std::int64_t> first;  ///< router r: [first[r], first[r + 1])
  [[nodiscard]] std::span<const ColorRoute> at(NodeId router) const {
    const auto r = static_cast<std::size_t>(router);
    return {routes.data() + first[r], routes.data() + first[r + 1]};
  }
  [[nodiscard]] const ColorRoute* find(NodeId router, std::int8_t color) const;
};

/// What the choice of colors depends on.
struct ColorQuestion {
  const Schedule& schedule;
  const StreamRoutes& routes;
  const StreamOrder& order;
  const Mesh& mesh;
  ColorRules rules;
  int most = kMaxColors;                       ///< give up above
  std::span<const std::uint64_t> forbidden{};  ///< of each stream: one bit per color; empty: none
};

/// Gives each stream a color, last consumer first: the lowest that needs no control wavelet, else the lowest possible.
/// Two streams have different colors if
///   - one ends where the other begins: a position would change both sides. Multicasts that the rules treat alike
///     may share it if the machine can change both; the switch keeps them in order, and the two use different queues;
///   - they are of one group and meet at a router: even if one follows the other on the same path, a verified schedule
///     may rely on both being in flight at once, each in its own buffer;
///   - they begin, or end, at one processor and are not ordered there;
///   - a router would need more positions than the machine has, or one that changes both sides where it cannot;
///   - a control wavelet that one router needs would move another one too early. After the last stream of a position,
///     its source advances its own router for free; any other router needs a control wavelet after the stream, which
///     acts on all routers of its path that are not in their last position;
///   - the rules keep them apart.
/// Nothing if it needs more than `most` colors.
struct ColorsAndPositions {
  Coloring coloring;
  Switching switching;
};
std::optional<ColorsAndPositions> choose_colors(const ColorQuestion& question);

// --- resets

/// A processor that sends RESET on a color after its last data.
struct ResetSender {
  NodeId node = 0;
  std::int8_t color = 0;
  StreamId last = 0;  ///< the last stream that it sends on the color
};

/// A color at a router whose switch no reset would reach: streams that pass it in a position other than the first cannot have
/// that color.
struct Objection {
  NodeId router = 0;
  std::int8_t color = 0;
  bool inputs = false;  ///< only those that come from another side
};

struct Resets {
  std::vector<ResetSender> senders;  ///< by node
  std::vector<Objection> objections;
};

/// A reset follows the last positions from a processor through the fabric, after all data. Every router with several
/// positions must be on the path of one.
Resets find_resets(const Switching& switching, const Mesh& mesh);

// --- colors and resets together

struct Configuration {
  Coloring coloring;
  Switching switching;
  std::vector<ResetSender> resets;
};

/// Colors, positions and resets that fit each other: with as few colors as known programs have, and no more than the
/// user's own program leaves, if rules can be found that give so few; else with the fewest found. The search is greedy:
/// a refusal does not prove that there are none.
Outcome<Configuration> configure(const Schedule& schedule, const StreamRoutes& routes, const StreamOrder& order,
                                 const Mesh& mesh, int reserved_channels);

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

/// Instructions work on evenly spaced elements: an operation on scattered ones becomes one per contiguous piece, of which
/// the last one ends its messages; and an exchange without elements on one side becomes a plain send or a plain receive.
/// Messages are split with the operation that sends them, but not at the receiver: colors carry one word after another.
void cut_into_pieces(WaferProgram& program);

/// The hardware color of each color: lowest free first, those with several positions among the switchable ones.
Outcome<std::vector<int>> choose_hardware_colors(const Switching& switching, int count, const Mesh& mesh,
                                                 const LowerOptions& options);

/// The colors that the host library leaves free.
int usable_colors(const Mesh& mesh);

/// Why this many colors are too many, given those of the host library and of the user's own program; or nothing.
std::optional<std::string> too_many_colors(int needed, const Mesh& mesh, int reserved_channels);

/// The estimated memory of a typical program besides vectors.
Bytes usual_program_memory();

/// The first budget of its machine that a program exceeds, or nothing: colors, switch positions, which colors have
/// switches, which sides a position changes, queues, memory. One line: the budget, the PE, needed, available, and a remedy.
/// Memory is that of vectors, and an estimate of code and descriptors.
std::optional<std::string> over_budget(const WaferProgram& program, int reserved_channels);

/// Whether a list of small numbers has this number.
inline bool contains(const std::vector<std::int32_t>& list, int value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

}  // namespace muster::wafer

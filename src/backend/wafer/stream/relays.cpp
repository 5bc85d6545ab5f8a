#include "backend/wafer/stream/relays.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "backend/wafer/stream/measures.h"
#include "backend/wafer/stream/timing.h"
#include "base/index.h"
#include "machine/mesh.h"
#include "machine/shapes.h"

namespace muster::wafer {
namespace {

/// Relays of each chain that stay, to take up what stops for a while: as few as suffice.
constexpr std::array<NodeId, 3> kKept{8, 48, 192};
/// Where times of relays are not asked for, words may wait in the processor at the edge.
constexpr std::array<NodeId, 1> kKeptForEnds{2};

bool is_straight(const ColorRoute& route, Direction from, Direction to) {
  return route.count == 1 && route.positions[0] == Position{set_of(from), set_of(to)};
}

/// Whether all that a processor does is to send its own vectors in a direction, or to relay what comes from the other one.
enum class Role : std::uint8_t { other, edge, relay };

Role role_of(const ProcessorClass& c, Direction to) {
  bool takes = false;
  for (const Operation& o : c.operations) {
    const auto streams =
        std::count_if(o.operands.begin(), o.operands.end(), [](std::int8_t s) { return s != kOwnOperand; });
    const bool passes_on = o.outputs.size() == 1 && o.outputs[0].ending == Ending::nothing;
    if (!passes_on || streams > 1 || o.store != Buffer::none || o.sent != Buffer::none) return Role::other;
    if (o.lane != 0 || !o.after.empty()) return Role::other;
    if (&o != &c.operations.front() && takes != (streams == 1)) return Role::other;
    takes = streams == 1;
  }
  if (c.operations.empty()) return Role::other;
  const bool straight = std::all_of(c.routes.begin(), c.routes.end(), [&](const ColorRoute& route) {
    return is_straight(route, Direction::ramp, to) || (takes && is_straight(route, opposite(to), Direction::ramp));
  });
  if (!straight) return Role::other;
  return takes ? Role::relay : Role::edge;
}

/// Columns next to an edge that can be left out, the one at the edge not among them.
NodeId relays_at(const WaferProgram& program, Direction edge) {
  const Mesh& mesh = program.mesh();
  const auto class_at = [&](NodeId i, NodeId y) {
    const NodeId x = edge == Direction::east ? mesh.width - 1 - i : i;
    return program.class_of[at(y * mesh.width + x)];
  };
  std::vector<Role> roles;
  for (const ProcessorClass& c : program.classes) roles.push_back(role_of(c, opposite(edge)));
  const auto is_all = [&](NodeId i, Role role) {
    for (NodeId y = 0; y < mesh.height; ++y) {
      if (roles[at(class_at(i, y))] != role) return false;
    }
    return true;
  };
  const auto repeats = [&](NodeId i) {
    for (NodeId y = 0; y < mesh.height; ++y) {
      if (class_at(i, y) != class_at(i - 2, y)) return false;
    }
    return true;
  };
  if (!is_all(0, Role::edge)) return 0;
  NodeId relays = 0;
  while (relays + 2 < mesh.width && is_all(relays + 1, Role::relay) && (relays < 2 || repeats(relays + 1))) ++relays;
  return relays;
}

NodeId left_out(NodeId relays, NodeId kept) { return relays <= kept ? 0 : (relays - kept) / 2 * 2; }

struct Narrow {
  NodeId west = 0;  ///< columns left out next to the edge
  NodeId east = 0;
  WaferProgram program;
  std::vector<LaneEnd> starts;
};

class WithoutRelays {
 public:
  WithoutRelays(const WaferProgram& program, Narrow narrow)
      : program_(program),
        narrow_(std::move(narrow)),
        relay_(relay_cycles(program.mesh())),
        cells_(narrow_.program),
        trace_(trace_messages(cells_, 1)) {}

  /// Whether times of relays that were left out are not known.
  [[nodiscard]] bool is_held_up() const { return is_held_up_; }

  std::optional<Progress> run(Effort& effort, bool all_times) {
    if (!trace_.is_sound()) return std::nullopt;
    Timing timing(cells_, trace_, narrow_.starts);
    if (!timing.unsupported().empty() || FabricTiming(program_.mesh()).short_buffers) return std::nullopt;
    const bool is_timed = timing.run(effort.left());
    effort.spent += timing.evaluations();
    if (!is_timed) return std::nullopt;
    is_held_up_ = !edges_are_free(timing);
    if (all_times && is_held_up_) return std::nullopt;
    return widened(progress_of(timing));
  }

 private:
  [[nodiscard]] NodeId narrow_width() const { return narrow_.program.mesh().width; }
  /// The columns left out next to the edge that a processor of the narrow grid is at; negative: it is at none.
  [[nodiscard]] NodeId left_out_behind(NodeId node) const {
    const NodeId x = node % narrow_width();
    if (x == 0 && narrow_.west > 0) return narrow_.west;
    return x == narrow_width() - 1 && narrow_.east > 0 ? narrow_.east : -1;
  }

  /// Whether the processors next to relays that were left out send word after word.
  [[nodiscard]] bool edges_are_free(const Timing& timing) const {
    std::vector<std::int64_t> next(narrow_.program.class_of.size());
    for (std::size_t node = 0; node < next.size(); ++node) {
      next[node] = left_out_behind(static_cast<NodeId>(node)) * relay_;
    }
    for (std::size_t e = 0; e < trace_.executions.size(); ++e) {  // of each processor in their order
      const NodeId node = trace_.executions[e].node;
      if (left_out_behind(node) < 0) continue;
      const Runs used = timing.used(static_cast<std::int32_t>(e));
      if (used.known == 0) continue;
      if (used.begin[0].time != next[at(node)] || used.last() != next[at(node)] + used.known - 1) return false;
      next[at(node)] += used.known;
    }
    return true;
  }

  [[nodiscard]] Progress progress_of(const Timing& timing) const {
    const std::size_t nodes = narrow_.program.class_of.size();
    Progress progress(nodes);
    TrafficCounter counter(cells_, trace_);
    progress.traffic = std::move(counter.traffic);
    progress.hops = counter.hops;
    progress.times = node_times(cells_, trace_, timing, DataContract(narrow_.program), 1).front();
    progress.quiet = link_use(cells_, trace_, timing).last_moved;
    progress.ends = lane_ends(cells_, trace_, timing);
    return progress;
  }

  [[nodiscard]] Progress widened(const Progress& narrow) const {
    const Mesh& mesh = program_.mesh();
    Progress wide(program_.class_of.size());
    for (NodeId y = 0; y < mesh.height; ++y) {
      for (NodeId x = 0; x < mesh.width; ++x) copy(narrow, y, x, wide);
    }
    for (const Traffic& traffic : wide.traffic) {
      for (const std::int64_t words : traffic.link) wide.hops += words;
    }
    for (const Traffic& traffic : narrow.traffic) {
      for (const std::int64_t words : traffic.link) wide.hops -= words;
    }
    wide.hops += narrow.hops;  // relays send no control wavelets: what they add to the links is data
    return wide;
  }

  void copy(const Progress& narrow, NodeId y, NodeId x, Progress& wide) const {
    const NodeId width = program_.mesh().width;
    const NodeId from_east = width - 1 - x;
    if (narrow_.west > 0 && x <= narrow_.west) return copy_chain(narrow, y, x, {x, narrow_.west, 0, 1}, wide);
    if (narrow_.east > 0 && from_east <= narrow_.east) {
      return copy_chain(narrow, y, x, {from_east, narrow_.east, narrow_width() - 1, -1}, wide);
    }
    const std::size_t to = at(y * width + x), from = at(y * narrow_width() + x - narrow_.west);
    wide.ends[to] = narrow.ends[from];
    wide.quiet[to] = narrow.quiet[from];
    wide.traffic[to] = narrow.traffic[from];
    wide.times[to] = narrow.times[from];
  }

  struct Chain {
    NodeId index = 0;     ///< of the processor, counted from the edge
    NodeId left_out = 0;  ///< relays
    NodeId edge = 0;      ///< the column of the narrow grid at the edge
    NodeId inwards = 1;   ///< from a column to the next one further in
  };

  /// The processor at the edge of the narrow grid sends as the last relay that is left out does.
  void copy_chain(const Progress& narrow, NodeId y, NodeId x, const Chain& chain, Progress& wide) const {
    const std::size_t to = at(y * program_.mesh().width + x), edge = at(y * narrow_width() + chain.edge);
    const std::int64_t earlier = (chain.left_out - chain.index) * relay_;
    // Of the two kinds of relays, the first one next to the edge is the first of the narrow grid, too.
    const NodeId alike = chain.index == 0 ? 0 : 2 - chain.index % 2;
    wide.traffic[to] = narrow.traffic[at(y * narrow_width() + chain.edge + chain.inwards * alike)];
    if (is_held_up_) {  // it is done before the next relay further in is
      const std::size_t relay = at(y * narrow_width() + chain.edge + chain.inwards);
      wide.ends[to] = narrow.ends[relay];
      wide.quiet[to] = narrow.quiet[relay];
      return;
    }
    const LaneEnd& end = narrow.ends[edge];
    const std::int64_t handled = chain.index == 0 ? 0 : 1;  // a relay uses a word in the cycle before it sends the sum
    wide.ends[to] = {.next = end.next - earlier - handled,
                     .finish = end.finish - earlier - handled,
                     .datapath = end.datapath - earlier - handled,
                     .ramp = end.ramp - earlier,
                     .known = true};
    wide.quiet[to] = all_links(*std::ranges::max_element(narrow.quiet[edge]) - earlier);
    wide.times[to].finished = Cycles(wide.ends[to].finish);
  }

  const WaferProgram& program_;
  Narrow narrow_;
  std::int64_t relay_;
  Cells cells_;
  Trace trace_;
  bool is_held_up_ = false;  ///< something holds up the processors at the edges
};

/// A contract on the ranks that are left; those that are left out owe nothing.
Contract narrowed(Contract contract, const std::vector<NodeId>& number) {
  const NodeId root = has_root(contract.collective) ? contract.ranks[at(contract.root)] : -1;
  std::vector<NodeId> ranks;
  for (const NodeId rank : contract.ranks) {
    if (number[at(rank)] < 0) continue;
    if (rank == root) contract.root = static_cast<std::int32_t>(ranks.size());
    ranks.push_back(number[at(rank)]);
  }
  contract.ranks = std::move(ranks);
  return contract;
}

Narrow narrowed(const WaferProgram& program, NodeId west, NodeId east) {
  const Mesh& mesh = program.mesh();
  Narrow narrow{.west = west, .east = east};
  const NodeId width = mesh.width - west - east;
  WaferProgram& small = narrow.program;
  small.machine = with_grid(program.machine, width, mesh.height);
  small.arithmetic = program.arithmetic;
  small.spans = program.spans;
  small.extent = program.extent;
  small.classes = program.classes;
  small.colors = program.colors;
  std::vector<NodeId> number(program.class_of.size(), -1);
  for (NodeId y = 0; y < mesh.height; ++y) {
    for (NodeId x = 0; x < width; ++x) {
      const NodeId there = x == 0 ? 0 : x == width - 1 ? mesh.width - 1 : x + west;
      number[at(y * mesh.width + there)] = static_cast<NodeId>(small.class_of.size());
      small.class_of.push_back(program.class_of[at(y * mesh.width + there)]);
      const NodeId behind = x == 0 ? west : x == width - 1 ? east : 0;
      narrow.starts.push_back({.next = behind * relay_cycles(mesh), .known = true});
    }
  }
  for (const Contract& contract : program.contracts) small.contracts.push_back(narrowed(contract, number));
  return narrow;
}

}  // namespace

std::optional<Progress> simulate_without_relays(const WaferProgram& program, Effort& effort, bool all_times) {
  const NodeId west = relays_at(program, Direction::west), east = relays_at(program, Direction::east);
  for (const NodeId kept : all_times ? std::span<const NodeId>(kKept) : kKeptForEnds) {
    if (left_out(west, kept) + left_out(east, kept) == 0) return std::nullopt;
    WithoutRelays narrow(program, narrowed(program, left_out(west, kept), left_out(east, kept)));
    if (auto progress = narrow.run(effort, all_times)) return progress;
    if (!narrow.is_held_up()) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace muster::wafer

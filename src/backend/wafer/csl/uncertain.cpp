// One predicate and one sentence per entry.
#include "backend/wafer/csl/uncertain.h"

#include <algorithm>
#include <bit>

#include "backend/wafer/csl/lanes.h"
#include "backend/wafer/csl/routes.h"
#include "backend/wafer/directions.h"
#include "machine/mesh.h"

namespace muster::wafer {

namespace {

/// Whether some position of some route is of this kind.
template <class Kind>
bool has_position(const CslProgram& csl, Kind kind) {
  return std::any_of(csl.routes.begin(), csl.routes.end(), [&](const ColorRoute& route) {
    for (std::size_t p = 0; p < route.count; ++p) {
      if (kind(route, p)) return true;
    }
    return false;
  });
}

int sides(Directions set) { return std::popcount(static_cast<unsigned>(set)); }

bool past_one(const ColorRoute& route, std::size_t p) { return p > 1 && !route.ring; }

bool in_ring(const ColorRoute& route, std::size_t p) { return p > 0 && route.ring; }

bool pops_alone(const ColorRoute& route, std::size_t /*p*/) { return route.ring && route.count == 1; }

/// The position that a position of the text follows: of a ring, the one before, and from its last one to the first.
const Position& followed(const ColorRoute& route, std::size_t p) {
  if (!route.ring) return route.positions[0];
  return route.positions[p > 0 ? p - 1 : route.count - std::size_t{1}];
}

bool back_to_ramp(const ColorRoute& route, std::size_t p) {
  return has(route.positions[p].from, Direction::ramp) && has(route.positions[p].to, Direction::ramp);
}

bool several_inputs(const ColorRoute& route, std::size_t p) { return sides(route.positions[p].from) > 1; }

/// A ring is written so that none of its positions says so, if one does not.
bool changes_to_multicast(const ColorRoute& route, std::size_t p) {
  if (route.ring) return p == 0 && names_several_outputs(route);
  return p > 0 && sides(route.positions[p].to) > 1 && changed_sides(route.positions[0], route.positions[p]).output;
}

bool both(const ColorRoute& route, std::size_t p) {
  return (p > 0 || route.ring) && changed_sides(followed(route, p), route.positions[p]).both();
}

bool advances_own(const CslProgram& csl) {
  return std::any_of(csl.operations.begin(), csl.operations.end(), [](const CslOperation& o) { return o.advance_own; });
}

bool pops(const CslProgram& csl) {
  return std::any_of(csl.lanes->pops.begin(), csl.lanes->pops.end(), [](bool pops) { return pops; });
}

template <class Kind>
bool has_kind(const CslProgram& csl, Kind kind) {
  return std::any_of(csl.lanes->kinds.begin() + 1, csl.lanes->kinds.end(), kind);
}

bool uses_kind(const CslProgram& csl, VectorInstruction::Kind wanted) {
  return has_kind(csl, [&](const LaneKind& kind) { return kind.kind == wanted && !kind.subtracts; });
}

bool scales_streams(const CslProgram& csl) {
  return has_kind(csl, [](const LaneKind& kind) {
    return kind.kind == VectorInstruction::Kind::multiply && (kind.take >= 0 || kind.send >= 0);
  });
}

/// Some processor takes a color that it sends.
bool sends_and_takes(const CslProgram& csl) { return has_position(csl, back_to_ramp); }

bool side_by_side(const CslProgram& csl) { return csl.lanes->lanes.size() > 1; }

/// From here on, the compiler expands maps of many PEs.
constexpr std::size_t kManyProcessors = 16384;

struct Entry {
  bool (*holds)(const CslProgram& csl);
  const char* sentence;
};

// In the order of docs/wafer.md.
const Entry kEntries[] = {
    {changes_both_sides,
     "switch.changes=\"both sides\": a switch position sets both .rx and .tx; public texts contradict each other on "
     "it."},
    {[](const CslProgram& csl) { return has_position(csl, past_one); },
     "Past .pos1: whether a side that a position does not mention is that of position 0, as here, or of the one "
     "before."},
    {[](const CslProgram& csl) { return has_position(csl, changes_to_multicast); },
     "A switch position whose .tx has several sides."},
    {[](const CslProgram& csl) { return has_position(csl, several_inputs); }, "A route whose .rx has several sides."},
    {[](const CslProgram& csl) { return has_position(csl, back_to_ramp); },
     "A route from the ramp that also leads back to it."},
    {[](const CslProgram& csl) { return csl.uses(CslAction::reset); },
     "A reset acts on every router that it passes, as an advance does, in the default pop mode."},
    {[](const CslProgram& csl) { return csl.lanes == nullptr && advances_own(csl); },
     ".advance_switch of a fabric descriptor is a compile-time expression."},
    {[](const CslProgram& csl) { return csl.packs_two() && !csl.wafer->colors.empty(); },
     "f16: .simd_mode of fabric descriptors, whose extent counts elements, two in each wavelet."},
    {[](const CslProgram& csl) { return csl.tabled || csl.lanes != nullptr || (csl.is_module() && csl.whole); },
     "An asynchronous instruction takes a fabric descriptor whose length was set just before."},
    {[](const CslProgram& csl) { return csl.exchanges(); },
     "The two instructions of an exchange run side by side, in the microthreads of their queues' numbers."},
    {[](const CslProgram& csl) { return !csl.callback.empty(); },
     "@map combines a stream from the fabric with memory by a function of two elements."},
    {[](const CslProgram& csl) { return !csl.queue_sets.empty(); },
     "Queues differ between PEs: descriptors and @initialize_queue get them from parameters."},
    {[](const CslProgram& csl) { return csl.wafer->class_of.size() > kManyProcessors; },
     "Maps of this many PEs: how long the compiler takes to expand them, and whether it bounds loops at compile time."},
    {[](const CslProgram& csl) { return has_position(csl, in_ring); },
     "Rings of switch positions: a side that a position does not mention is that of the one before, and "
     ".current_switch_pos says which holds at the start; so the vendor's 25-point stencil has it."},
    {[](const CslProgram& csl) { return csl.lanes != nullptr && pops(csl); },
     "Control wavelets with several commands, NOP among them, of which every router uses up one (.always_pop); the "
     "bits of "
     "their payload are those of the vendor's 25-point stencil."},
    {[](const CslProgram& csl) { return has_position(csl, pops_alone); }, ".pop_mode for a color with one position."},
    {[](const CslProgram& csl) { return csl.lanes != nullptr && pops(csl) && csl.wafer->mesh().queues_are_bound; },
     "WSE-3: rings, lists of commands and .always_pop, which no public program for it has."},
    {[](const CslProgram& csl) { return csl.lanes != nullptr && sends_and_takes(csl); },
     "A PE takes on a color what it sends on it."},
    {[](const CslProgram& csl) { return csl.lanes != nullptr && side_by_side(csl); },
     "Instructions of several lanes run side by side in microthreads, with one on memory in the foreground."},
    {[](const CslProgram& csl) { return csl.lanes != nullptr && csl.lanes->threads_below_two; },
     "Microthreads 0 and 1, and on WSE-2 output queues 0 and 1, which the host's library has too; so the vendor's "
     "25-point "
     "stencil has it."},
    {[](const CslProgram& csl) { return csl.lanes != nullptr && scales_streams(csl); },
     "An asynchronous product of a stream and a number from an array."},
    {[](const CslProgram& csl) {
       return csl.lanes != nullptr && uses_kind(csl, VectorInstruction::Kind::multiply_add);
     },
     "@fmacs rounds once."},
    {[](const CslProgram& csl) { return csl.is_module(); },
     "An imported module sets routes in a function, and binds its task and queues in its own comptime block."},
    {[](const CslProgram& csl) { return csl.is_module(); },
     "The id of the caller's task is kept in a variable until @activate."},
};

}  // namespace

bool changes_both_sides(const CslProgram& csl) { return has_position(csl, both); }

std::vector<std::string> csl_uncertainties(const CslProgram& csl) {
  std::vector<std::string> sentences;
  for (const Entry& entry : kEntries) {
    if (entry.holds(csl)) sentences.emplace_back(entry.sentence);
  }
  return sentences;
}

}  // namespace muster::wafer

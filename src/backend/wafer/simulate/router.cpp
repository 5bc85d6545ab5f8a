// Routers of the simulated fabric: what may move in a cycle, and what moving it changes.
#include "backend/wafer/simulate/router.h"

#include <algorithm>
#include <bit>

#include "base/index.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

/// Calls `visit(direction)` for each direction of a set.
template <class Visit>
void for_each(Directions set, Visit visit) {
  for (unsigned left = set; left != 0; left &= left - 1) visit(direction_at(std::countr_zero(left)));
}

std::string reset_text(int position, const ColorRoute& route) {
  if (route.ring) return "a reset passes a ring of switch positions, which only an advance moves";
  return fmt::format("a reset passes in position {}, before the last position {}", position, route.count - 1);
}

}  // namespace

Routers::Routers(Fabric& fabric, StripState& strip)
    : fabric_(fabric),
      strip_(strip),
      cells_(fabric.cells.data()),
      first_(cells_ + strip.first_cell),
      queues_(fabric.queues.data()),
      is_watched_(strip.recorder || strip.history),
      hop_latency_(static_cast<Tick>(fabric.program.mesh().hop_latency.value())),
      ramp_latency_(static_cast<Tick>(fabric.program.mesh().ramp_latency.value())),
      arbitration_(fabric.program.mesh().arbitration),
      turn_(arbitration_ == Arbitration::round_robin ? strip.nodes.size() : 0, 0) {}

void Routers::wake_the_waiter(Queue& queue) {
  const Waiter waiter = queue.waiter;
  queue.waiter = {};
  waiter.is_cell() ? strip_.wake_cell(waiter.cell()) : strip_.wake_processor(waiter.processor());
}

inline void Routers::push(Queue& out, bool up, Word word, Stamp::Kind kind, Tick now) {
  out.push(word, Stamp::of_wavelet(kind, now + (up ? ramp_latency_ : hop_latency_)));
  if (out.calls_reader()) [[unlikely]]
    up ? strip_.wake_reading_processor(out) : strip_.wake_reading_cell(out);
}

/// To the first `count` outputs of the position.
inline void Routers::push_all(const Cell& cell, std::size_t count, Word word, Stamp::Kind kind, Tick now) {
  const std::size_t ramp = has(cell.now.to, Direction::ramp) ? cell.fan_out - std::size_t{1} : kDirections;
  for (std::size_t i = 0; i < count; ++i) push(queues_[cell.to[i]], i == ramp, word, kind, now);
}

inline bool Routers::all_have_space(const Cell& cell, Tick now) {
  if (cell.fan_out == 0) return no_route(cell, now);
  for (std::size_t i = 0; i < cell.fan_out; ++i) {
    if (!queues_[cell.to[i]].space().is_free(now)) return false;
  }
  return true;
}

/// Nearly all cells have one input, most have one output, and nearly all wavelets are plain data: everything for these at hand.
inline bool Routers::run_cell(Cell& cell, Directions taken, Tick now) {
  if (cell.only_in == nullptr) [[unlikely]]
    return run_merging_cell(cell, taken, now);
  Queue& in = *cell.only_in;
  const QueueSlot& front = in.first();
  const Stamp stamp = front.stamp();
  if (!stamp.is_ready(now)) [[unlikely]] {
    if (!stamp.is_wavelet()) wait_for_wavelet(cell, in);
    return false;
  }
  if ((cell.now.to & taken) != 0) return false;
  if (cell.only_out == nullptr) return run_spreading_cell(cell, in, now);
  Queue& out = *cell.only_out;
  const Stamp space = out.space();
  if (!space.is_free(now)) [[unlikely]] {
    if (space.is_wavelet()) wait_for_space(cell, out);
    return false;
  }
  if (!stamp.is_plain()) [[unlikely]] {
    move_command(cell, in, now);
    return true;
  }
  const Word word = front.word();
  in.pop(now);
  wake_waiter(in);
  if (is_watched_) [[unlikely]]
    write_down(cell, now);
  push(out, cell.now.to == set_of(Direction::ramp), word, Stamp::Kind::data, now);
  return true;
}

/// Cells are in the order of their hardware colors. The cell that is asked first has the first choice of a link.
template <bool kUpwards>
bool Routers::run_in_order(Tick now) {
  Cell* const cells = first_;
  NodeId router = -1;
  Directions taken = 0;
  bool moved = false;
  const auto visit = [&](std::int32_t i) {
    Cell& cell = cells[i];
    if (cell.router != router) taken = 0;
    router = cell.router;
    const Directions to = cell.now.to;
    if (!run_cell(cell, taken, now)) return;
    taken |= to;
    moved = true;
  };
  if constexpr (kUpwards) {
    strip_.cells.visit_up(visit);
  } else {
    strip_.cells.visit_down(visit);
  }
  return moved;
}

bool Routers::run(Tick now) {
  switch (arbitration_) {
    case Arbitration::lowest_color:
      return run_in_order<true>(now);
    case Arbitration::highest_color:
      return run_in_order<false>(now);
    case Arbitration::round_robin:
      break;
  }
  return run_by_turns(now);
}

/// Several inputs: such a cell stays awake to see whether a second wavelet comes.
bool Routers::run_merging_cell(Cell& cell, Directions taken, Tick now) {
  Queue* const in = one_of_several_inputs(cell, now);
  return in != nullptr && (cell.now.to & taken) == 0 && run_spreading_cell(cell, *in, now);
}

/// Any number of outputs, for a wavelet that is ready.
bool Routers::run_spreading_cell(Cell& cell, Queue& in, Tick now) {
  if (!all_have_space(cell, now)) return false;
  if (!in.first().stamp().is_plain()) {
    move_command(cell, in, now);
    return true;
  }
  const Word word = in.first().word();
  in.pop(now);
  wake_waiter(in);
  if (is_watched_) write_down(cell, now);
  strip_.in_flight += cell.fan_out - 1;
  push_all(cell, cell.fan_out, word, Stamp::Kind::data, now);
  return true;
}

bool Routers::has_input(const Cell& cell, Tick now) {
  return cell.only_in != nullptr ? cell.only_in->first().stamp().is_ready(now)
                                 : one_of_several_inputs(cell, now) != nullptr;
}

/// The input whose first wavelet may move, if there is one.
Queue* Routers::one_of_several_inputs(const Cell& cell, Tick now) {
  Queue* found = nullptr;
  Direction input = Direction::ramp;
  for_each(cell.now.from, [&](Direction d) {
    Queue& in = fabric_.queue(fabric_.in(cell, d));
    if (!in.first().stamp().is_ready(now)) return;
    if (found != nullptr && !strip_.router_fault) {
      strip_.router_fault = Fault{.kind = "two inputs",
                                  .location = fabric_.location(cell),
                                  .cycle = Cycles(now),
                                  .message = fmt::format("wavelets from {} and {} arrive in one cycle on one color",
                                                         direction_name(input), direction_name(d))};
    }
    if (found == nullptr) input = d;
    found = found == nullptr ? &in : found;
  });
  return found;
}

void Routers::write_down(const Cell& cell, Tick now) {
  if (strip_.recorder) strip_.recorder->moves(cell.router, cell.now.to, now);
  if (strip_.history) strip_.history->moves(id_of(cell), cell.now, now);
}

void Routers::wait_for_wavelet(const Cell& cell, Queue& in) {
  StripState::be_called(in);
  strip_.cell_sleeps(id_of(cell));
}

/// The queue is full, and was at the start of the cycle: its reader wakes the cell, unless it is in another strip. A cell whose
/// colors take turns stays awake to see whether it loses a link.
void Routers::wait_for_space(const Cell& cell, Queue& out) {
  const bool is_of_strip = cell.now.to == set_of(Direction::ramp) || strip_.has_cell(out.reader());
  if (!is_of_strip || !turn_.empty()) return;
  out.waiter = Waiter::cell(id_of(cell));
  strip_.cell_sleeps(id_of(cell));
}

bool Routers::no_route(const Cell& cell, Tick now) {
  if (!strip_.router_fault) {
    strip_.router_fault = Fault{.kind = "no route",
                                .location = fabric_.location(cell),
                                .cycle = Cycles(now),
                                .message = fmt::format("position {} sends to {}, where no route accepts this color",
                                                       cell.position, directions_text(cell.now.to))};
  }
  return false;
}

/// A wavelet that commands a switch has been routed by the old position and sets the new one for later wavelets. At a
/// processor a control wavelet is dropped.
void Routers::move_command(Cell& cell, Queue& in, Tick now) {
  const Stamp::Kind kind = in.first().stamp().kind();
  const bool is_data = in.first().stamp().is_data();
  const Word word = in.first().word();
  in.pop(now);
  wake_waiter(in);
  if (is_watched_) [[unlikely]]
    write_down(cell, now);
  const Directions to = cell.now.to;
  const bool is_listed = !is_data && (word & kListed) != 0;
  const Word left = is_listed ? kListed | after_first(static_cast<CommandList>(word)) : word;
  const int pushed = cell.fan_out - (!is_data && has(to, Direction::ramp) ? 1 : 0);
  push_all(cell, static_cast<std::size_t>(pushed), left, is_data ? Stamp::Kind::data : kind, now);
  strip_.in_flight += pushed - 1;
  if (!is_data) {
    fabric_.control_hops[at(cell.router)] += pushed;
    fabric_.dropped[at(cell.router)] += has(to, Direction::ramp) ? 1 : 0;
  }
  if (is_listed && first_command(static_cast<CommandList>(word)) != Command::advance) return;
  obey(cell, kind, now);
}

/// Data that advances the sender's own router is plain data from there on, so it is met only there.
void Routers::obey(Cell& cell, Stamp::Kind kind, Tick now) {
  const ColorRoute& route = *cell.route;
  const bool last = cell.position + 1 >= route.count;
  if (kind == Stamp::Kind::reset) {
    if ((!last || route.ring) && !strip_.router_fault) {
      strip_.router_fault = Fault{.kind = "reset out of order",
                                  .location = fabric_.location(cell),
                                  .cycle = Cycles(now),
                                  .message = reset_text(cell.position, route)};
    }
    fabric_.enter(cell, 0);
    return;
  }
  if (!last) {
    fabric_.enter(cell, static_cast<std::uint8_t>(cell.position + 1));
  } else if (route.ring) {
    fabric_.enter(cell, 0);
  }
}

// --- round robin

bool Routers::run_by_turns(Tick now) {
  NodeId done = -1;
  bool moved = false;
  strip_.cells.visit_up([&](std::int32_t i) {
    const NodeId router = cells_[strip_.first_cell + i].router;
    if (router == done) return;
    done = router;
    moved |= run_router_by_turns(router, now);
  });
  return moved;
}

/// The colors of a router, cyclically from its first one. The color after the first that took a link which another
/// wanted is the first one from the next cycle on.
bool Routers::run_router_by_turns(NodeId router, Tick now) {
  const auto first = static_cast<std::int32_t>(fabric_.first_cell[at(router)]);
  const std::size_t count = fabric_.cells_of(router).size(), turn = turn_[at(router - strip_.nodes.first)];
  std::size_t winner = count;
  std::array<std::size_t, kDirections>
      taker{};  // by output: the index of the cell that took it, in the order of asking
  Directions taken = 0;
  for (std::size_t asked = 0; asked < count; ++asked) {
    const std::int32_t id = first + static_cast<std::int32_t>((turn + asked) % count);
    if (!strip_.cells.has(id - strip_.first_cell)) continue;
    Cell& cell = cells_[id];
    const Directions to = cell.now.to;
    const auto refused = static_cast<Directions>(to & taken);
    if (refused != 0 && winner == count && has_input(cell, now)) {
      for_each(refused, [&](Direction d) { winner = std::min(winner, taker[at(index_of(d))]); });
    }
    if (!run_cell(cell, taken, now)) continue;
    taken |= to;
    for_each(to, [&](Direction d) { taker[at(index_of(d))] = asked; });
  }
  if (winner < count) turn_[at(router - strip_.nodes.first)] = static_cast<std::uint8_t>((turn + winner + 1) % count);
  return taken != 0;
}

}  // namespace muster::wafer

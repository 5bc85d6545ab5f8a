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

}  // namespace

Routers::Routers(Fabric& fabric, NumberSet& processors, Recorder* recorder)
    : fabric_(fabric),
      cells_(fabric.cells.data()),
      queues_(fabric.queues.data()),
      processors_(processors),
      recorder_(recorder),
      hop_latency_(static_cast<Tick>(fabric.program.mesh().hop_latency.value())),
      ramp_latency_(static_cast<Tick>(fabric.program.mesh().ramp_latency.value())),
      arbitration_(fabric.program.mesh().arbitration),
      active_(fabric.cells.size()),
      turn_(arbitration_ == Arbitration::round_robin ? fabric.program.class_of.size() : 0, 0) {}

inline void Routers::push(std::int32_t queue, bool up, Wavelet wavelet, Tick now) {
  Queue& out = queues_[queue];
  out.push({wavelet.word(), wavelet.kind(), now + (up ? ramp_latency_ : hop_latency_)});
  up ? processors_.add(out.reader) : active_.add(out.reader);
}

/// To the first `count` outputs of the position.
inline void Routers::push_all(const Cell& cell, std::size_t count, Wavelet wavelet, Tick now) {
  const std::size_t ramp = has(cell.now.to, Direction::ramp) ? cell.fan_out - std::size_t{1} : kDirections;
  for (std::size_t i = 0; i < count; ++i) push(cell.to[i], i == ramp, wavelet, now);
}

inline bool Routers::has_space(std::int32_t id, const Cell& cell, Tick now) {
  if (cell.only_out == kNoQueue) return all_have_space(cell, now);
  Queue& out = queues_[cell.only_out];
  if (out.has_space(now)) return true;
  wait_for_space(id, cell, out);
  return false;
}

inline bool Routers::all_have_space(const Cell& cell, Tick now) {
  if (cell.fan_out == 0) return no_route(cell, now);
  for (std::size_t i = 0; i < cell.fan_out; ++i) {
    if (!queues_[cell.to[i]].has_space(now)) return false;
  }
  return true;
}

/// A cell with one input, as nearly all have: everything at hand.
inline void Routers::pass(std::int32_t id, Cell& cell, Tick now) {
  Queue& in = queues_[cell.only_in];
  if (in.size() == 0) {
    active_.remove(id);
    return;
  }
  const Wavelet wavelet = in.front();
  if (wavelet.ready() > now || (cell.now.to & taken_) != 0 || !has_space(id, cell, now)) return;
  taken_ |= cell.now.to;
  moved_ = true;
  if (!wavelet.is_plain()) {
    move_command(cell, in, now);
    return;
  }
  in.pop(now);
  wake_waiter(in);
  if (recorder_ != nullptr) recorder_->moves(cell.router, cell.now.to, now);
  if (cell.only_out != kNoQueue) {
    push(cell.only_out, cell.now.to == set_of(Direction::ramp), wavelet, now);
  } else {
    fabric_.in_flight += cell.fan_out - 1;
    push_all(cell, cell.fan_out, wavelet, now);
  }
}

inline void Routers::run_cell(std::int32_t id, Tick now) {
  Cell& cell = cells_[id];
  if (cell.router != router_) {
    router_ = cell.router;
    taken_ = 0;
  }
  cell.only_in != kNoQueue ? pass(id, cell, now) : run_merging_cell(cell, now);
}

/// Cells are in the order of their hardware colors. The cell that is asked first has the first choice of a link.
bool Routers::run(Tick now) {
  moved_ = false;
  router_ = -1;
  switch (arbitration_) {
    case Arbitration::lowest_color:
      active_.visit_up([&](std::int32_t id) { run_cell(id, now); });
      break;
    case Arbitration::highest_color:
      active_.visit_down([&](std::int32_t id) { run_cell(id, now); });
      break;
    case Arbitration::round_robin:
      run_by_turns(now);
      break;
  }
  return moved_;
}

/// The same as pass() for several inputs.
void Routers::run_merging_cell(Cell& cell, Tick now) {
  Queue* const in = one_of_several_inputs(cell, now);
  if (in == nullptr || (cell.now.to & taken_) != 0 || !has_space(kNoCell, cell, now)) return;
  taken_ |= cell.now.to;
  moved_ = true;
  in->front().is_plain() ? move(cell, *in, now) : move_command(cell, *in, now);
}

bool Routers::has_input(const Cell& cell, Tick now) {
  return cell.only_in != kNoQueue ? queues_[cell.only_in].is_ready(now) : one_of_several_inputs(cell, now) != nullptr;
}

/// The input whose first wavelet may move, if there is one.
Queue* Routers::one_of_several_inputs(const Cell& cell, Tick now) {
  Queue* found = nullptr;
  Direction input = Direction::ramp;
  for_each(cell.now.from, [&](Direction d) {
    Queue& in = fabric_.queue(cell.in[at(index_of(d))]);
    if (!in.is_ready(now)) return;
    if (found != nullptr && !fabric_.fault) {
      fabric_.fault = Fault{.kind = "two inputs",
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

/// A cell that found no space.
void Routers::wait_for_space(std::int32_t id, const Cell& cell, Queue& out) {
  // The cell sleeps only if the queue is still full: one that was full at the start of the cycle is tried again in the
  // next. A cell with several inputs stays awake to see whether a second wavelet comes, and a cell whose colors take
  // turns, to see whether it loses a link.
  if (out.is_full() && cell.only_in != kNoQueue && turn_.empty()) {
    out.waiter = Waiter::cell(id);
    active_.remove(id);
  }
}

bool Routers::no_route(const Cell& cell, Tick now) {
  if (!fabric_.fault) {
    fabric_.fault = Fault{.kind = "no route",
                          .location = fabric_.location(cell),
                          .cycle = Cycles(now),
                          .message = fmt::format("position {} sends to {}, where no route accepts this color",
                                                 cell.position, directions_text(cell.now.to))};
  }
  return false;
}

/// A data wavelet that commands no switch.
void Routers::move(Cell& cell, Queue& in, Tick now) {
  const Wavelet wavelet = in.pop(now);
  wake_waiter(in);
  if (recorder_ != nullptr) recorder_->moves(cell.router, cell.now.to, now);
  fabric_.in_flight += cell.fan_out - 1;
  push_all(cell, cell.fan_out, wavelet, now);
}

/// A wavelet that commands a switch has been routed by the old position and sets the new one for later wavelets. At a
/// processor a control wavelet is dropped.
void Routers::move_command(Cell& cell, Queue& in, Tick now) {
  const Wavelet wavelet = in.pop(now);
  wake_waiter(in);
  if (recorder_ != nullptr) recorder_->moves(cell.router, cell.now.to, now);
  const Directions to = cell.now.to;
  const bool is_data = wavelet.is_data();
  const Wavelet next(wavelet.word(), is_data ? Wavelet::Kind::data : wavelet.kind(), 0);
  const int pushed = cell.fan_out - (!is_data && has(to, Direction::ramp) ? 1 : 0);
  push_all(cell, static_cast<std::size_t>(pushed), next, now);
  fabric_.in_flight += pushed - 1;
  if (!is_data) {
    fabric_.control_hops += pushed;
    fabric_.dropped[at(cell.router)] += has(to, Direction::ramp) ? 1 : 0;
  }
  obey(cell, wavelet.kind(), now);
}

/// Data that advances the sender's own router is plain data from there on, so it is met only there.
void Routers::obey(Cell& cell, Wavelet::Kind kind, Tick now) {
  const ColorRoute& route = *cell.route;
  const bool last = cell.position + 1 >= route.count;
  if (kind == Wavelet::Kind::reset) {
    if (!last && !fabric_.fault) {
      fabric_.fault = Fault{.kind = "reset out of order",
                            .location = fabric_.location(cell),
                            .cycle = Cycles(now),
                            .message = fmt::format("a reset passes in position {}, before the last position {}",
                                                   cell.position, route.count - 1)};
    }
    fabric_.enter(cell, 0);
    return;
  }
  if (!last) fabric_.enter(cell, static_cast<std::uint8_t>(cell.position + 1));
}

// --- round robin

void Routers::run_by_turns(Tick now) {
  NodeId done = -1;
  active_.visit_up([&](std::int32_t id) {
    const NodeId router = fabric_.cells[at(id)].router;
    if (router == done) return;
    done = router;
    run_router_by_turns(router, now);
  });
}

/// The colors of a router, cyclically from its first one. The color after the first that took a link which another
/// wanted is the first one from the next cycle on.
void Routers::run_router_by_turns(NodeId router, Tick now) {
  const auto first = static_cast<std::int32_t>(fabric_.first_cell[at(router)]);
  const std::size_t count = fabric_.cells_of(router).size(), turn = turn_[at(router)];
  std::size_t winner = count;
  std::array<std::size_t, kDirections>
      taker{};  // by output: the index of the cell that took it, in the order of asking
  router_ = router;
  taken_ = 0;
  for (std::size_t asked = 0; asked < count; ++asked) {
    const std::int32_t id = first + static_cast<std::int32_t>((turn + asked) % count);
    if (!active_.has(id)) continue;
    const Cell& cell = fabric_.cells[at(id)];
    const Directions before = taken_;
    const auto refused = static_cast<Directions>(cell.now.to & before);
    if (refused != 0 && winner == count && has_input(cell, now)) {
      for_each(refused, [&](Direction d) { winner = std::min(winner, taker[at(index_of(d))]); });
    }
    run_cell(id, now);
    for_each(static_cast<Directions>(taken_ & ~before), [&](Direction d) { taker[at(index_of(d))] = asked; });
  }
  if (winner < count) turn_[at(router)] = static_cast<std::uint8_t>((turn + winner + 1) % count);
}

}  // namespace muster::wafer

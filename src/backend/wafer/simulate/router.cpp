// Routers of the simulated fabric: what may move in a cycle, and what moving it changes.
#include "backend/wafer/simulate/router.h"

#include <algorithm>
#include <bit>

#include "base/index.h"

namespace muster::wafer {
namespace {

/// Calls `visit(direction)` for each direction of a set.
template <class Visit>
void for_each(Directions set, Visit visit) {
  for (unsigned left = set; left != 0; left &= left - 1) visit(direction_at(std::countr_zero(left)));
}

}  // namespace

Routers::Routers(Fabric& fabric)
    : fabric_(fabric),
      hop_latency_(fabric.program.mesh().hop_latency.value()),
      ramp_latency_(fabric.program.mesh().ramp_latency.value()),
      listed_(fabric.program.class_of.size(), 0),
      arbitration_(fabric.program.mesh().arbitration),
      turn_(arbitration_ == Arbitration::round_robin ? listed_.size() : 0, 0) {}

void Routers::notice(std::int32_t id) {
  Cell& cell = fabric_.cells[at(id)];
  ++cell.waiting;
  if (listed_[at(cell.router)] != 0) return;
  listed_[at(cell.router)] = 1;
  fresh_.push_back(cell.router);
}

void Routers::decide(std::int64_t now) {
  moves_.clear();
  std::sort(fresh_.begin(), fresh_.end());
  const auto middle = static_cast<std::ptrdiff_t>(active_.size());
  active_.insert(active_.end(), fresh_.begin(), fresh_.end());
  fresh_.clear();
  std::inplace_merge(active_.begin(), active_.begin() + middle, active_.end());
  std::erase_if(active_, [&](NodeId router) {
    const auto cells = fabric_.cells_of(router);
    const bool holds = std::any_of(cells.begin(), cells.end(), [](const Cell& cell) { return cell.waiting > 0; });
    if (holds) decide_router(router, now);
    listed_[at(router)] = holds ? 1 : 0;
    return !holds;
  });
}

/// Cells stand in the order of their hardware colors. Whoever is asked first has the first choice of a link.
void Routers::decide_router(NodeId router, std::int64_t now) {
  const auto cells = fabric_.cells_of(router);
  const std::size_t first_move = moves_.size(), first = turn_.empty() ? 0 : turn_[at(router)];
  Directions taken = 0, lost = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    std::size_t c = first + i < cells.size() ? first + i : first + i - cells.size();
    if (arbitration_ == Arbitration::highest_color) c = cells.size() - 1 - i;
    const Cell& cell = cells[c];
    Direction input = Direction::ramp;
    if (cell.waiting == 0 || !choose_input(cell, now, input)) continue;
    const auto refused = static_cast<Directions>(cell.now().to & taken);
    if (lost == 0) lost = refused;
    if (refused != 0 || !outputs_free(cell, now)) continue;
    taken |= cell.now().to;
    moves_.push_back({static_cast<std::int32_t>(&cell - fabric_.cells.data()), input});
  }
  if (lost != 0 && !turn_.empty()) next_turn(router, lost, first_move);
}

/// Round robin: the color after the first one that took a link which another wanted is asked first in the next cycle.
void Routers::next_turn(NodeId router, Directions lost, std::size_t first_move) {
  const auto cells = fabric_.cells_of(router);
  while ((fabric_.cells[at(moves_[first_move].cell)].now().to & lost) == 0) ++first_move;
  const std::size_t winner = at(moves_[first_move].cell - fabric_.first_cell[at(router)]);
  turn_[at(router)] = static_cast<std::uint8_t>(winner + 1 == cells.size() ? 0 : winner + 1);
}

bool Routers::choose_input(const Cell& cell, std::int64_t now, Direction& input) {
  bool found = false;
  for_each(cell.now().from, [&](Direction d) {
    if (fabric_.head(cell.in[at(index_of(d))], now) == nullptr) return;
    if (found && !fabric_.fault) {
      fabric_.fault = Fault{.kind = "two inputs",
                            .place = fabric_.place(cell),
                            .cycle = Cycles(now),
                            .message = fmt::format("wavelets from {} and {} arrive in one cycle on one color",
                                                   direction_name(input), direction_name(d))};
    }
    if (!found) input = d;
    found = true;
  });
  return found;
}

bool Routers::outputs_free(const Cell& cell, std::int64_t now) {
  bool free = cell.now().to != 0, routed = free;
  for_each(cell.now().to, [&](Direction d) {
    const std::int32_t queue = cell.out[at(index_of(d))];
    routed &= queue != kNoQueue;
    free = free && routed && fabric_.has_space(queue);
  });
  if (!routed && !fabric_.fault) {
    fabric_.fault = Fault{.kind = "no route",
                          .place = fabric_.place(cell),
                          .cycle = Cycles(now),
                          .message = fmt::format("position {} sends to {}, where nothing takes this color",
                                                 cell.position, directions_text(cell.now().to))};
  }
  return free;
}

/// True if a data wavelet went up the ramp. Control wavelets are dropped at the processor.
bool Routers::move_one(const Move& move, std::int64_t now) {
  Cell& cell = fabric_.cells[at(move.cell)];
  const Directions to = cell.now().to;
  Wavelet wavelet = fabric_.pop(cell.in[at(index_of(move.input))]);
  --cell.waiting;
  const Wavelet::Kind kind = wavelet.kind;
  if (kind != Wavelet::Kind::data) obey(cell, wavelet, move.input, now);
  if (kind == Wavelet::Kind::data_advance_own) wavelet.kind = Wavelet::Kind::data;
  Traffic& traffic = fabric_.traffic[at(cell.router)];
  wavelet.ready = now + hop_latency_;
  for_each(static_cast<Directions>(to & ~set_of(Direction::ramp)), [&](Direction d) {
    const std::int32_t queue = cell.out[at(index_of(d))];
    fabric_.push(queue, wavelet);
    notice(fabric_.queues[at(queue)].cell);
    ++traffic.link[at(index_of(d))];
    fabric_.hops += wavelet.is_data() ? 1 : 0;
  });
  if (!has(to, Direction::ramp)) return false;
  ++traffic.ramp_in;
  if (!wavelet.is_data()) return false;
  ++traffic.data_in;
  wavelet.ready = now + ramp_latency_;
  fabric_.push(cell.out[at(index_of(Direction::ramp))], wavelet);
  return true;
}

/// A wavelet that commands a switch has been routed by the old position and sets the new one for later wavelets.
void Routers::obey(Cell& cell, const Wavelet& wavelet, Direction input, std::int64_t now) {
  const ColorRoute& route = *cell.route;
  const bool last = cell.position + 1 >= route.count;
  if (wavelet.kind == Wavelet::Kind::reset) {
    if (!last && !fabric_.fault) {
      fabric_.fault = Fault{.kind = "reset out of order",
                            .place = fabric_.place(cell),
                            .cycle = Cycles(now),
                            .message = fmt::format("a reset passes in position {}, before the last position {}",
                                                   cell.position, route.count - 1)};
    }
    cell.position = 0;
    return;
  }
  if (wavelet.kind == Wavelet::Kind::data_advance_own && input != Direction::ramp) return;
  if (!last) ++cell.position;
}

}  // namespace muster::wafer

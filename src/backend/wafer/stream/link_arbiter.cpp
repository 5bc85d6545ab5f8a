// Lower colors first. Transits of a cell follow each other in time, so a hint finds those of a given cycle in few steps.
#include "backend/wafer/stream/link_arbiter.h"

#include <algorithm>

namespace muster::wafer {

LinkArbiter::LinkArbiter(const Times& times)
    : times_(times),
      sides_(at(times.cells.count()), 0),
      hint_(at(times.cells.count()), kNone),
      met_(times.trace.transits.size(), 0) {
  for (const Transit& transit : times.trace.transits) sides_[at(transit.cell)] |= transit.to;
}

Runs LinkArbiter::CellChain::runs(std::int32_t id) const {
  if ((times->trace.transits[at(id)].to & to) == 0) return {};
  return times->transits[id];
}

/// Nothing is known of what comes behind one that is not known to its end.
std::int32_t LinkArbiter::CellChain::after(std::int32_t id) const {
  return times->is_complete(id) ? times->trace.transits[at(id)].after : kNone;
}

/// Moves the hint of a cell to its first transit that has not ended before `cycle`, or to its last one.
void LinkArbiter::seek_hint(std::int32_t cell, std::int64_t cycle) {
  const std::vector<Transit>& transits = times_.trace.transits;
  std::int32_t& hint = hint_[at(cell)];
  const auto over = [&](std::int32_t id) { return times_.is_complete(id) && times_.transits[id].last() < cycle; };
  while (transits[at(hint)].before != kNone && !over(transits[at(hint)].before)) hint = transits[at(hint)].before;
  while (transits[at(hint)].after != kNone && over(hint)) hint = transits[at(hint)].after;
}

void LinkArbiter::add_rivals(const Transit& transit, std::int64_t floor, Rivals& rivals) {
  const NodeId router = times_.cells.router(transit.cell);
  chains_.clear();
  chains_.reserve(at(transit.cell - times_.cells.first(router)));
  for (std::int32_t cell = times_.cells.first(router); cell < transit.cell; ++cell) {
    if (hint_[at(cell)] == kNone || (sides_[at(cell)] & transit.to) == 0) continue;
    seek_hint(cell, floor);
    CellChain& chain = chains_.emplace_back();
    chain.times = &times_;
    chain.to = transit.to;
    rivals.add(chain, hint_[at(cell)]);
  }
}

void LinkArbiter::mark_rivals(std::int32_t id, const Runs& now, Window& window) {
  const Transit& transit = times_.trace.transits[at(id)];
  if (hint_[at(transit.cell)] == kNone) hint_[at(transit.cell)] = id;
  const NodeId router = times_.cells.router(transit.cell);
  if (times_.cells.end(router) == transit.cell + 1) return;
  std::int64_t first = INT64_MAX, last = INT64_MIN;
  for (const Runs& runs : {times_.transits[id], now}) {
    if (runs.known == 0) continue;
    first = std::min(first, runs.first());
    last = std::max(last, runs.last());
  }
  for (std::int32_t cell = transit.cell + 1; cell < times_.cells.end(router); ++cell) {
    if (hint_[at(cell)] == kNone || (sides_[at(cell)] & transit.to) == 0) continue;
    seek_hint(cell, first);
    mark_rivals_in(cell, transit, last, window);
  }
}

/// From the cell's hint on: those that move until cycle `last`, the first after it if it had to wait for someone, and what
/// is not known yet.
void LinkArbiter::mark_rivals_in(std::int32_t cell, const Transit& transit, std::int64_t last, Window& window) {
  for (std::int32_t t = hint_[at(cell)]; t != kNone; t = times_.trace.transits[at(t)].after) {
    const Runs runs = times_.transits[t];
    const bool beyond = runs.known > 0 && runs.first() > last;
    if ((!beyond || met_[at(t)] != 0) && (times_.trace.transits[at(t)].to & transit.to) != 0) window.mark_transit(t);
    if (beyond || !times_.is_complete(t)) return;
  }
}

}  // namespace muster::wafer

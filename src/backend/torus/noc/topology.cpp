#include "backend/torus/noc/topology.h"

namespace muster::torus {

Topology::Topology(const Torus& torus, int noc)
    : width_(torus.width),
      height_(torus.height),
      direction_(noc == 0 ? 1 : -1),
      first_axis_(noc == 0 ? to_x : to_y),
      second_axis_(noc == 0 ? to_y : to_x),
      is_worker_(static_cast<std::size_t>(torus.width) * static_cast<std::size_t>(torus.height), false),
      has_worker_column_(static_cast<std::size_t>(torus.width), false),
      has_worker_row_(static_cast<std::size_t>(torus.height), false) {
  for (const std::int32_t x : torus.worker_columns) has_worker_column_[static_cast<std::size_t>(x)] = true;
  for (const std::int32_t y : torus.worker_rows) has_worker_row_[static_cast<std::size_t>(y)] = true;
  for (const std::int32_t y : torus.worker_rows) {
    for (const std::int32_t x : torus.worker_columns) is_worker_[static_cast<std::size_t>(at({.x = x, .y = y}))] = true;
  }
}

RouterId Topology::next(RouterId from, Port axis) const {
  Coordinates c = coordinates(from);
  if (axis == to_x) c.x = (c.x + direction_ + width_) % width_;
  if (axis == to_y) c.y = (c.y + direction_ + height_) % height_;
  return at(c);
}

bool Topology::wraps(RouterId from, Port axis) const {
  const Coordinates c = coordinates(from);
  if (axis == to_x) return c.x == (direction_ > 0 ? width_ - 1 : 0);
  if (axis == to_y) return c.y == (direction_ > 0 ? height_ - 1 : 0);
  return false;
}

Port Topology::toward(RouterId at, RouterId destination) const {
  const Coordinates a = coordinates(at);
  const Coordinates d = coordinates(destination);
  if (a == d) return to_tile;
  if (first_axis_ == to_x) return a.x != d.x ? to_x : to_y;
  return a.y != d.y ? to_y : to_x;
}

std::int32_t Topology::hops(RouterId from, RouterId to) const {
  const Coordinates a = coordinates(from);
  const Coordinates b = coordinates(to);
  return along_x(a.x, b.x) + along_y(a.y, b.y);
}

Topology::Position Topology::position(RouterId at, const Rectangle& area) const {
  const Coordinates c = coordinates(at);
  const std::int32_t column = along_x(area.first.x, c.x);
  const std::int32_t row = along_y(area.first.y, c.y);
  const std::int32_t columns = along_x(area.first.x, area.last.x);
  const std::int32_t rows = along_y(area.first.y, area.last.y);
  if (first_axis_ == to_x) return {.across = column, .line = row, .last_across = columns, .last_line = rows};
  return {.across = row, .line = column, .last_across = rows, .last_line = columns};
}

PortSet Topology::branches(RouterId at, MulticastLeg leg, const Rectangle& area) const {
  const Position here = position(at, area);
  const auto bit = [](Port port) { return static_cast<PortSet>(1U << port); };
  if (leg == MulticastLeg::approach && here.across != 0) return bit(first_axis_);
  if ((leg == MulticastLeg::approach || leg == MulticastLeg::descent) && here.line != 0) return bit(second_axis_);
  PortSet set = is_worker(at) ? bit(to_tile) : PortSet{0};
  if (leg == MulticastLeg::across) {
    if (here.across < here.last_across) set |= bit(first_axis_);
    return set;
  }
  if (here.last_across > 0 && has_workers_across(at)) set |= bit(first_axis_);
  if (here.line < here.last_line) set |= bit(second_axis_);
  return set;
}

bool Topology::has_workers_across(RouterId at) const {
  const Coordinates c = coordinates(at);
  return first_axis_ == to_x ? has_worker_row_[static_cast<std::size_t>(c.y)]
                             : has_worker_column_[static_cast<std::size_t>(c.x)];
}

MulticastLeg Topology::next_leg(RouterId at, MulticastLeg leg, Port port, const Rectangle& area) const {
  const Position here = position(at, area);
  const bool is_before = leg == MulticastLeg::approach || leg == MulticastLeg::descent;
  if (port == second_axis_) return is_before && here.line != 0 ? MulticastLeg::descent : MulticastLeg::trunk;
  return leg == MulticastLeg::approach && here.across != 0 ? MulticastLeg::approach : MulticastLeg::across;
}

std::int32_t Topology::depth(RouterId from, const Rectangle& area) const {
  const Coordinates c = coordinates(from);
  return along_x(c.x, area.first.x) + along_x(area.first.x, area.last.x) + along_y(c.y, area.first.y) +
         along_y(area.first.y, area.last.y);
}

bool Topology::contains(const Rectangle& area, RouterId tile) const {
  const Coordinates c = coordinates(tile);
  return along_x(area.first.x, c.x) <= along_x(area.first.x, area.last.x) &&
         along_y(area.first.y, c.y) <= along_y(area.first.y, area.last.y);
}

}  // namespace muster::torus

// Builds the fabric of a program: a cell per router and color, and the queues between them.
#include "backend/wafer/simulate/fabric.h"

#include <algorithm>
#include <bit>

#include "base/index.h"

namespace muster::wafer {
namespace {

Directions inputs_of(const ColorRoute& route) {
  Directions set = 0;
  for (std::uint8_t p = 0; p < route.count; ++p) set |= route.positions[p].from;
  return set;
}

Directions outputs_of(const ColorRoute& route) {
  Directions set = 0;
  for (std::uint8_t p = 0; p < route.count; ++p) set |= route.positions[p].to;
  return set;
}

/// The queue of the only direction in a set; kNoQueue if there are none or several.
std::int32_t only(const std::array<std::int32_t, kDirections>& queues, Directions set) {
  return std::has_single_bit(set) ? queues[at(std::countr_zero(set))] : kNoQueue;
}

}  // namespace

void Cell::enter(std::uint8_t new_position) {
  position = new_position;
  now = route->positions[new_position];
  only_in = only(in, now.from);
  only_out = only(out, now.to);
}

Fabric::Fabric(const WaferProgram& p) : program(p), dropped(p.class_of.size()), commands(p.class_of.size()) {
  for (const ProcessorClass& c : p.classes) {
    auto& slots = slot_of_.emplace_back(p.colors.size(), -1);
    std::vector<std::int8_t> colors;
    for (const ColorRoute& r : c.routes) colors.push_back(r.color);
    std::sort(colors.begin(), colors.end(),
              [&](std::int8_t a, std::int8_t b) { return p.colors[at(a)] < p.colors[at(b)]; });
    for (std::size_t i = 0; i < colors.size(); ++i) slots[at(colors[i])] = static_cast<std::int8_t>(i);
  }
  first_cell.push_back(0);
  for (NodeId router = 0; router < static_cast<NodeId>(p.class_of.size()); ++router) add_cells(router);
  for (Cell& cell : cells) {
    connect(cell);
    cell.enter(0);
  }
  place_rings();
}

std::int32_t Fabric::cell(NodeId router, std::int8_t color) const {
  const std::int8_t slot = slot_of_[at(program.class_of[at(router)])][at(color)];
  return slot < 0 ? kNoCell : static_cast<std::int32_t>(first_cell[at(router)]) + slot;
}

void Fabric::add_cells(NodeId router) {
  const Mesh& mesh = program.mesh();
  const std::int32_t class_id = program.class_of[at(router)];
  const auto& routes = program.classes[at(class_id)].routes;
  const auto first = static_cast<std::int32_t>(cells.size());
  cells.resize(cells.size() + routes.size());
  for (const ColorRoute& route : routes) {
    const std::int32_t id = first + slot_of_[at(class_id)][at(route.color)];
    Cell& cell = cells[at(id)];
    cell.route = &route;
    cell.router = router;
    cell.in.fill(kNoQueue);
    cell.out.fill(kNoQueue);
    for (int d = 0; d < kDirections; ++d) {
      if (!has(inputs_of(route), direction_at(d))) continue;
      const std::int64_t latency =
          direction_at(d) == Direction::ramp ? mesh.ramp_latency.value() : mesh.hop_latency.value() - 1;
      cell.in[at(d)] = add_queue(id, mesh.router_buffer + latency);
    }
    if (has(outputs_of(route), Direction::ramp)) {
      cell.out[at(index_of(Direction::ramp))] = add_queue(router, mesh.ramp_queue + mesh.ramp_latency.value());
    }
  }
  first_cell.push_back(static_cast<std::int64_t>(cells.size()));
}

void Fabric::connect(Cell& from) {
  for (int d = 0; d < kDirections - 1; ++d) {
    if (!has(outputs_of(*from.route), direction_at(d))) continue;
    const NodeId next = neighbour(program.mesh(), from.router, direction_at(d));
    if (next == kOutside) continue;
    const std::int32_t target = cell(next, from.route->color);
    if (target != kNoCell) from.out[at(d)] = cells[at(target)].in[at(index_of(opposite(direction_at(d))))];
  }
}

std::int32_t Fabric::add_queue(std::int32_t reader, std::int64_t capacity) {
  Queue& queue = queues.emplace_back();
  queue.capacity = static_cast<std::uint32_t>(std::max<std::int64_t>(capacity, 1));
  queue.reader = reader;
  return static_cast<std::int32_t>(queues.size()) - 1;
}

/// Once no queue moves any more.
void Fabric::place_rings() {
  std::size_t size = 0;
  const auto pooled = [](const Queue& queue) {
    return queue.capacity > Queue::kFew ? std::size_t{std::bit_ceil(queue.capacity)} : 0;
  };
  for (const Queue& queue : queues) size += pooled(queue);
  pool_.resize(size);
  Wavelet* next = pool_.data();
  for (Queue& queue : queues) {
    queue.ring = pooled(queue) > 0 ? next : queue.few.data();
    next += pooled(queue);
  }
}

Traffic Fabric::traffic(NodeId router) const {
  Traffic sum;
  const auto pushed = [&](std::int32_t id) { return id == kNoQueue ? 0 : std::int64_t{queue(id).pushed}; };
  for (const Cell& cell : cells_of(router)) {
    for (std::size_t d = 0; d < sum.link.size(); ++d) sum.link[d] += pushed(cell.out[d]);
    sum.data_in += pushed(cell.out[at(index_of(Direction::ramp))]);
    sum.ramp_out += pushed(cell.in[at(index_of(Direction::ramp))]);
  }
  sum.ramp_in = sum.data_in + dropped[at(router)];
  sum.data_out = sum.ramp_out - commands[at(router)];
  return sum;
}

std::int64_t Fabric::hops() const {
  std::int64_t all = 0;
  for (NodeId router = 0; router < static_cast<NodeId>(dropped.size()); ++router) {
    for (const std::int64_t link : traffic(router).link) all += link;
  }
  return all - control_hops;
}

std::string Fabric::place(NodeId router, std::int8_t color) const {
  return fmt::format("{}, color {}", place_text(program.mesh(), router), program.colors[at(color)]);
}

}  // namespace muster::wafer

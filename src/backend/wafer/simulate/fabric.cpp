// Builds the fabric of a program: a cell per router and color, and the queues between them.
#include "backend/wafer/simulate/fabric.h"

#include <algorithm>

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

}  // namespace

Fabric::Fabric(const WaferProgram& p) : program(p), traffic(p.class_of.size()) {
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
  for (Cell& cell : cells) connect(cell);
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
      cell.out[at(index_of(Direction::ramp))] = add_queue(id, mesh.ramp_queue + mesh.ramp_latency.value());
    }
  }
  first_cell.push_back(static_cast<std::int64_t>(cells.size()));
}

void Fabric::connect(Cell& from) {
  for (int d = 0; d < kDirections - 1; ++d) {
    const NodeId next = neighbour(program.mesh(), from.router, direction_at(d));
    if (next == kOutside || !has(outputs_of(*from.route), direction_at(d))) continue;
    const std::int32_t target = cell(next, from.route->color);
    if (target != kNoCell) from.out[at(d)] = cells[at(target)].in[at(index_of(opposite(direction_at(d))))];
  }
}

std::int32_t Fabric::add_queue(std::int32_t cell, std::int64_t capacity) {
  capacity = std::max<std::int64_t>(capacity, 1);
  queues.push_back({.base = static_cast<std::int64_t>(pool_.size()),
                    .capacity = static_cast<std::int32_t>(capacity),
                    .head = 0,
                    .size = 0,
                    .cell = cell});
  pool_.resize(pool_.size() + at(capacity));
  return static_cast<std::int32_t>(queues.size()) - 1;
}

std::string Fabric::place(NodeId router, std::int8_t color) const {
  return fmt::format("{}, color {}", place_text(program.mesh(), router), program.colors[at(color)]);
}

}  // namespace muster::wafer

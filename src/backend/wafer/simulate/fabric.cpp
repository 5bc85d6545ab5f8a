// Builds the fabric of a program: a cell per router and color, and the queues between them.
#include "backend/wafer/simulate/fabric.h"

#include <algorithm>
#include <bit>

#include "base/index.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

/// More than a processor's memory can keep on its way.
constexpr std::uint32_t kMostCapacity = (1U << 24U) - 1;

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

std::size_t Queue::size() const {
  return at(std::count_if(ring, ring + capacity, [](const QueueSlot& slot) { return slot.stamp().is_wavelet(); }));
}

Queue* Fabric::only(const QueueIds& ids, Directions set) {
  if (!std::has_single_bit(set)) return nullptr;
  const std::int32_t id = ids[at(std::countr_zero(set))];
  return id == kNoQueue ? nullptr : &queue(id);
}

void Fabric::enter(Cell& cell, std::uint8_t position) {
  const auto& [in, out] = ends_of(cell);
  cell.position = position;
  cell.now = cell.route->positions[position];
  cell.only_in = only(in, cell.now.from);
  cell.only_out = only(out, cell.now.to);
  cell.fan_out = 0;
  bool is_routed = true;
  for (int d = 0; d < kDirections; ++d) {
    if (!has(cell.now.to, direction_at(d))) continue;
    cell.to[cell.fan_out++] = out[at(d)];
    is_routed &= out[at(d)] != kNoQueue;
  }
  if (!is_routed) cell.fan_out = 0;
}

Fabric::Fabric(const WaferProgram& p, bool wraps)
    : program(p),
      dropped(p.class_of.size()),
      control_hops(p.class_of.size()),
      commands(p.class_of.size()),
      wraps_(wraps) {
  for (const ProcessorClass& c : p.classes) {
    auto& slots = slot_of_.emplace_back(p.colors.size(), -1);
    std::vector<std::int8_t> colors;
    for (const ColorRoute& r : c.routes) colors.push_back(r.color);
    std::sort(colors.begin(), colors.end(),
              [&](std::int8_t a, std::int8_t b) { return p.colors[at(a)] < p.colors[at(b)]; });
    for (std::size_t i = 0; i < colors.size(); ++i) slots[at(colors[i])] = static_cast<std::int8_t>(i);
  }
  reserve();
  first_cell.push_back(0);
  for (NodeId router = 0; router < static_cast<NodeId>(p.class_of.size()); ++router) add_cells(router);
  for (Cell& cell : cells) {
    connect(cell);
    enter(cell, 0);
  }
  place_rings();
}

std::int32_t Fabric::cell(NodeId router, std::int8_t color) const {
  const std::int8_t slot = slot_of_[at(program.class_of[at(router)])][at(color)];
  return slot < 0 ? kNoCell : static_cast<std::int32_t>(first_cell[at(router)]) + slot;
}

/// For all cells and queues, which are many.
void Fabric::reserve() {
  std::vector<std::size_t> cells_of_class, queues_of_class;
  for (const ProcessorClass& c : program.classes) {
    cells_of_class.push_back(c.routes.size());
    std::size_t count = 0;
    for (const ColorRoute& route : c.routes) {
      count +=
          static_cast<std::size_t>(std::popcount(inputs_of(route))) + (has(outputs_of(route), Direction::ramp) ? 1 : 0);
    }
    queues_of_class.push_back(count);
  }
  std::size_t all_cells = 0, all_queues = 0;
  for (const std::int32_t class_id : program.class_of) {
    all_cells += cells_of_class[at(class_id)];
    all_queues += queues_of_class[at(class_id)];
  }
  first_cell.reserve(program.class_of.size() + 1);
  cells.reserve(all_cells);
  ends_.reserve(all_cells);
  queues.reserve(all_queues);
}

void Fabric::add_cells(NodeId router) {
  const Mesh& mesh = program.mesh();
  const std::int32_t class_id = program.class_of[at(router)];
  const auto& routes = program.classes[at(class_id)].routes;
  const auto first = static_cast<std::int32_t>(cells.size());
  cells.resize(cells.size() + routes.size());
  ends_.resize(cells.size());
  for (const ColorRoute& route : routes) {
    const std::int32_t id = first + slot_of_[at(class_id)][at(route.color)];
    Cell& cell = cells[at(id)];
    cell.route = &route;
    cell.router = router;
    auto& [in, out] = ends_[at(id)];
    in.fill(kNoQueue);
    out.fill(kNoQueue);
    for (int d = 0; d < kDirections; ++d) {
      if (!has(inputs_of(route), direction_at(d))) continue;
      const std::int64_t latency =
          direction_at(d) == Direction::ramp ? mesh.ramp_latency.value() : mesh.hop_latency.value() - 1;
      in[at(d)] = add_queue(id, mesh.router_buffer + latency);
    }
    if (has(outputs_of(route), Direction::ramp)) {
      out[at(index_of(Direction::ramp))] = add_queue(router, mesh.ramp_queue + mesh.ramp_latency.value());
    }
  }
  first_cell.push_back(static_cast<std::int64_t>(cells.size()));
}

NodeId Fabric::next_router(NodeId router, Direction direction) const {
  const Mesh& mesh = program.mesh();
  const NodeId next = neighbour(mesh, router, direction);
  if (next != kOutside || !wraps_) return next;
  const NodeId row = mesh.width, column = mesh.width * (mesh.height - 1);
  switch (direction) {
    case Direction::east:
      return router - (row - 1);
    case Direction::west:
      return router + (row - 1);
    case Direction::south:
      return router - column;
    default:
      return router + column;
  }
}

void Fabric::connect(const Cell& from) {
  QueueIds& out = ends_[static_cast<std::size_t>(&from - cells.data())].out;
  for (int d = 0; d < kDirections - 1; ++d) {
    if (!has(outputs_of(*from.route), direction_at(d))) continue;
    const NodeId next = next_router(from.router, direction_at(d));
    if (next == kOutside) continue;
    const std::int32_t target = cell(next, from.route->color);
    if (target != kNoCell) out[at(d)] = in(cells[at(target)], opposite(direction_at(d)));
  }
}

std::int32_t Fabric::add_queue(std::int32_t reader, std::int64_t capacity) {
  Queue& queue = queues.emplace_back();
  queue.capacity = static_cast<std::uint32_t>(std::clamp<std::int64_t>(capacity, 1, kMostCapacity));
  queue.reader_code = reader;
  queue.call_reader(true);
  return static_cast<std::int32_t>(queues.size()) - 1;
}

/// Once no queue moves any more.
void Fabric::place_rings() {
  std::size_t size = 0;
  const auto pooled = [](const Queue& queue) { return queue.capacity > Queue::kFew ? queue.capacity : 0; };
  for (const Queue& queue : queues) size += pooled(queue);
  pool_.resize(size);
  QueueSlot* next = pool_.data();
  for (Queue& queue : queues) {
    queue.ring = pooled(queue) > 0 ? next : queue.few.data();
    next += pooled(queue);
  }
}

Traffic Fabric::traffic(NodeId router) const {
  Traffic sum;
  const auto pushed = [&](std::int32_t id) { return id == kNoQueue ? 0 : std::int64_t{queue(id).pushed}; };
  for (const Cell& cell : cells_of(router)) {
    const auto& [in, out] = ends_of(cell);
    for (std::size_t d = 0; d < sum.link.size(); ++d) sum.link[d] += pushed(out[d]);
    sum.data_in += pushed(out[at(index_of(Direction::ramp))]);
    sum.ramp_out += pushed(in[at(index_of(Direction::ramp))]);
  }
  sum.ramp_in = sum.data_in + dropped[at(router)];
  sum.data_out = sum.ramp_out - commands[at(router)];
  sum.control_hops = control_hops[at(router)];
  return sum;
}

std::string Fabric::location(NodeId router, std::int8_t color) const {
  return fmt::format("{}, color {}", pe_text(program.mesh(), router), program.colors[at(color)]);
}

}  // namespace muster::wafer

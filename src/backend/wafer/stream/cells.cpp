// The cells of a program, and the shape of its operations.
#include <algorithm>

#include "backend/wafer/directions.h"
#include "backend/wafer/stream/trace.h"
#include "base/index.h"

namespace muster::wafer {
namespace {

OperationShape shape_of(const WaferProgram& program, const ClassShape& shape, const Operation& o) {
  OperationShape result;
  result.operation = &o;
  result.exchange = o.sent != Buffer::none;
  result.count = static_cast<std::int32_t>(program.spans.count(o.elements));
  result.sent_count = result.exchange ? static_cast<std::int32_t>(program.spans.count(o.sent_elements)) : 0;
  result.overwrites = result.exchange && o.sent == o.store && program.spans.meet(o.sent_elements, o.store_elements);
  for (const std::int8_t color : o.operands) {
    if (color != kOwnOperand) result.operand_slots.push_back(shape.slot_of[at(color)]);
  }
  for (const Output& output : o.outputs) result.output_slots.push_back(shape.slot_of[at(output.color)]);
  result.cost = static_cast<std::int32_t>(result.operand_slots.size());
  return result;
}

ClassShape shape_of(const WaferProgram& program, const ProcessorClass& c) {
  ClassShape shape;
  for (const ColorRoute& route : c.routes) shape.routes.push_back(&route);
  std::sort(shape.routes.begin(), shape.routes.end(), [&](const ColorRoute* a, const ColorRoute* b) {
    return program.colors[at(a->color)] < program.colors[at(b->color)];
  });
  shape.slot_of.assign(program.colors.size(), kNone);
  for (std::size_t i = 0; i < shape.routes.size(); ++i) {
    shape.slot_of[at(shape.routes[i]->color)] = static_cast<std::int32_t>(i);
  }
  for (std::size_t i = 0; i < c.operations.size(); ++i) {
    if (i > 0 && c.operations[i - 1].lane != c.operations[i].lane) {
      shape.lane_first.push_back(static_cast<std::int32_t>(i));
    }
    shape.operations.push_back(shape_of(program, shape, c.operations[i]));
    shape.has_waits |= !c.operations[i].after.empty();
  }
  if (!c.operations.empty()) shape.lane_first.push_back(static_cast<std::int32_t>(c.operations.size()));
  return shape;
}

}  // namespace

bool advances(const Message& message, Direction from, std::int32_t hops) {
  switch (message.ending) {
    case Ending::advance:
      return true;
    case Ending::advance_own:
      return from == Direction::ramp;
    case Ending::commands:
      return command_at(message.commands, hops) == Command::advance;
    default:
      return false;
  }
}

bool accepts_ever(const ColorRoute& route, Direction d) {
  for (std::uint8_t p = 0; p < route.count; ++p) {
    if (has(route.positions[p].from, d)) return true;
  }
  return false;
}

Cells::Cells(const WaferProgram& program) : program_(program) {
  for (const ProcessorClass& c : program.classes) classes_.push_back(shape_of(program, c));
  first_.reserve(program.class_of.size() + 1);
  std::size_t cells = 0;
  for (const std::int32_t c : program.class_of) cells += classes_[at(c)].routes.size();
  router_.reserve(cells);
  first_.push_back(0);
  for (NodeId node = 0; node < static_cast<NodeId>(program.class_of.size()); ++node) {
    router_.resize(router_.size() + shape(node).routes.size(), node);
    first_.push_back(static_cast<std::int32_t>(router_.size()));
  }
}

std::int32_t Cells::next(std::int32_t cell, Direction d) const {
  const NodeId there = neighbour(program_.mesh(), router(cell), d);
  if (there == kOutside) return kNone;
  const ClassShape& other = shape(there);
  const std::int32_t slot = other.slot_of[at(route(cell).color)];
  if (slot == kNone || !accepts_ever(*other.routes[at(slot)], opposite(d))) return kNone;
  return first(there) + slot;
}

bool Cells::has_waits() const {
  return std::any_of(classes_.begin(), classes_.end(), [](const ClassShape& shape) { return shape.has_waits; });
}

std::string Cells::location(std::int32_t cell) const {
  return fmt::format("{}, color {}", pe_text(program_.mesh(), router(cell)), program_.colors[at(route(cell).color)]);
}

}  // namespace muster::wafer

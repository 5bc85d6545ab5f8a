// Who waits for what when nothing moves any more, and what is not as it was at the start.
#include "backend/wafer/simulate/make_result.h"
#include "base/index.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

constexpr std::size_t kMostLines = 8;

std::string_view kind_text(const QueueSlot& wavelet) {
  switch (wavelet.stamp().kind()) {
    case Stamp::Kind::advance:
      return (wavelet.word() & kListed) != 0 ? "a list of commands" : "an advance";
    case Stamp::Kind::reset:
      return "a reset";
    default:
      return "data";
  }
}

/// One line per input queue of the cell that holds something.
void describe_cell(const Fabric& fabric, const Cell& cell, std::vector<std::string>& lines) {
  for (int d = 0; d < kDirections; ++d) {
    const std::int32_t queue = fabric.in(cell, direction_at(d));
    if (queue == kNoQueue || fabric.queue(queue).size() == 0) continue;
    const bool accepted = has(cell.now.from, direction_at(d));
    lines.push_back(fmt::format("{}: {} from {} waits{}; position {} accepts from {} and sends to {}",
                                fabric.location(cell), kind_text(fabric.queue(queue).first()),
                                direction_name(direction_at(d)), accepted ? " for space" : "", cell.position,
                                directions_text(cell.now.from), directions_text(cell.now.to)));
  }
}

std::string colors_text(const Fabric& fabric, const Operation& operation) {
  std::string text;
  for (const std::int8_t color : operation.operands) {
    if (color != kOwnOperand) text += fmt::format(" color {}", fabric.program.colors[at(color)]);
  }
  for (const Output& output : operation.outputs) {
    text += fmt::format(" space on color {}", fabric.program.colors[at(output.color)]);
  }
  return text.empty() ? " another operation" : text;
}

void describe_processor(const Fabric& fabric, const Processors& processors, NodeId node,
                        std::vector<std::string>& lines) {
  if (processors.done(node)) return;
  const auto& code = processors.code(node);
  for (std::size_t l = 0; l < code.lanes.size(); ++l) {
    const LaneState lane = processors.lane(node, l);
    if (at(lane.operation) >= code.lanes[l].operations.size()) continue;
    const OperationCode& o = code.lanes[l].operations[at(lane.operation)];
    lines.push_back(fmt::format("{}: operation {} at element {} of {} waits for{}",
                                pe_text(fabric.program.mesh(), node), code.lanes[l].first + lane.operation, lane.taken,
                                o.elements.count, colors_text(fabric, *o.operation)));
  }
}

/// Data that arrived at a processor that takes no more.
void describe_ramp(const Fabric& fabric, const Cell& cell, std::vector<std::string>& lines) {
  const std::int32_t queue = fabric.out(cell, Direction::ramp);
  if (queue == kNoQueue || fabric.queue(queue).size() == 0) return;
  lines.push_back(
      fmt::format("{}: {} wavelets wait at the processor", fabric.location(cell), fabric.queue(queue).size()));
}

std::string join(const std::vector<std::string>& lines) {
  std::string text;
  for (std::size_t i = 0; i < lines.size() && i < kMostLines; ++i) text += (i == 0 ? "" : "\n") + lines[i];
  if (lines.size() > kMostLines) text += "\nand more";
  return text;
}

}  // namespace

std::optional<Fault> first_fault(const Strips& strips, Arbitration arbitration) {
  // Routers come before processors, and those of high colors first where these have priority.
  const bool is_downwards = arbitration == Arbitration::highest_color;
  for (std::size_t i = 0; i < strips.size(); ++i) {
    const auto& fault = strips[is_downwards ? strips.size() - 1 - i : i]->state.router_fault;
    if (fault) return fault;
  }
  for (const auto& strip : strips) {
    if (strip->state.processor_fault) return strip->state.processor_fault;
  }
  return {};
}

Fault standstill(const Fabric& fabric, const Strips& strips, std::int64_t cycle) {
  std::vector<std::string> lines;
  NodeId where = -1;
  bool is_done = true;
  for (const auto& strip : strips) {
    is_done &= strip->processors.done();
    const auto& [first, end] = strip->state.nodes;
    for (NodeId node = first; node < end && lines.size() <= kMostLines; ++node) {
      describe_processor(fabric, strip->processors, node, lines);
      for (const Cell& cell : fabric.cells_of(node)) {
        describe_cell(fabric, cell, lines);
        describe_ramp(fabric, cell, lines);
      }
      if (where < 0 && !lines.empty()) where = node;
    }
  }
  return Fault{.kind = is_done ? "left over" : "deadlock",
               .location = pe_text(fabric.program.mesh(), std::max<NodeId>(where, 0)),
               .cycle = Cycles(cycle),
               .message = join(lines)};
}

std::optional<Fault> switch_left_over(const Fabric& fabric, std::int64_t cycle) {
  for (const Cell& cell : fabric.cells) {
    if (cell.position == 0) continue;
    return Fault{.kind = "switch",
                 .location = fabric.location(cell),
                 .cycle = Cycles(cycle),
                 .message = fmt::format("left in position {}; the next call needs position 0", cell.position)};
  }
  return {};
}

Fault gave_up(std::int64_t in_flight, std::int64_t cycle) {
  return Fault{.kind = "gave up",
               .location = "",
               .cycle = Cycles(cycle),
               .message = fmt::format("not finished after {} cycles; {} wavelets are in flight", cycle, in_flight)};
}

}  // namespace muster::wafer

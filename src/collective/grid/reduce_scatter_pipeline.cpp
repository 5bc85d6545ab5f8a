// Pipelined reduce-scatter: for every block, a chain of PEs from either end of the line adds up what it passes, towards
// the PE that owes the block. On a grid the columns do this with the runs of whole rows, then the rows with their blocks.
//
// Steps: the blocks in the order of ranks. So a PE first forwards sums for those before it, towards the lower end, then takes
// its own from both sides, then forwards sums for those behind it. Two colors that alternate from PE to PE, no switches.
// Busiest port: PE i of n takes the blocks up to i from one side and those from i on from the other, B + b in all. Cost
// (ours), for a line of n PEs with W words, p in a piece and c = 2 T_R + h + 1 per relay: the port is in use all the time but
// for the relays of the first chain and of the last one, W + max(2 c (n - 1) - 2, p + 2 c (n - 2)); fewer if only the first
// PEs have a block. Columns and rows add up.
#include <algorithm>

#include "collective/algorithms.h"
#include "collective/grid/block_line.h"
#include "machine/mesh.h"

namespace muster {

namespace {

/// The sum of the piece of `target` over all PEs from the end `start` of the line to it, piece by piece in `from`. It is
/// added to what lies in `own` of the target.
void add_up(ScheduleBuilder& b, const BlockLine& line, std::int32_t start, std::int32_t target, Buffer from,
            Buffer own) {
  const SpanId piece = b.span(line.piece(target));
  const std::int32_t direction = target > start ? 1 : -1;
  StreamId sum = kOwn;
  for (std::int32_t index = start; index != target; index += direction) {
    auto step = b.step(line.node(index), piece);
    if (index != start) step.take(sum);
    sum = b.stream(line.node(index), line.node(index + direction), piece);
    step.own(from).push(sum);
  }
  b.step(line.node(target), piece).own(own).take(sum).store(Buffer::output);
}

/// Every PE holds all pieces of the line in `from`; in the end its output has the sum of its own piece.
void reduce_scatter_line(ScheduleBuilder& b, const BlockLine& line, Buffer from) {
  const std::int32_t last = line.length() - 1;
  for (std::int32_t target = 0; target <= last; ++target) {
    if (line.piece(target).count == 0) continue;
    if (target < last) add_up(b, line, last, target, from, from);
    if (target > 0) add_up(b, line, 0, target, from, target < last ? Buffer::output : from);
  }
}

Schedule make(const Request& request, const Parameters&) {
  const Mesh& mesh = *as<Mesh>(request.machine);
  ScheduleBuilder b({.nodes = rank_count(mesh), .count = request.count});
  if (rank_count(mesh) == 1) b.step(0, b.span({0, request.count})).own(Buffer::input).store(Buffer::output);
  if (mesh.height > 1) {
    for (std::int32_t x = 0; x < mesh.width; ++x) {
      reduce_scatter_line(b, column_of_runs(request, x), Buffer::input);
    }
  }
  if (mesh.width > 1) {
    for (std::int32_t y = 0; y < mesh.height; ++y) {
      const Buffer from = mesh.height > 1 ? Buffer::output : Buffer::input;
      reduce_scatter_line(b, row_of_blocks(request, y), from);
    }
  }
  b.contract({.collective = Collective::reduce_scatter, .ranks = all_ranks(request.machine), .count = request.count});
  return std::move(b).finish();
}

std::int64_t line_cycles(const BlockLine& line, const Mesh& mesh) {
  const std::int64_t others = line.length() - 1;
  if (others == 0) return 0;
  const std::int64_t last = line.last_filled();
  const std::int64_t relay = relay_cycles(mesh);
  const std::int64_t relays = relay * (others + last) - (last == 0 ? 1 : 2);
  if (last < 2 || last < others) return line.words() + relays;
  return line.words() + std::max(relays, line.piece(0).count + 2 * relay * (others - 1));
}

Cycles cost(const Request& request, const Parameters&) {
  const Mesh& mesh = *as<Mesh>(request.machine);
  if (rank_count(mesh) == 1) return Cycles(request.count);
  return Cycles(line_cycles(row_of_blocks(request, 0), mesh) + line_cycles(column_of_runs(request, 0), mesh));
}

std::optional<std::string> unsupported(const Request& request) {
  return unless_relayed(request, [](std::int64_t length) { return length * (length - 1); });
}

}  // namespace

Algorithm reduce_scatter_pipeline() {
  return {.collective = Collective::reduce_scatter,
          .name = "pipeline",
          .family = "mesh",
          .summary =
              "partial sums travel from PE to PE in both directions to the PE of their block, first along columns, "
              "then rows",
          .source = "Muster's own: docs/wafer.md",
          .parameters = {},
          .unsupported = unsupported,
          .make = make,
          .cost = cost,
          .cost_tolerance = {.fraction = 0.05, .cycles = Cycles(12)}};
}

}  // namespace muster

// Pipelined allgather: the block of every PE goes both ways from PE to PE, and each stores it while it passes it on. On a
// grid the rows do this, then the columns with the runs of whole rows.
//
// Steps: the blocks in the order of ranks. So a PE first passes on what comes from the lower end, then sends its own both ways
// (one stream, which its router duplicates), then passes on what comes from the upper end. Two colors that alternate from PE to PE, no switches. Every PE takes all
// words but its own once. Cost (ours), for a line of n PEs with W words, p in a piece and c = 2 T_R + h + 1 per relay:
// W + 2 (c (n - 1) - 1): ports are in use all the time but for the relays of the first block and of the last
// one; fewer if only the first PEs have a block. Rows and columns add up. For blocks shorter than two relays, `gather-flood` is faster.
#include <algorithm>

#include "collective/algorithms.h"
#include "collective/block_line.h"
#include "machine/families.h"

namespace muster {

namespace {

/// What comes to `place` on `stream` goes on from place to place until the end of the line, and everybody stores it.
void pass_on(ScheduleBuilder& b, const BlockLine& line, StreamId stream, std::int32_t place, std::int32_t direction,
             SpanId piece) {
  for (; place >= 0 && place < line.length(); place += direction) {
    auto step = b.step(line.node(place), piece).take(stream).store(Buffer::output);
    const std::int32_t next = place + direction;
    if (next < 0 || next == line.length()) break;
    step.push(stream = b.stream(line.node(place), line.node(next), piece));
  }
}

/// Every place holds its piece in `held`; in the end all have all pieces in their output.
void allgather_line(ScheduleBuilder& b, const BlockLine& line, Buffer held) {
  for (std::int32_t source = 0; source < line.length(); ++source) {
    if (line.piece(source).count == 0) continue;
    const SpanId piece = b.span(line.piece(source));
    std::vector<NodeId> neighbours;
    if (source > 0) neighbours.push_back(line.node(source - 1));
    if (source + 1 < line.length()) neighbours.push_back(line.node(source + 1));
    const StreamId stream = b.multicast(line.node(source), neighbours, piece);
    auto own = b.step(line.node(source), piece).own(held).push(stream);
    if (held != Buffer::output) own.store(Buffer::output);
    pass_on(b, line, stream, source - 1, -1, piece);
    pass_on(b, line, stream, source + 1, +1, piece);
  }
}

Schedule make(const Request& request, const Parameters&) {
  const Mesh& mesh = *request.machine.mesh();
  ScheduleBuilder b({.nodes = rank_count(mesh), .count = request.count});
  if (rank_count(mesh) == 1) b.step(0, b.span({0, request.count})).own(Buffer::input).store(Buffer::output);
  if (mesh.width > 1) {
    for (std::int32_t y = 0; y < mesh.height; ++y) allgather_line(b, row_of_blocks(request, y), Buffer::input);
  }
  if (mesh.height > 1) {
    const Buffer held = mesh.width > 1 ? Buffer::output : Buffer::input;
    for (std::int32_t x = 0; x < mesh.width; ++x) allgather_line(b, column_of_runs(request, x), held);
  }
  b.contract({.collective = Collective::allgather, .ranks = all_ranks(request.machine), .count = request.count});
  return std::move(b).finish();
}

std::int64_t line_cycles(const BlockLine& line, const Mesh& mesh) {
  const std::int64_t others = line.length() - 1;
  if (others == 0) return 0;
  const std::int64_t last = line.last_filled();
  return line.words() + relay_cycles(mesh) * (last + std::max(last, others - last)) - (last == 0 ? 1 : 2);
}

Cycles cost(const Request& request, const Parameters&) {
  const Mesh& mesh = *request.machine.mesh();
  if (rank_count(mesh) == 1) return Cycles(request.count);
  return Cycles(line_cycles(row_of_blocks(request, 0), mesh) + line_cycles(column_of_runs(request, 0), mesh));
}

std::optional<std::string> unsupported(const Request& request) {
  return unless_relayed(request, [](std::int64_t length) { return length * (length - 1); });
}

}  // namespace

Algorithm allgather_pipeline() {
  return {.collective = Collective::allgather,
          .name = "pipeline",
          .family = "mesh",
          .summary = "blocks go from PE to PE both ways, along the rows and then, as whole rows, along the columns",
          .source = "Muster's own: docs/wafer.md",
          .parameters = {},
          .unsupported = unsupported,
          .make = make,
          .cost = cost,
          .cost_tolerance = {.fraction = 0.05, .cycles = Cycles(12)}};
}

}  // namespace muster

// Pipelined scatter: from PE to PE, the farthest block first. The root sends the runs of the rows along its column, then
// every PE of that column sends the blocks of its run along its row.
//
// Steps: each PE forwards what is not for it as it comes, and stores what is. Two colors per direction that alternate from
// PE to PE, no switches. Busiest port: the root's, which sends every word once, B less its own block. Cost (ours): a
// block that leaves after s words and goes d PEs far ends at s + its words + (2 T_R + h + 1) d - 1; the last to leave has
// the shortest way, so with blocks of 2 T_R + h + 1 words or more the root's port decides, as in the lower bound.
#include <algorithm>

#include "collective/algorithms.h"
#include "collective/grid/block_line.h"
#include "machine/mesh.h"

namespace muster {

namespace {

/// The root holds all pieces in `held`; every other PE gets its own piece in its output.
void scatter_line(ScheduleBuilder& b, const BlockLine& line, std::int32_t root, Buffer held) {
  for (const std::int32_t target : farthest_first(line.length(), root)) {
    if (line.piece(target).count == 0) continue;
    const SpanId piece = b.span(line.piece(target));
    const std::int32_t step = target > root ? 1 : -1;
    StreamId stream = b.stream(line.node(root), line.node(root + step), piece);
    b.step(line.node(root), piece).own(held).push(stream);
    for (std::int32_t index = root + step; index != target; index += step) {
      const StreamId next = b.stream(line.node(index), line.node(index + step), piece);
      b.step(line.node(index), piece).take(stream).push(next);
      stream = next;
    }
    b.step(line.node(target), piece).take(stream).store(Buffer::output);
  }
}

Schedule make(const Request& request, const Parameters&) {
  const Mesh& mesh = *as<Mesh>(request.machine);
  const Coordinates root = coordinates_of(mesh, request.root);
  ScheduleBuilder b({.nodes = rank_count(mesh), .count = request.count});
  scatter_line(b, column_of_runs(request, root.x), root.y, Buffer::input);
  for (std::int32_t y = 0; y < mesh.height; ++y) {
    const BlockLine row = row_of_blocks(request, y);
    scatter_line(b, row, root.x, y == root.y ? Buffer::input : Buffer::output);
    if (y == root.y && row.piece(root.x).count > 0) {
      b.step(request.root, b.span(row.piece(root.x))).own(Buffer::input).store(Buffer::output);
    }
  }
  b.contract({.collective = Collective::scatter,
              .ranks = all_ranks(request.machine),
              .root = request.root,
              .count = request.count});
  return std::move(b).finish();
}

/// When each PE has its piece, if the root begins at `begin`. The root's own entry is when it has sent everything.
std::vector<std::int64_t> scattered(const BlockLine& line, std::int32_t root, std::int64_t begin, const Mesh& mesh) {
  std::vector<std::int64_t> ends(static_cast<std::size_t>(line.length()), 0);
  std::int64_t sent = begin;
  for (const std::int32_t target : farthest_first(line.length(), root)) {
    sent += line.piece(target).count;
    if (line.piece(target).count == 0) continue;
    ends[static_cast<std::size_t>(target)] = sent + relay_cycles(mesh) * std::abs(target - root) - 1;
  }
  ends[static_cast<std::size_t>(root)] = sent;
  return ends;
}

Cycles cost(const Request& request, const Parameters&) {
  const Mesh& mesh = *as<Mesh>(request.machine);
  const Coordinates root = coordinates_of(mesh, request.root);
  const auto begins = scattered(column_of_runs(request, root.x), root.y, 0, mesh);
  std::int64_t end = 0;
  for (std::int32_t y = 0; y < mesh.height; ++y) {
    const BlockLine row = row_of_blocks(request, y);
    auto ends = scattered(row, root.x, begins[static_cast<std::size_t>(y)], mesh);
    if (y == root.y) ends[static_cast<std::size_t>(root.x)] += row.piece(root.x).count;
    end = std::max(end, *std::max_element(ends.begin(), ends.end()));
  }
  return Cycles(end);
}

std::optional<std::string> unsupported(const Request& request) {
  return unless_relayed(request, [](std::int64_t length) { return length * (length - 1) / 2; });
}

}  // namespace

Algorithm scatter_pipeline() {
  return {.collective = Collective::scatter,
          .name = "pipeline",
          .family = "mesh",
          .summary = "blocks travel from PE to PE, the farthest first, along the root's column and then along rows",
          .source = "Muster's own: docs/wafer.md",
          .parameters = {},
          .unsupported = unsupported,
          .make = make,
          .cost = cost,
          .cost_tolerance = {.fraction = 0.05, .cycles = Cycles(4)}};
}

}  // namespace muster

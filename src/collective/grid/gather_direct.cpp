// Direct gather: every PE of a row sends its block straight to the PE in the root's column, nearest first; these then
// send the runs of their rows straight to the root, nearest first.
//
// Steps: as in the star, each PE sends once it starts and becomes a relay; the routers' switches keep the order. Busiest
// port: the root's, which takes every word once, B less its own block. While the root takes its own row, the other rows
// fill, so that the columns' words follow without a gap: on a row with the root at its end it meets the lower bound.
// Cost (ours): at each collecting PE, streams follow each other; the first word of one from d hops away comes no earlier
// than h d + 2 T_R after its sender began.
#include "collective/grid/gather_direct.h"

#include <algorithm>

#include "collective/algorithms.h"
#include "collective/grid/block_line.h"
#include "machine/mesh.h"

namespace muster {

namespace {

/// The indices of one side after the other, the shorter side first, nearest first.
std::vector<std::int32_t> taking_order(std::int32_t length, std::int32_t root) {
  std::vector<std::int32_t> before, behind;
  for (std::int32_t index = root - 1; index >= 0; --index) before.push_back(index);
  for (std::int32_t index = root + 1; index < length; ++index) behind.push_back(index);
  if (behind.size() < before.size()) std::swap(before, behind);
  before.insert(before.end(), behind.begin(), behind.end());
  return before;
}

/// Every PE holds its piece in `held`; the root gets all of them in its output.
void gather_line(ScheduleBuilder& b, const BlockLine& line, std::int32_t root, Buffer held) {
  for (const std::int32_t index : taking_order(line.length(), root)) {
    if (line.piece(index).count == 0) continue;
    const SpanId piece = b.span(line.piece(index));
    const StreamId stream = b.stream(line.node(index), line.node(root), piece);
    b.step(line.node(index), piece).own(held).push(stream);
    b.step(line.node(root), piece).take(stream).store(Buffer::output);
  }
}

/// Every PE that collects keeps its own block first. On a single column only the root does.
void keep_own(ScheduleBuilder& b, const BlockLine& row, std::int32_t index) {
  if (row.piece(index).count == 0) return;
  b.step(row.node(index), b.span(row.piece(index))).own(Buffer::input).store(Buffer::output);
}

}  // namespace

void write_direct_gather(ScheduleBuilder& b, const Request& request) {
  const Mesh& mesh = *as<Mesh>(request.machine);
  const Coordinates root = coordinates_of(mesh, request.root);
  for (std::int32_t y = 0; y < mesh.height; ++y) {
    const BlockLine row = row_of_blocks(request, y);
    if (mesh.width > 1 || y == root.y) keep_own(b, row, root.x);
    gather_line(b, row, root.x, Buffer::input);
  }
  gather_line(b, column_of_runs(request, root.x), root.y, mesh.width > 1 ? Buffer::output : Buffer::input);
}

namespace {

Schedule make(const Request& request, const Parameters&) {
  ScheduleBuilder b({.nodes = rank_count(*as<Mesh>(request.machine)), .count = request.count});
  write_direct_gather(b, request);
  b.contract({.collective = Collective::gather,
              .ranks = all_ranks(request.machine),
              .root = request.root,
              .count = request.count});
  return std::move(b).finish();
}

/// When the root of a line has all pieces, if it is free at `own` and PE i begins to send at begin[i].
std::int64_t gathered(const BlockLine& line, std::int32_t root, std::int64_t own,
                      const std::vector<std::int64_t>& begin, const Mesh& mesh) {
  std::int64_t time = own;
  for (const std::int32_t index : taking_order(line.length(), root)) {
    if (line.piece(index).count == 0) continue;
    const std::int64_t latency = mesh.hop_latency.value() * std::abs(index - root) + 2 * mesh.ramp_latency.value();
    time = std::max(time, begin[static_cast<std::size_t>(index)] + latency) + line.piece(index).count;
  }
  return time;
}

}  // namespace

Cycles direct_gather_cycles(const Request& request) {
  const Mesh& mesh = *as<Mesh>(request.machine);
  const Coordinates root = coordinates_of(mesh, request.root);
  std::vector<std::int64_t> row_ends;
  const std::vector<std::int64_t> at_once(static_cast<std::size_t>(mesh.width), 0);
  for (std::int32_t y = 0; y < mesh.height; ++y) {
    const BlockLine row = row_of_blocks(request, y);
    const bool copies = mesh.width > 1 || y == root.y;
    row_ends.push_back(gathered(row, root.x, copies ? row.piece(root.x).count : 0, at_once, mesh));
  }
  const std::int64_t own = row_ends[static_cast<std::size_t>(root.y)];
  return Cycles(gathered(column_of_runs(request, root.x), root.y, own, row_ends, mesh));
}

Algorithm gather_direct() {
  return {.collective = Collective::gather,
          .name = "direct",
          .family = "mesh",
          .summary = "blocks go directly to the root's column, and from there, row by row, directly to the root",
          .source = "Muster's own: docs/wafer.md",
          .parameters = {},
          .unsupported = unless_mesh,
          .make = make,
          .cost = [](const Request& request, const Parameters&) { return direct_gather_cycles(request); },
          .cost_tolerance = {.fraction = 0.05, .cycles = Cycles(4)}};
}

}  // namespace muster

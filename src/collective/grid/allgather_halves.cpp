// Allgather by halves: every PE of a line sends its block once, to all PEs of the other half at once; routers deliver it and
// forward it. On the way, all blocks of a half pass its PE next to the middle, which keeps them and floods its half with
// them. On a grid the rows gather at their first PE and flood, then the columns do the above with the runs of whole rows.
//
// Steps: towards the other half, nearest to the middle first: a router passes its own PE's block, then takes from behind
// it. So one color per direction and one for both floods, with two positions; the last word of a PE's own block moves its
// switch for free. Next to the middle, where the router first sends and then delivers, the own block comes back to its PE
// if a position changes one side only.
// Busiest port: next to the middle, which takes both halves and sends its own, 3/2 W words of a line with W. So the lower
// half sends first, then the upper one, then both flood: were they to take turns block by block, each would wait for the
// other across the line. No one else handles more than W and its own block.
// Cost (ours): W words and, at the middle, the own blocks once more, then W / 2 through the half: LineCost. Rows and
// columns add up.
#include <algorithm>

#include "collective/algorithms.h"
#include "collective/grid/block_line.h"
#include "collective/grid/flood.h"
#include "machine/mesh.h"

namespace muster {

namespace {

/// One half of a line: positions from the middle outwards.
struct Half {
  std::int32_t inner = 0;  ///< the PE next to the middle
  std::int32_t outer = 0;
  std::int32_t outwards = 1;
  [[nodiscard]] std::int32_t length() const { return (outer - inner) * outwards + 1; }
  [[nodiscard]] std::int32_t index(std::int32_t distance) const { return inner + distance * outwards; }
};

struct Halves {
  Half lower;
  Half upper;
};

Halves halves_of(const BlockLine& line) {
  const std::int32_t middle = line.length() / 2;
  return {.lower = {.inner = middle - 1, .outer = 0, .outwards = -1},
          .upper = {.inner = middle, .outer = line.length() - 1, .outwards = 1}};
}

/// How the pieces of a line travel.
struct Manner {
  Buffer held = Buffer::input;  ///< where every PE has its own piece
  Buffer back =
      Buffer::output;  ///< where a piece goes that comes back to its PE; elsewhere than in `output` it is dropped
  bool one_side_changes = false;  ///< a switch position changes one side
};

std::vector<NodeId> nodes_of(const BlockLine& line, const Half& half, std::int32_t from) {
  std::vector<NodeId> nodes;
  for (std::int32_t distance = from; distance < half.length(); ++distance) {
    nodes.push_back(line.node(half.index(distance)));
  }
  return nodes;
}

/// The PE next to the middle sends its piece. Where it comes back, it is taken at the same time.
void send_inner(ScheduleBuilder& b, const BlockLine& line, const Half& half, std::vector<NodeId> others,
                const Manner& manner) {
  const NodeId node = line.node(half.inner);
  const Range& range = line.piece(half.inner);
  const SpanId piece = b.span(range);
  const std::vector<NodeId> takers = others;
  const bool comes_back = manner.one_side_changes && half.length() > 1;
  if (comes_back) others.push_back(node);
  const StreamId stream = b.multicast(node, others, piece);
  if (comes_back) {
    const SpanId stored = manner.back == Buffer::output ? piece : b.span({0, range.count});
    b.step(node, piece).take(stream).store(manner.back, stored).push(stream).send_old(manner.held, piece);
  } else {
    b.step(node, piece).own(manner.held).push(stream);
    if (manner.held != Buffer::output) b.step(node, piece).own(manner.held).store(Buffer::output);
  }
  for (const NodeId taker : takers) b.step(taker, piece).take(stream).store(Buffer::output);
}

/// The PE at that distance from the middle sends its piece to the other half, and to the middle of its own.
void send_across(ScheduleBuilder& b, const BlockLine& line, const Half& half, const Half& other, std::int32_t distance,
                 const Manner& manner) {
  const std::int32_t index = half.index(distance);
  if (line.piece(index).count == 0) return;
  std::vector<NodeId> takers = nodes_of(line, other, 0);
  if (distance == 0) return send_inner(b, line, half, std::move(takers), manner);
  takers.insert(takers.begin(), line.node(half.inner));
  const SpanId piece = b.span(line.piece(index));
  const StreamId stream = b.multicast(line.node(index), takers, piece);
  b.step(line.node(index), piece).own(manner.held).push(stream);
  for (const NodeId taker : takers) b.step(taker, piece).take(stream).store(Buffer::output);
}

/// All pieces of the half, which its inner PE has in its output, go outwards.
void flood_half(ScheduleBuilder& b, const BlockLine& line, const Half& half) {
  const Range first = line.piece(std::min(half.inner, half.outer));
  const Range run{first.first, line.piece(std::max(half.inner, half.outer)).end() - first.first};
  if (half.length() == 1 || run.count == 0) return;
  write_flood(b, line.node(half.inner), nodes_of(line, half, 1), b.span(run), {.from = Buffer::output});
}

/// Every PE holds its piece; in the end all have all pieces in their output.
void allgather_line(ScheduleBuilder& b, const BlockLine& line, const Manner& manner) {
  const auto [lower, upper] = halves_of(line);
  for (std::int32_t distance = 0; distance < lower.length(); ++distance) {
    send_across(b, line, lower, upper, distance, manner);
  }
  for (std::int32_t distance = 0; distance < upper.length(); ++distance) {
    send_across(b, line, upper, lower, distance, manner);
  }
  flood_half(b, line, lower);
  flood_half(b, line, upper);
}

/// All pieces go to the first PE, nearest first, and from there at once to all.
void gather_and_flood_line(ScheduleBuilder& b, const BlockLine& line) {
  const NodeId first = line.node(0);
  std::vector<NodeId> others;
  if (line.piece(0).count > 0) b.step(first, b.span(line.piece(0))).own(Buffer::input).store(Buffer::output);
  for (std::int32_t index = 1; index < line.length(); ++index) {
    others.push_back(line.node(index));
    if (line.piece(index).count == 0) continue;
    const SpanId piece = b.span(line.piece(index));
    const StreamId stream = b.stream(line.node(index), first, piece);
    b.step(line.node(index), piece).own(Buffer::input).push(stream);
    b.step(first, piece).take(stream).store(Buffer::output);
  }
  if (line.words() > 0) {
    write_flood(b, first, others, b.span({line.piece(0).first, line.words()}), {.from = Buffer::output});
  }
}

Schedule make(const Request& request, const Parameters&) {
  const Mesh& mesh = *as<Mesh>(request.machine);
  const bool grid = mesh.width > 1 && mesh.height > 1;
  Manner manner{.one_side_changes = !mesh.switch_both_sides};
  const std::int64_t dropped = grid && manner.one_side_changes ? column_of_runs(request, 0).piece(0).count : 0;
  ScheduleBuilder b({.nodes = rank_count(mesh), .count = request.count, .scratch = dropped});
  if (mesh.width > 1 && !grid) allgather_line(b, row_of_blocks(request, 0), manner);
  if (grid) {
    for (std::int32_t y = 0; y < mesh.height; ++y) gather_and_flood_line(b, row_of_blocks(request, y));
    manner.held = Buffer::output;
    manner.back = Buffer::scratch;
  }
  if (mesh.height > 1) {
    for (std::int32_t x = 0; x < mesh.width; ++x) allgather_line(b, column_of_runs(request, x), manner);
  }
  b.contract({.collective = Collective::allgather, .ranks = all_ranks(request.machine), .count = request.count});
  return std::move(b).finish();
}

std::int64_t words_of(const BlockLine& line, const Half& half) {
  std::int64_t words = 0;
  for (std::int32_t distance = 0; distance < half.length(); ++distance) words += line.piece(half.index(distance)).count;
  return words;
}

/// What a line costs where the inner PEs spend `again` cycles more on each word of their own piece: to take it back, or
/// to copy it.
class LineCost {
 public:
  LineCost(const BlockLine& line, const Mesh& mesh, std::int64_t again)
      : line_(line), hop_(mesh.hop_latency.value()), ramps_(2 * mesh.ramp_latency.value()), again_(again) {}

  [[nodiscard]] std::int64_t cycles() const {
    const auto [lower, upper] = halves_of(line_);
    const std::int64_t across = arrival(lower, 1, 0, 0);        // all of the lower half are at the upper middle
    const std::int64_t back = arrival(upper, 1, across, hop_);  // and the other way round
    const std::int64_t kept = arrival(upper, 0, across, hop_);
    return std::max(flooded(lower, std::max(back, across)), flooded(upper, std::max(kept, across)));
  }

 private:
  /// When the PE `hops` beyond the middle has all pieces of a half whose inner PE begins at `begin`, and each farther
  /// one so much later.
  [[nodiscard]] std::int64_t arrival(const Half& half, std::int64_t hops, std::int64_t begin,
                                     std::int64_t later) const {
    const std::int64_t own = line_.piece(half.inner).count;
    std::int64_t time = begin + (own > 0 ? own * (1 + again_) + (hops > 0 ? hop_ * hops + ramps_ : 0) : 0);
    for (std::int32_t distance = 1; distance < half.length(); ++distance) {
      const std::int64_t words = line_.piece(half.index(distance)).count;
      if (words == 0) continue;
      time = std::max(time, begin + later * distance + hop_ * (distance + hops) + ramps_) + words;
    }
    return time;
  }

  [[nodiscard]] std::int64_t flooded(const Half& half, std::int64_t begin) const {
    const std::int64_t words = words_of(line_, half);
    const std::int64_t outer = hop_ * (half.length() - 1);
    return begin + outer + (words > 0 ? words + ramps_ : 0);
  }

  const BlockLine& line_;
  std::int64_t hop_;
  std::int64_t ramps_;
  std::int64_t again_;
};

std::int64_t gather_and_flood_cycles(const BlockLine& line, const Mesh& mesh) {
  const std::int64_t hop = mesh.hop_latency.value();
  const std::int64_t ramps = 2 * mesh.ramp_latency.value();
  std::int64_t time = line.piece(0).count;
  for (std::int32_t index = 1; index < line.length(); ++index) {
    if (line.piece(index).count > 0) time = std::max(time, hop * index + ramps) + line.piece(index).count;
  }
  return line.words() == 0 ? 0 : time + line.words() + hop * (line.length() - 1) + ramps;
}

Cycles cost(const Request& request, const Parameters&) {
  const Mesh& mesh = *as<Mesh>(request.machine);
  const bool grid = mesh.width > 1 && mesh.height > 1;
  const std::int64_t again = grid && mesh.switch_both_sides ? 0 : 1;
  if (!grid)
    return Cycles(
        LineCost(mesh.width > 1 ? row_of_blocks(request, 0) : column_of_runs(request, 0), mesh, again).cycles());
  return Cycles(gather_and_flood_cycles(row_of_blocks(request, 0), mesh) +
                LineCost(column_of_runs(request, 0), mesh, again).cycles());
}

/// Of shorter lines, the middle's own block counts for too much.
constexpr std::int32_t kShortestLine = 6;

std::optional<std::string> unsupported(const Request& request) {
  if (auto reason = unless_relayed(request, [](std::int64_t length) { return length * (length - 1); })) return reason;
  const Mesh& mesh = *as<Mesh>(request.machine);
  const std::int32_t length = mesh.height > 1 ? mesh.height : mesh.width;
  if (length >= kShortestLine) return std::nullopt;
  return fmt::format("needs {} or more PEs in a row or column, and that many rows in a grid, got {}x{}", kShortestLine,
                     mesh.width, mesh.height);
}

}  // namespace

Algorithm allgather_halves() {
  return {.collective = Collective::allgather,
          .name = "halves",
          .family = "mesh",
          .summary = "each block is multicast to the other half; the PE next to the middle floods its own half",
          .source = "Muster's own: docs/wafer.md",
          .parameters = {},
          .unsupported = unsupported,
          .make = make,
          .cost = cost,
          .cost_tolerance = {.fraction = 0.05, .cycles = Cycles(12)}};
}

}  // namespace muster

// Pipelined all-to-all: in rounds. Along a line, blocks go from PE to PE; in a round, those go whose ways have no PE in common.
// On a grid the rows exchange the blocks by column, then the columns by row.
//
// Steps: one lane per PE, and two colors per way that alternate from PE to PE; no switches, however many PEs there are. The
// price is that blocks pass through processors: of a line of n PEs with pieces of p words, one in the middle handles
// those of both ways, about p n^2 / 2, where the links alone (bisection bound) would need p n^2 / 4. The ways up are
// intervals of the line, so as many rounds suffice as pass the busiest PE, (i + 1) (n - i) - 1 with i = n / 2, if
// they are filled in the order of the sources; the ways down follow, mirrored.
// Cost (ours): 2 p rounds, the PE's own piece, and, for the rounds to fill and to turn, what 2/3 of the relays of a line take
// (fitted), c (2 (n - 1) / 3 + 1) with c = 2 T_R + h + 1. In short lines with short pieces the rounds do not fill, and their
// steps are followed instead (timed_walk.h): the formula would be up to a third too low. Rows and columns add up.
#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "base/index.h"
#include "collective/algorithms.h"
#include "collective/grid/block_line.h"
#include "collective/grid/timed_walk.h"
#include "machine/mesh.h"

namespace muster {

namespace {

/// A line of PEs, each of which has a piece for every other: where it lies at its source and goes at its target.
struct ExchangeLine {
  NodeId first = 0;
  NodeId stride = 1;
  std::int32_t length = 1;
  Buffer from = Buffer::input;
  Buffer to = Buffer::output;
  std::vector<SpanId> piece_for;  ///< by target: its span in `from` of every source
  std::vector<SpanId> slot_from;  ///< by source: its span in `to` of every target
  [[nodiscard]] NodeId node(std::int32_t index) const { return first + index * stride; }
};

/// One piece from PE to PE.
void pass_on(ScheduleBuilder& b, const ExchangeLine& line, std::int32_t source, std::int32_t target) {
  const SpanId piece = line.piece_for[static_cast<std::size_t>(target)];
  const SpanId slot = line.slot_from[static_cast<std::size_t>(source)];
  const std::int32_t direction = target > source ? 1 : -1;
  StreamId stream = b.stream(line.node(source), line.node(source + direction), piece);
  b.step(line.node(source), piece).own(line.from).push(stream);
  for (std::int32_t at = source + direction; at != target; at += direction) {
    const StreamId next = b.stream(line.node(at), line.node(at + direction), piece);
    b.step(line.node(at), piece).take(stream).push(next);
    stream = next;
  }
  b.step(line.node(target), piece).take(stream).store(line.to, slot);
}

struct Transfer {
  std::int32_t source = 0;
  std::int32_t target = 0;
};

/// All transfers up a line, round by round. Filled in the order of sources: a transfer takes the first round
/// whose last transfer ends before it begins.
std::vector<Transfer> rounds_up(std::int32_t length) {
  std::vector<std::vector<Transfer>> rounds;
  std::vector<std::vector<std::size_t>> ends(
      static_cast<std::size_t>(length));  // by PE: the rounds whose last path ends there
  std::set<std::size_t> free;
  for (std::int32_t source = 0; source + 1 < length; ++source) {
    if (source > 0) {
      const auto& ended = ends[static_cast<std::size_t>(source) - 1];
      free.insert(ended.begin(), ended.end());
    }
    for (std::int32_t target = length - 1; target > source; --target) {
      if (free.empty()) free.insert(rounds.size()), rounds.emplace_back();
      const std::size_t round = *free.begin();
      free.erase(free.begin());
      rounds[round].push_back({source, target});
      ends[static_cast<std::size_t>(target)].push_back(round);
    }
  }
  std::vector<Transfer> transfers;
  for (const auto& round : rounds) transfers.insert(transfers.end(), round.begin(), round.end());
  return transfers;
}

/// Every PE keeps its own piece; then all ways up, then all ways down.
void exchange(ScheduleBuilder& b, const ExchangeLine& line) {
  for (std::int32_t index = 0; index < line.length; ++index) {
    const auto i = static_cast<std::size_t>(index);
    b.step(line.node(index), line.piece_for[i]).own(line.from).store(line.to, line.slot_from[i]);
  }
  const std::vector<Transfer> transfers = rounds_up(line.length);
  const std::int32_t last = line.length - 1;
  for (const Transfer& transfer : transfers) pass_on(b, line, transfer.source, transfer.target);
  for (const Transfer& transfer : transfers) pass_on(b, line, last - transfer.source, last - transfer.target);
}

/// Blocks of equal size in the vector: `many` of them, `apart` from each other, from block `first` on.
SpanId blocks(ScheduleBuilder& b, std::int64_t size, std::int64_t first, std::int64_t many, std::int64_t apart) {
  std::vector<Range> ranges;
  for (std::int64_t i = 0; i < many; ++i) ranges.push_back({(first + i * apart) * size, size});
  return b.span(ranges);
}

/// Row y sends the blocks of each column together; what came from column x lies behind that of column x - 1.
ExchangeLine row_exchange(ScheduleBuilder& b, const Mesh& mesh, std::int64_t size, std::int32_t y) {
  ExchangeLine line{.first = node_at(mesh, {.x = 0, .y = y}), .stride = 1, .length = mesh.width};
  if (mesh.height > 1) line.to = Buffer::scratch;
  for (std::int32_t x = 0; x < mesh.width; ++x) {
    line.piece_for.push_back(blocks(b, size, x, mesh.height, mesh.width));
    line.slot_from.push_back(blocks(b, size, std::int64_t{x} * mesh.height, mesh.height, 1));
  }
  return line;
}

/// Column x sends to each row what is for it, from all columns; that is in order of ranks.
ExchangeLine column_exchange(ScheduleBuilder& b, const Mesh& mesh, std::int64_t size, std::int32_t x) {
  ExchangeLine line{.first = node_at(mesh, {.x = x, .y = 0}), .stride = mesh.width, .length = mesh.height};
  if (mesh.width > 1) line.from = Buffer::scratch;
  for (std::int32_t y = 0; y < mesh.height; ++y) {
    line.piece_for.push_back(blocks(b, size, y, mesh.width, mesh.height));
    line.slot_from.push_back(blocks(b, size, std::int64_t{y} * mesh.width, mesh.width, 1));
  }
  return line;
}

Schedule make(const Request& request, const Parameters&) {
  const Mesh& mesh = *as<Mesh>(request.machine);
  const bool grid = mesh.width > 1 && mesh.height > 1;
  const std::int64_t size = request.count / rank_count(mesh);
  ScheduleBuilder b({.nodes = rank_count(mesh), .count = request.count, .scratch = grid ? request.count : 0});
  if (mesh.width > 1 || mesh.height == 1) {
    for (std::int32_t y = 0; y < mesh.height; ++y) exchange(b, row_exchange(b, mesh, size, y));
  }
  if (mesh.height > 1) {
    for (std::int32_t x = 0; x < mesh.width; ++x) exchange(b, column_exchange(b, mesh, size, x));
  }
  b.contract({.collective = Collective::all_to_all, .ranks = all_ranks(request.machine), .count = request.count});
  return std::move(b).finish();
}

/// Lines whose steps are followed: a few milliseconds.
constexpr std::int64_t kWalked = 32;

std::int64_t walked_line(std::int32_t length, std::int64_t piece, Mesh mesh) {
  mesh.width = length;
  mesh.height = 1;
  ScheduleBuilder b({.nodes = length, .count = piece * length});
  exchange(b, row_exchange(b, mesh, piece, 0));
  std::vector<NodeId> ranks(at(length));
  std::iota(ranks.begin(), ranks.end(), 0);
  b.contract({.collective = Collective::all_to_all, .ranks = std::move(ranks), .count = piece * length});
  return walked_cycles(std::move(b).finish(), mesh).value().value();
}

std::int64_t line_cycles(std::int32_t length, std::int64_t piece, const Mesh& mesh) {
  if (length == 1) return 0;
  if (length <= kWalked) return walked_line(length, piece, mesh);
  const std::int64_t rounds = (std::int64_t{length} / 2 + 1) * (length - length / 2) - 1;
  const std::int64_t in_rounds = (2 * rounds + 1) * piece + relay_cycles(mesh) * (2 * (length - 1) + 3) / 3;
  const std::int64_t from_end_to_end =
      piece + relay_cycles(mesh) * (length - 1) - 1;  // the larger term if hops are slow
  return std::max(in_rounds, from_end_to_end);
}

Cycles cost(const Request& request, const Parameters&) {
  const Mesh& mesh = *as<Mesh>(request.machine);
  const std::int64_t size = request.count / rank_count(mesh);
  if (rank_count(mesh) == 1) return Cycles(size);
  return Cycles(line_cycles(mesh.width, size * mesh.height, mesh) + line_cycles(mesh.height, size * mesh.width, mesh));
}

std::optional<std::string> unsupported(const Request& request) {
  const auto transfers = [](std::int64_t length) { return (length - 1) * length * (length + 1) / 3; };
  if (auto reason = unless_relayed(request, transfers)) return reason;
  const std::int64_t ranks = rank_count(*as<Mesh>(request.machine));
  if (request.count % ranks == 0) return std::nullopt;
  return fmt::format("needs a block of the same size for each of the {0} PEs: a multiple of {0} elements", ranks);
}

}  // namespace

Algorithm all_to_all_pipeline() {
  return {.collective = Collective::all_to_all,
          .name = "pipeline",
          .family = "mesh",
          .summary = "blocks travel from PE to PE in both directions, first along rows, then along columns",
          .source = "Muster's own: docs/wafer.md",
          .parameters = {},
          .unsupported = unsupported,
          .make = make,
          .cost = cost,
          .cost_tolerance = {.fraction = 0.02, .cycles = Cycles(8)}};
}

}  // namespace muster

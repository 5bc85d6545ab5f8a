// Chains repeat one piece, rings a pair of them: what repeats is said once.
#include "study/mesh/path_text.h"

#include <algorithm>
#include <tuple>

#include "base/counted.h"
#include "machine/routing.h"
#include "plan/job.h"

namespace muster {

namespace {

constexpr std::size_t kLongestPeriod = 4;

/// What two pieces must share to be called the same.
auto kind_of(const PathPiece& piece) {
  return std::tuple(piece.kind, piece.end - piece.begin, piece.hops, piece.words, piece.sends);
}

/// One piece, without its nodes: "a message of 1 hop", "256 words taken".
std::string piece_text(const PathPiece& piece) {
  if (piece.kind == PathPiece::Kind::words) {
    return counted(piece.words, "word") + (piece.sends ? " of its own" : " received");
  }
  const std::string words = piece.words > 0 ? fmt::format(" and {}", counted(piece.words, "word")) : "";
  return fmt::format("a message of {}{}", counted(piece.hops, "hop"), words);
}

/// A group of `period` pieces, `times` in a row.
struct Repeat {
  std::size_t first = 0;
  std::size_t period = 1;
  std::size_t times = 1;
  [[nodiscard]] std::size_t pieces() const { return period * times; }
};

std::size_t times_from(const std::vector<PathPiece>& pieces, std::size_t first, std::size_t period) {
  std::size_t next = first + period;
  while (next < pieces.size() && kind_of(pieces[next]) == kind_of(pieces[next - period])) ++next;
  return (next - first) / period;
}

/// The group that covers most pieces from here on; the shortest of equals.
Repeat longest_repeat(const std::vector<PathPiece>& pieces, std::size_t first) {
  Repeat best{.first = first};
  for (std::size_t period = 1; period <= kLongestPeriod && first + period <= pieces.size(); ++period) {
    const Repeat repeat{.first = first, .period = period, .times = times_from(pieces, first, period)};
    const bool repeats = repeat.times > 1 || period == 1;
    if (repeats && repeat.pieces() > best.pieces()) best = repeat;
  }
  return best;
}

std::string one_text(const PathPiece& piece, const Machine& machine) {
  const std::string from = node_text(machine, piece.from);
  if (piece.kind == PathPiece::Kind::message) {
    return fmt::format("{}, {} to {}", piece_text(piece), from, node_text(machine, piece.to));
  }
  return fmt::format("{} {} {}", from, piece.sends ? "sends or stores" : "receives", counted(piece.words, "word"));
}

std::string repeat_text(const Repeat& repeat, const std::vector<PathPiece>& pieces, const Machine& machine) {
  const PathPiece& first = pieces[repeat.first];
  const PathPiece& last = pieces[repeat.first + repeat.pieces() - 1];
  if (repeat.pieces() == 1) return one_text(first, machine);
  const std::string from = node_text(machine, first.from), to = node_text(machine, last.to);
  const std::string nodes = from == to ? "at " + from : fmt::format("{} to {}", from, to);
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < repeat.period; ++i) parts.push_back(piece_text(pieces[repeat.first + i]));
  return fmt::format("{} times {}, {}", grouped(static_cast<std::int64_t>(repeat.times)), fmt::join(parts, " and "),
                     nodes);
}

std::vector<PathLine> shortened(std::vector<PathLine> lines, std::size_t most) {
  if (lines.size() <= most) return lines;
  const std::size_t head = most / 2, tail = most - head - 1;
  const std::size_t hidden = lines.size() - head - tail;
  const PathLine middle{.begin = lines[head].begin,
                        .end = lines[head + hidden - 1].end,
                        .what = fmt::format("... {} similar lines", hidden)};
  std::vector<PathLine> kept(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(head));
  kept.push_back(middle);
  kept.insert(kept.end(), lines.end() - static_cast<std::ptrdiff_t>(tail), lines.end());
  return kept;
}

}  // namespace

std::vector<PathLine> path_lines(const CriticalPath& path, const Machine& machine, std::size_t most) {
  std::vector<PathLine> lines;
  for (std::size_t i = 0; i < path.pieces.size();) {
    const Repeat repeat = longest_repeat(path.pieces, i);
    const std::size_t last = i + repeat.pieces() - 1;
    lines.push_back({.begin = path.pieces[i].begin,
                     .end = path.pieces[last].end,
                     .what = repeat_text(repeat, path.pieces, machine)});
    i = last + 1;
  }
  return shortened(std::move(lines), most);
}

}  // namespace muster

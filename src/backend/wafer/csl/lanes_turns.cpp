// Loops in the rows of a lane. Greedy, as loops.cpp: at each row, the loop that saves most.
#include <algorithm>

#include "backend/wafer/csl/lanes.h"
#include "backend/wafer/csl/widths.h"
#include "base/index.h"

namespace muster::wafer {
namespace {

constexpr std::size_t kMostRows = 96;  // of a loop: a block of a stencil with many neighbours
constexpr std::size_t kLeastSaved = 2;

constexpr std::array kPlaces{&LaneRow::to, &LaneRow::left, &LaneRow::right};

bool same_but_places(LaneRow first, const LaneRow& later) {
  for (const auto place : kPlaces) (first.*place).first = (later.*place).first;
  return first == later;
}

std::array<std::int64_t, 3> steps_between(const LaneRow& from, const LaneRow& to) {
  return {to.to.first - from.to.first, to.left.first - from.left.first, to.right.first - from.right.first};
}

/// How often the `length` rows from `from` on follow each other, with places that move evenly and forwards.
std::size_t turns_of(const std::vector<LaneRow>& rows, std::size_t from, std::size_t length) {
  std::size_t end = from + length;
  for (; end < rows.size(); ++end) {
    const LaneRow& before = rows[end - length];
    if (!same_but_places(before, rows[end])) break;
    const auto steps = steps_between(before, rows[end]);
    if (std::any_of(steps.begin(), steps.end(), [](std::int64_t s) { return s < 0 || s > kMostNumber; })) break;
    if (end >= from + 2 * length && steps != steps_between(rows[end - 2 * length], before)) break;
  }
  return (end - from) / length;
}

struct Loop {
  std::size_t length = 1;
  std::size_t turns = 1;
  [[nodiscard]] std::size_t saved() const { return (turns - 1) * length; }
};

Loop best_loop(const std::vector<LaneRow>& rows, std::size_t from) {
  Loop best;
  for (std::size_t length = 1; length <= kMostRows && from + 2 * length <= rows.size(); ++length) {
    const Loop loop{.length = length, .turns = turns_of(rows, from, length)};
    if (loop.saved() >= kLeastSaved && loop.saved() > best.saved()) best = loop;
  }
  return best;
}

}  // namespace

std::vector<LaneRow> with_turns(const std::vector<LaneRow>& plain) {
  std::vector<LaneRow> rolled;
  for (std::size_t from = 0; from < plain.size();) {
    const Loop loop = best_loop(plain, from);
    for (std::size_t i = 0; i < loop.length; ++i) {
      LaneRow row = plain[from + i];
      if (loop.turns > 1) {
        const auto steps = steps_between(row, plain[from + i + loop.length]);
        for (std::size_t p = 0; p < kPlaces.size(); ++p) (row.*kPlaces.at(p)).step = steps.at(p);
        if (i + 1 == loop.length) {
          row.turns = static_cast<std::int32_t>(loop.turns);
          row.back = static_cast<std::int32_t>(loop.length) - 1;
        }
      }
      rolled.push_back(row);
    }
    from += loop.length * loop.turns;
  }
  return rolled;
}

std::array<std::int64_t, kLaneFields> fields_of(const LaneRow& row) {
  const auto buffer = [](const LanePlace& place) { return static_cast<std::int64_t>(place.buffer); };
  return {row.kind,      buffer(row.to),    row.to.first,    row.to.step,    buffer(row.left), row.left.first,
          row.left.step, buffer(row.right), row.right.first, row.right.step, row.length,       row.number,
          row.waits,     row.tells,         row.turns,       row.back};
}

}  // namespace muster::wafer

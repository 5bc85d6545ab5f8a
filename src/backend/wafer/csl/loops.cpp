// Greedy: at each place, the loop that saves most. Loops do not nest.
#include "backend/wafer/csl/loops.h"

#include <algorithm>

#include "base/index.h"

namespace muster::wafer {

namespace {

constexpr std::size_t kMostPlaces = 8;  // of a loop
constexpr std::size_t kLeastSaved = 2;  // places, or a loop is not worth its words

struct Loop {
  std::size_t places = 1;
  std::size_t turns = 1;
  [[nodiscard]] std::size_t saved() const { return (turns - 1) * places; }
};

/// `later` as it would be `turns` turns after `first`, or the same but for its places in memory.
bool same_but_places(CslOperation first, const CslOperation& later) {
  first.own_first = later.own_first;
  first.store_first = later.store_first;
  first.sent_first = later.sent_first;
  return first == later;
}

struct Steps {
  std::int64_t own, store, sent;
  Steps(const CslOperation& from, const CslOperation& to)
      : own(to.own_first - from.own_first),
        store(to.store_first - from.store_first),
        sent(to.sent_first - from.sent_first) {}
  bool operator==(const Steps&) const = default;
};

class Roller {
 public:
  explicit Roller(const CslOperations& plain) : plain_(plain) {}

  CslOperations run() {
    CslOperations rolled;
    for (std::size_t from = 0; from < plain_.list.size();) {
      const Loop loop = best_loop(from);
      for (std::size_t place = 0; place < loop.places; ++place) {
        CslOperation operation = plain_.list[from + place];
        const bool last = place + 1 == loop.places;
        if (loop.turns > 1) {
          const Steps steps(operation, plain_.list[from + place + loop.places]);
          operation.own_step = steps.own;
          operation.store_step = steps.store;
          operation.sent_step = steps.sent;
          if (last) operation.back = static_cast<std::int32_t>(loop.places) - 1;
        }
        rolled.list.push_back(operation);
        rolled.times.push_back(loop.turns == 1 ? plain_.times[from + place]
                               : last          ? static_cast<std::int32_t>(loop.turns)
                                               : 0);
      }
      from += loop.places * loop.turns;
    }
    return rolled;
  }

 private:
  [[nodiscard]] Loop best_loop(std::size_t from) const {
    Loop best;
    for (std::size_t places = 1; places <= kMostPlaces && from + 2 * places <= plain_.list.size(); ++places) {
      const Loop loop{.places = places, .turns = turns_of(from, places)};
      if (loop.saved() >= kLeastSaved && loop.saved() > best.saved()) best = loop;
    }
    return best;
  }

  [[nodiscard]] std::size_t turns_of(std::size_t from, std::size_t places) const {
    std::size_t end = from;
    for (; end < plain_.list.size() && plain_.times[end] == 1; ++end) {
      if (end < from + places) continue;
      const CslOperation& before = plain_.list[end - places];
      const CslOperation& now = plain_.list[end];
      if (!same_but_places(before, now)) break;
      if (end >= from + 2 * places && Steps(before, now) != Steps(plain_.list[end - 2 * places], before)) break;
    }
    return std::max<std::size_t>(1, (end - from) / places);
  }

  const CslOperations& plain_;
};

}  // namespace

CslOperations with_loops(const CslOperations& plain) { return Roller(plain).run(); }

std::vector<CslOperation> without_loops(const CslOperations& operations) {
  std::vector<CslOperation> plain;
  std::size_t first = 0;
  for (std::size_t place = 0; place < operations.list.size(); ++place) {
    if (operations.times[place] == 0) continue;
    for (std::int32_t turn = 0; turn < operations.times[place]; ++turn) {
      for (std::size_t p = first; p <= place; ++p) {
        CslOperation one = operations.list[p];
        one.own_first += turn * one.own_step;
        one.store_first += turn * one.store_step;
        one.sent_first += turn * one.sent_step;
        one.own_step = one.store_step = one.sent_step = 0;
        one.back = 0;
        plain.push_back(one);
      }
    }
    first = place + 1;
  }
  return plain;
}

}  // namespace muster::wafer

// Greedy: at each operation, the loop that saves most. Loops do not nest.
#include "backend/wafer/csl/loops.h"

#include <algorithm>

#include "base/index.h"

namespace muster::wafer {

namespace {

constexpr std::size_t kMostOperations = 8;  // of a loop
constexpr std::size_t kLeastSaved = 2;      // operations, or a loop is not worth its words

struct Loop {
  std::size_t length = 1;
  std::size_t turns = 1;
  [[nodiscard]] std::size_t saved() const { return (turns - 1) * length; }
};

/// `later` as it would be `turns` turns after `first`, or the same but for its addresses.
bool same_but_addresses(CslOperation first, const CslOperation& later) {
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
      for (std::size_t index = 0; index < loop.length; ++index) {
        CslOperation operation = plain_.list[from + index];
        const bool last = index + 1 == loop.length;
        if (loop.turns > 1) {
          const Steps steps(operation, plain_.list[from + index + loop.length]);
          operation.own_step = steps.own;
          operation.store_step = steps.store;
          operation.sent_step = steps.sent;
          if (last) operation.back = static_cast<std::int32_t>(loop.length) - 1;
        }
        rolled.list.push_back(operation);
        rolled.times.push_back(loop.turns == 1 ? plain_.times[from + index]
                               : last          ? static_cast<std::int32_t>(loop.turns)
                                               : 0);
      }
      from += loop.length * loop.turns;
    }
    return rolled;
  }

 private:
  [[nodiscard]] Loop best_loop(std::size_t from) const {
    Loop best;
    for (std::size_t length = 1; length <= kMostOperations && from + 2 * length <= plain_.list.size(); ++length) {
      const Loop loop{.length = length, .turns = turns_of(from, length)};
      if (loop.saved() >= kLeastSaved && loop.saved() > best.saved()) best = loop;
    }
    return best;
  }

  [[nodiscard]] std::size_t turns_of(std::size_t from, std::size_t length) const {
    std::size_t end = from;
    for (; end < plain_.list.size() && plain_.times[end] == 1; ++end) {
      if (end < from + length) continue;
      const CslOperation& before = plain_.list[end - length];
      const CslOperation& now = plain_.list[end];
      if (!same_but_addresses(before, now)) break;
      if (end >= from + 2 * length && Steps(before, now) != Steps(plain_.list[end - 2 * length], before)) break;
    }
    return std::max<std::size_t>(1, (end - from) / length);
  }

  const CslOperations& plain_;
};

}  // namespace

CslOperations with_loops(const CslOperations& plain) { return Roller(plain).run(); }

std::vector<CslOperation> without_loops(const CslOperations& operations) {
  std::vector<CslOperation> plain;
  std::size_t first = 0;
  for (std::size_t index = 0; index < operations.list.size(); ++index) {
    if (operations.times[index] == 0) continue;
    for (std::int32_t turn = 0; turn < operations.times[index]; ++turn) {
      for (std::size_t p = first; p <= index; ++p) {
        CslOperation operation = operations.list[p];
        operation.own_first += turn * operation.own_step;
        operation.store_first += turn * operation.store_step;
        operation.sent_first += turn * operation.sent_step;
        operation.own_step = operation.store_step = operation.sent_step = 0;
        operation.back = 0;
        plain.push_back(operation);
      }
    }
    first = index + 1;
  }
  return plain;
}

}  // namespace muster::wafer

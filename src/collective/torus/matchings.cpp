#include "collective/torus/matchings.h"

#include <algorithm>
#include <bit>
#include <functional>

#include "base/index.h"

namespace muster {
namespace {

int steps_of(std::int32_t length) { return std::countr_zero(static_cast<std::uint32_t>(length)); }

/// The sum of (-2)^i for i = 0 to `step`.
std::int32_t swing_distance(int step) {
  const std::int32_t power = std::int32_t{1} << (step + 1);
  return (1 - (step % 2 == 0 ? -power : power)) / 3;
}

Matching along_axis(std::int32_t columns, std::int32_t rows, bool vertical, int step, const StepOrder& order) {
  Matching partners;
  for (std::int32_t y = 0; y < rows; ++y) {
    for (std::int32_t x = 0; x < columns; ++x) {
      partners.push_back(vertical ? partner_on_axis(y, step, rows, order) * columns + x
                                  : y * columns + partner_on_axis(x, step, columns, order));
    }
  }
  return partners;
}

}  // namespace

std::int32_t partner_on_axis(std::int32_t r, int step, std::int32_t length, const StepOrder& order) {
  if (order.rule == PartnerRule::recursive_doubling) return r ^ (1 << step);
  const bool forward = (r % 2 == 0) != order.mirrored;
  const std::int32_t distance = forward ? swing_distance(step) : -swing_distance(step);
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(r + distance) & static_cast<std::uint32_t>(length - 1));
}

std::vector<Matching> matchings(std::int32_t columns, std::int32_t rows, const StepOrder& order) {
  const int most = std::max(steps_of(columns), steps_of(rows));
  std::vector<Matching> steps;
  for (int step = 0; step < most; ++step) {
    for (const bool vertical : {order.vertical_first, !order.vertical_first}) {
      const bool has_step = step < steps_of(vertical ? rows : columns);
      if (has_step) steps.push_back(along_axis(columns, rows, vertical, step, order));
    }
  }
  return steps;
}

std::vector<std::vector<std::int32_t>> reached_from(const std::vector<Matching>& steps, std::size_t first,
                                                    std::int32_t players) {
  std::vector<std::vector<std::int32_t>> reached(at(players));
  for (std::int32_t n = 0; n < players; ++n) reached[at(n)] = {n};
  for (std::size_t k = steps.size(); k-- > first;) {
    std::vector<std::vector<std::int32_t>> before(at(players));
    for (std::int32_t n = 0; n < players; ++n) {
      const auto& own = reached[at(n)];
      const auto& other = reached[at(steps[k][at(n)])];
      before[at(n)].resize(own.size() + other.size());
      std::merge(own.begin(), own.end(), other.begin(), other.end(), before[at(n)].begin());
    }
    reached = std::move(before);
  }
  return reached;
}

std::vector<std::int32_t> contiguous_order(const std::vector<Matching>& steps, std::int32_t players) {
  std::vector<std::int32_t> number(at(players));
  std::int32_t next = 0;
  const std::function<void(std::int32_t, std::size_t)> visit = [&](std::int32_t player, std::size_t step) {
    if (step == steps.size()) {
      number[at(player)] = next++;
    } else {
      visit(player, step + 1);
      visit(steps[step][at(player)], step + 1);
    }
  };
  visit(0, 0);
  return number;
}

}  // namespace muster

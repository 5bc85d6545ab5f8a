// Digits are looked at from the lowest: units are runs of cores that agree in the digit and all higher ones, groups runs of
// units that agree in the higher ones.
#include "collective/switches/scan_rounds.h"

#include <algorithm>

#include "base/index.h"
#include "machine/hyperx.h"

namespace muster {
namespace {

/// By how many cores numbers differ that differ by one in a digit; after the last digit, the number of all cores.
std::vector<std::int64_t> digit_values(const HyperX& hyperx) {
  std::vector<std::int64_t> values{1};
  const auto add = [&](std::int32_t size) { values.push_back(values.back() * size); };
  add(hyperx.core_columns);
  add(hyperx.core_rows);
  add(hyperx.sockets);
  for (const std::int32_t size : hyperx.shape) add(size);
  return values;
}

/// Where runs of cores begin whose numbers are the same but for what is below `value`; the end after the last.
std::vector<std::int32_t> runs(std::span<const NodeId> cores, std::int64_t value) {
  std::vector<std::int32_t> first;
  for (std::size_t i = 0; i < cores.size(); ++i) {
    if (i == 0 || cores[i] / value != cores[i - 1] / value) first.push_back(static_cast<std::int32_t>(i));
  }
  first.push_back(static_cast<std::int32_t>(cores.size()));
  return first;
}

/// The blocks of round j of a group of units, whose first cores and end are given.
void add_blocks(std::span<const std::int32_t> units, int j, ScanRound& round) {
  const std::size_t count = units.size() - 1;
  const std::size_t half = std::size_t{1} << j;
  for (std::size_t i = 0; i + half < count; i += 2 * half) {
    const std::int32_t middle = units[i + half];
    round.push_back({.giver = middle - 1, .first = middle, .end = units[std::min(i + 2 * half, count)]});
  }
}

}  // namespace

std::vector<ScanRound> scan_rounds(const HyperX& hyperx, std::span<const NodeId> cores) {
  std::vector<ScanRound> rounds;
  const std::vector<std::int64_t> values = digit_values(hyperx);
  for (std::size_t digit = 0; digit + 1 < values.size(); ++digit) {
    const std::vector<std::int32_t> units = runs(cores, values[digit]);
    const std::vector<std::int32_t> groups = runs(cores, values[digit + 1]);
    for (int j = 0;; ++j) {
      ScanRound round;
      auto unit = units.begin();
      for (std::size_t g = 0; g + 1 < groups.size(); ++g) {
        const auto end = std::lower_bound(unit, units.end(), groups[g + 1]);
        add_blocks({unit, end + 1}, j, round);
        unit = end;
      }
      if (round.empty()) break;
      rounds.push_back(std::move(round));
    }
  }
  return rounds;
}

}  // namespace muster

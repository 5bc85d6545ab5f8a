#include "backend/wafer/csl/number_sequence.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/index.h"

namespace muster::wafer {

std::vector<NumberItem> compress_numbers(std::span<const std::int32_t> numbers, std::int32_t width,
                                         std::int32_t period) {
  const auto count = static_cast<std::int32_t>(numbers.size());
  std::vector<NumberItem> items;
  for (std::int32_t from = 0; from < count;) {
    NumberItem best{.change = numbers[at(from)]};
    for (const std::int32_t distance : std::array{1, width, period}) {
      if (distance < 1 || distance > from) continue;
      const std::int32_t change = numbers[at(from)] - numbers[at(from - distance)];
      std::int32_t end = from + 1;
      while (end < count && numbers[at(end)] - numbers[at(end - distance)] == change) ++end;
      const NumberItem item{.length = end - from, .distance = distance, .change = change};
      if (item.length > best.length) best = item;
    }
    items.push_back(best);
    from += best.length;
  }
  return items;
}

std::vector<std::int32_t> expand_numbers(std::span<const NumberItem> items) {
  std::vector<std::int32_t> numbers;
  for (const NumberItem& item : items) {
    MUSTER_ASSERT(item.distance >= 0 && at(item.distance) <= numbers.size(), "a copy from {} back at {}", item.distance,
                  numbers.size());
    for (std::int32_t i = 0; i < item.length; ++i) {
      const std::int32_t before = item.distance == 0 ? 0 : numbers[numbers.size() - at(item.distance)];
      numbers.push_back(before + item.change);
    }
  }
  return numbers;
}

std::vector<std::int32_t> fill_gaps(std::span<const std::optional<std::int32_t>> numbers, std::int32_t most) {
  std::vector<std::int32_t> filled(numbers.size(), 0);
  const auto first = std::find_if(numbers.begin(), numbers.end(), [](const auto& n) { return n.has_value(); });
  if (first == numbers.end()) return filled;
  const auto start = static_cast<std::size_t>(first - numbers.begin());
  const bool next = start + 1 < numbers.size() && numbers[start + 1].has_value();
  const std::int32_t change = next ? *numbers[start + 1] - **first : 0;
  std::int32_t now = **first;
  for (std::size_t i = start + 1; i-- > 0;) {
    filled[i] = std::clamp(now, 0, most);
    now = filled[i] - change;
  }
  std::int32_t growth = 0;
  for (std::size_t i = start + 1; i < numbers.size(); ++i) {
    filled[i] = numbers[i].value_or(std::clamp(filled[i - 1] + growth, 0, most));
    growth = filled[i] - filled[i - 1];
  }
  return filled;
}

}  // namespace muster::wafer

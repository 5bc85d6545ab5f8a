// An open number takes whatever value makes the copy longer.
#include <array>

#include "backend/wafer/csl/copies.h"
#include "base/error.h"
#include "base/index.h"

namespace muster::wafer {

namespace {

class NumberWriter {
 public:
  NumberWriter(const OpenNumbers& numbers, const NumberShape& shape)
      : numbers_(numbers),
        shape_(shape),
        written_(numbers.size(), 0),
        count_(static_cast<std::int32_t>(numbers.size())) {}

  std::vector<CopyItem> run() {
    std::vector<CopyItem> items;
    for (std::int32_t from = 0; from < count_;) {
      items.push_back(best_from(from));
      write(from, items.back());
      from += items.back().length;
    }
    return items;
  }

 private:
  [[nodiscard]] CopyItem best_from(std::int32_t from) {
    CopyItem best{.change = numbers_[at(from)].value_or(from > 0 ? written_[at(from - 1)] : 0)};
    const auto consider = [&](std::int32_t distance, std::int32_t change) {
      const std::int32_t length = copied(from, distance, change);
      if (length > best.length) best = {.length = length, .distance = distance, .change = change};
    };
    for (const std::int32_t distance : std::array{1, 2, shape_.width, 2 * shape_.width, shape_.period}) {
      if (distance < 1 || distance > from) continue;
      if (const auto& number = numbers_[at(from)]) {
        consider(distance, *number - written_[at(from - distance)]);
      } else {
        consider(distance, 0);
        if (distance == 1 && from > 1) consider(1, written_[at(from - 1)] - written_[at(from - 2)]);
      }
    }
    return best;
  }

  /// How many numbers from there on are `change` more than those `distance` before them.
  std::int32_t copied(std::int32_t from, std::int32_t distance, std::int32_t change) {
    std::int32_t end = from;
    for (; end < count_; ++end) {
      const std::int32_t number = written_[at(end - distance)] + change;
      if (number < 0 || number > shape_.most || numbers_[at(end)].value_or(number) != number) break;
      written_[at(end)] = number;
    }
    return end - from;
  }

  void write(std::int32_t from, const CopyItem& item) {
    for (std::int32_t i = from; i < from + item.length; ++i) {
      written_[at(i)] = item.change + (item.distance == 0 ? 0 : written_[at(i - item.distance)]);
    }
  }

  const OpenNumbers& numbers_;
  const NumberShape& shape_;
  std::vector<std::int32_t> written_;
  std::int32_t count_;
};

}  // namespace

std::vector<CopyItem> compress_numbers(const OpenNumbers& numbers, const NumberShape& shape) {
  return NumberWriter(numbers, shape).run();
}

std::vector<std::int32_t> expand(std::span<const CopyItem> items) {
  std::vector<std::int32_t> numbers;
  for (const CopyItem& item : items) {
    MUSTER_ASSERT(item.distance >= 0 && at(item.distance) <= numbers.size(), "a copy from {} back at {}", item.distance,
                  numbers.size());
    for (std::int32_t i = 0; i < item.length; ++i) {
      const std::int32_t before = item.distance == 0 ? 0 : numbers[numbers.size() - at(item.distance)];
      numbers.push_back(before + item.change);
    }
  }
  return numbers;
}

}  // namespace muster::wafer

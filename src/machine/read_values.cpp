// Values of machine files with the checks that every family needs.
#include <algorithm>
#include <limits>

#include "machine/read_network.h"

namespace muster {

Hertz read_clock(const TomlTable& root) {
  const Hertz clock = root.hertz("clock");
  if (clock.value() < 1)
    root.refuse("clock", fmt::format("{} is too slow; use at least 1 Hz", root.described("clock")));
  return clock;
}

Bytes read_size(const TomlTable& table, std::string_view key) {
  const Bytes size = table.bytes(key);
  if (size.value() < 1) table.refuse(key, fmt::format("{} is too small; use at least 1 byte", table.described(key)));
  return size;
}

Cycles read_cycles(const TomlTable& table, std::string_view key, Hertz clock, Cycles least) {
  constexpr std::int64_t kMost = 1'000'000;  // simulators keep what is on its way, cycle by cycle
  const Cycles cycles = to_cycles(table.time(key), clock);
  if (cycles < least) {
    table.refuse(key, fmt::format("{} is too short; use at least {}", table.described(key), to_text(least)));
  }
  if (cycles.value() > kMost) {
    table.refuse(key, fmt::format("{} is too long; use at most {} cycles", table.described(key), kMost));
  }
  return cycles;
}

Seconds read_seconds(const TomlTable& table, std::string_view key) {
  const Time time = table.time(key);
  if (time.kind == Time::Kind::cycles) {
    table.refuse(
        key, fmt::format("{} needs a clock, which this family does not have; use e.g. '5 ns'", table.described(key)));
  }
  if (time.value > 1) table.refuse(key, fmt::format("{} is too long; use at most 1 s", table.described(key)));
  return Seconds(time.value);
}

BytesPerSecond read_bandwidth(const TomlTable& table, std::string_view key) {
  const Rate rate = table.rate(key);
  if (rate.kind != Rate::Kind::bytes_per_second) {
    table.refuse(key, fmt::format("{} needs a clock, which this family does not have; use e.g. '64 Gb/s'",
                                  table.described(key)));
  }
  if (rate.value <= 0) table.refuse(key, fmt::format("{} must be more than 0", table.described(key)));
  return BytesPerSecond(rate.value);
}

std::int32_t read_integer(const TomlTable& table, std::string_view key, std::int32_t least, std::int32_t most) {
  return static_cast<std::int32_t>(table.integer(key, {.least = least, .most = most}));
}

std::vector<std::int32_t> read_set(const TomlTable& table, std::string_view key, std::int32_t least,
                                   std::int32_t most) {
  std::vector<std::int32_t> numbers;
  for (const std::int64_t number : table.integers(key, {.least = least, .most = most})) {
    numbers.push_back(static_cast<std::int32_t>(number));
  }
  std::sort(numbers.begin(), numbers.end());
  const auto twice = std::adjacent_find(numbers.begin(), numbers.end());
  if (twice != numbers.end()) table.refuse(key, fmt::format("{} is listed twice; keep one", *twice));
  return numbers;
}

void check_product(const TomlTable& table, std::string_view key, const std::vector<std::int32_t>& sizes,
                   std::int64_t most) {
  std::int64_t product = 1;
  for (const std::int32_t size : sizes) {
    if (product > most / size) {
      table.refuse(key, fmt::format("{} is too large; the product may be at most {}", fmt::join(sizes, "x"), most));
    }
    product *= size;
  }
}

}  // namespace muster

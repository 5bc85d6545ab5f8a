// Values of timing keys as texts, and back.
#include <algorithm>
#include <optional>

#include "machine/family.h"
#include "machine/timing_key_list.h"

namespace muster {

std::vector<TimingKey> timing_keys(const Machine& machine) { return machine.family().timing_keys(machine); }

std::optional<Cycles> cycles_from(const std::string& text) {
  const Outcome<Time> time = parse_time(text);
  return time ? std::optional(Cycles(static_cast<std::int64_t>(time.value().value))) : std::nullopt;
}
std::optional<Seconds> seconds_from(const std::string& text) {
  const Outcome<Time> time = parse_time(text);
  return time ? std::optional(Seconds(time.value().value)) : std::nullopt;
}
std::optional<BytesPerSecond> bandwidth_from(const std::string& text) {
  const Outcome<Rate> rate = parse_rate(text);
  return rate ? std::optional(BytesPerSecond(rate.value().value)) : std::nullopt;
}
std::optional<std::int32_t> number_from(const std::string& text) { return std::stoi(text); }

namespace {

/// With digits enough to be the same value when it is read again: "102.4 Gb/s".
template <class Value>
std::string precise(Value value, std::optional<Value> (*parse)(const std::string&)) {
  const std::string rounded = to_text(value);
  const std::string unit = rounded.substr(rounded.find(' '));
  return fmt::format("{:.6g}{}", value / parse("1" + unit).value(), unit);
}

}  // namespace

std::string text_of(const Cycles& value) { return to_text(value); }
std::string text_of(const Seconds& value) { return precise(value, seconds_from); }
std::string text_of(const BytesPerSecond& value) { return precise(value, bandwidth_from); }
std::string text_of(const std::int32_t& value) { return std::to_string(value); }

std::vector<std::string> half_and_twice(std::int32_t value) {
  return {std::to_string(std::max(1, value / 2)), std::to_string(value * 2)};
}

}  // namespace muster

// How families make their timing keys: a member of the network, its value as text, and texts of other values.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/units.h"
#include "machine/timing_keys.h"

namespace muster {

/// The keys of one machine, whose network is of the given type.
template <class T>
class TimingKeyList {
 public:
  explicit TimingKeyList(const Machine& machine) : machine_(machine), network_(*as<T>(machine)) {}

  /// What a member says as text, and what a text makes of it.
  template <class Value>
  struct Form {
    std::string (*text)(const Value&);
    std::optional<Value> (*parse)(const std::string&);  ///< nothing: more than any machine can have
  };

  /// A value that some function finds in the network, and others by their texts. Values become what their text says, so that
  /// the answer can be repeated by --param.
  template <class Value>
  void add(const std::string& key, const std::function<Value&(T&)>& find, const std::vector<std::string>& others,
           const Form<Value>& form) {
    T copy = network_;
    TimingKey timing_key{.key = key, .current = form.text(find(copy)), .values = {}};
    for (const std::string& text : others) {
      const std::optional<Value> value = form.parse(text);
      if (!value || text == timing_key.current) continue;
      timing_key.values.push_back({text, machine_});
      find(*as<T>(timing_key.values.back().machine)) = *value;
    }
    if (!timing_key.values.empty()) all_.push_back(std::move(timing_key));
  }

  [[nodiscard]] const T& network() const { return network_; }
  std::vector<TimingKey> take() && { return std::move(all_); }

 private:
  const Machine& machine_;
  const T& network_;
  std::vector<TimingKey> all_;
};

// Values from texts, which are right.
std::optional<Cycles> cycles_from(const std::string& text);
std::optional<Seconds> seconds_from(const std::string& text);
std::optional<BytesPerSecond> bandwidth_from(const std::string& text);
std::optional<std::int32_t> number_from(const std::string& text);

// Texts with digits enough to be the same value when they are read again: "102.4 Gb/s".
std::string text_of(const Cycles& value);
std::string text_of(const Seconds& value);
std::string text_of(const BytesPerSecond& value);
std::string text_of(const std::int32_t& value);

/// Half and twice a value, as text.
template <class Value>
std::vector<std::string> half_and_twice(Value value) {
  return {text_of(value * 0.5), text_of(value * 2)};
}
std::vector<std::string> half_and_twice(std::int32_t value);

}  // namespace muster

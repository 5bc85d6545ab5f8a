// A mesh is tried with values that processors of its kind could have; the others with half and twice of what they have.
#include "machine/timing_keys.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "machine/cluster.h"
#include "machine/hyperx.h"
#include "machine/mesh.h"

namespace muster {
namespace {

/// The keys of one machine, whose network is of the given type.
template <class T>
class Keys {
 public:
  explicit Keys(const Machine& machine) : machine_(machine), network_(*as<T>(machine)) {}

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
    TimingKey one{.key = key, .current = form.text(find(copy)), .values = {}};
    for (const std::string& text : others) {
      const std::optional<Value> value = form.parse(text);
      if (!value || text == one.current) continue;
      one.values.push_back({text, machine_});
      find(*as<T>(one.values.back().machine)) = *value;
    }
    if (!one.values.empty()) all_.push_back(std::move(one));
  }

  [[nodiscard]] const T& network() const { return network_; }
  std::vector<TimingKey> take() && { return std::move(all_); }

 private:
  const Machine& machine_;
  const T& network_;
  std::vector<TimingKey> all_;
};

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

/// With digits enough to be the same value when it is read again: "102.4 Gb/s".
template <class Value>
std::string precise(Value value, std::optional<Value> (*parse)(const std::string&)) {
  const std::string rounded = to_text(value);
  const std::string unit = rounded.substr(rounded.find(' '));
  return fmt::format("{:.6g}{}", value / parse("1" + unit).value(), unit);
}

std::string text_of(const Cycles& value) { return to_text(value); }
std::string text_of(const Seconds& value) { return precise(value, seconds_from); }
std::string text_of(const BytesPerSecond& value) { return precise(value, bandwidth_from); }
std::string text_of(const std::int32_t& value) { return std::to_string(value); }

constexpr Arbitration kArbitrations[] = {Arbitration::lowest_color, Arbitration::highest_color,
                                         Arbitration::round_robin};

std::optional<Arbitration> arbitration_from(const std::string& text) {
  return *std::find_if(std::begin(kArbitrations), std::end(kArbitrations),
                       [&](Arbitration one) { return arbitration_name(one) == text; });
}

/// Half and twice a value, as text.
template <class Value>
std::vector<std::string> half_and_twice(Value value) {
  return {text_of(value * 0.5), text_of(value * 2)};
}

std::vector<std::string> half_and_twice(std::int32_t value) {
  return {std::to_string(std::max(1, value / 2)), std::to_string(value * 2)};
}

std::vector<TimingKey> keys_of_mesh(const Machine& machine) {
  Keys<Mesh> keys(machine);
  const auto in_cycles = [&](const char* key, Cycles Mesh::*member, const std::vector<std::string>& values) {
    keys.add<Cycles>(key, [member](Mesh& mesh) -> Cycles& { return mesh.*member; }, values, {text_of, cycles_from});
  };
  const auto in_places = [&](const char* key, std::int32_t Mesh::*member) {
    keys.add<std::int32_t>(key, [member](Mesh& mesh) -> std::int32_t& { return mesh.*member; }, {"1", "2", "4", "8"},
                           {text_of, number_from});
  };
  in_cycles("ramp.latency", &Mesh::ramp_latency, {"1 cycle", "2 cycles", "4 cycles", "7 cycles"});
  in_places("ramp.queue", &Mesh::ramp_queue);
  in_places("router.buffer", &Mesh::router_buffer);
  const std::vector<std::string> costs{"0 cycles", "4 cycles", "16 cycles", "64 cycles"};
  in_cycles("processor.operation_start", &Mesh::operation_start, costs);
  in_cycles("processor.receive_gap", &Mesh::receive_gap, costs);
  std::vector<std::string> names;
  for (const Arbitration one : kArbitrations) names.push_back(arbitration_name(one));
  keys.add<Arbitration>("link.arbitration", [](Mesh& mesh) -> Arbitration& { return mesh.arbitration; }, names,
                        {[](const Arbitration& one) { return arbitration_name(one); }, arbitration_from});
  return std::move(keys).take();
}

std::vector<TimingKey> keys_of_hyperx(const Machine& machine) {
  Keys<HyperX> keys(machine);
  const HyperX& network = keys.network();
  const auto latency = [&](const char* key, Seconds HyperX::*member) {
    keys.add<Seconds>(key, [member](HyperX& hyperx) -> Seconds& { return hyperx.*member; },
                      half_and_twice(network.*member), {text_of, seconds_from});
  };
  const auto bandwidth = [&](const char* key, BytesPerSecond HyperX::*member) {
    keys.add<BytesPerSecond>(key, [member](HyperX& hyperx) -> BytesPerSecond& { return hyperx.*member; },
                             half_and_twice(network.*member), {text_of, bandwidth_from});
  };
  latency("nodes.latency", &HyperX::node_latency);
  latency("sockets.latency", &HyperX::socket_latency);
  latency("cores.latency", &HyperX::core_latency);
  bandwidth("link.bandwidth", &HyperX::link_bandwidth);
  bandwidth("memory.bandwidth", &HyperX::memory_bandwidth);
  keys.add<std::int32_t>("switch.buffer_packets", [](HyperX& hyperx) -> std::int32_t& { return hyperx.buffer_packets; },
                         half_and_twice(network.buffer_packets), {text_of, number_from});
  if (network.host) {
    keys.add<Seconds>("host.round_overhead", [](HyperX& hyperx) -> Seconds& { return hyperx.host->round_overhead; },
                      half_and_twice(network.host->round_overhead), {text_of, seconds_from});
  }
  return std::move(keys).take();
}

std::vector<TimingKey> keys_of_cluster(const Machine& machine) {
  Keys<Cluster> keys(machine);
  for (std::size_t d = 0; d < keys.network().dimensions.size(); ++d) {
    const Cluster::Dimension& dimension = keys.network().dimensions[d];
    keys.add<BytesPerSecond>(fmt::format("dimension.{}.bandwidth", d + 1),
                             [d](Cluster& cluster) -> BytesPerSecond& { return cluster.dimensions[d].link_bandwidth; },
                             half_and_twice(dimension.link_bandwidth), {text_of, bandwidth_from});
    keys.add<Seconds>(fmt::format("dimension.{}.latency", d + 1),
                      [d](Cluster& cluster) -> Seconds& { return cluster.dimensions[d].latency; },
                      half_and_twice(dimension.latency), {text_of, seconds_from});
  }
  return std::move(keys).take();
}

}  // namespace

std::vector<TimingKey> timing_keys(const Machine& machine) {
  if (as<Mesh>(machine) != nullptr) return keys_of_mesh(machine);
  if (as<HyperX>(machine) != nullptr) return keys_of_hyperx(machine);
  if (as<Cluster>(machine) != nullptr) return keys_of_cluster(machine);
  return {};
}

}  // namespace muster

// Reducing switches are tried with half and twice of what they have.
#include "machine/hyperx.h"
#include "machine/timing_key_list.h"

namespace muster {

std::vector<TimingKey> hyperx_timing_keys(const Machine& machine) {
  TimingKeyList<HyperX> keys(machine);
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

}  // namespace muster

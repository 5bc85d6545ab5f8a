// A torus is tried with half and twice of what is fitted or assumed.
#include "machine/timing_key_list.h"
#include "machine/torus.h"

namespace muster {

std::vector<TimingKey> torus_timing_keys(const Machine& machine) {
  TimingKeyList<Torus> keys(machine);
  const auto add = [&](const char* key, const std::function<Cycles&(Torus&)>& find) {
    Torus copy = keys.network();
    const std::int64_t now = find(copy).value();
    const std::int64_t half = now / 2 > 0 ? now / 2 : 1;
    keys.add<Cycles>(key, find, {text_of(Cycles(half)), text_of(Cycles(2 * now))}, {text_of, cycles_from});
  };
  add("link.hop_latency", [](Torus& t) -> Cycles& { return t.hop_latency; });
  add("interface.latency", [](Torus& t) -> Cycles& { return t.interface_latency; });
  add("interface.memory_latency", [](Torus& t) -> Cycles& { return t.interface.memory_latency; });
  add("interface.acknowledge", [](Torus& t) -> Cycles& { return t.interface.acknowledge; });
  add("router.hand_over", [](Torus& t) -> Cycles& { return t.hand_over; });
  add("multicast.reservation_per_hop", [](Torus& t) -> Cycles& { return t.interface.reservation_per_hop; });
  add("issue.write", [](Torus& t) -> Cycles& { return t.issue.write; });
  add("issue.atomic", [](Torus& t) -> Cycles& { return t.issue.atomic; });
  add("issue.barrier", [](Torus& t) -> Cycles& { return t.issue.barrier; });
  add("issue.token", [](Torus& t) -> Cycles& { return t.issue.token; });
  add("compute.start", [](Torus& t) -> Cycles& { return t.compute.start; });
  add("compute.tile_16bit", [](Torus& t) -> Cycles& { return t.compute.tile_16bit; });
  add("compute.tile_32bit", [](Torus& t) -> Cycles& { return t.compute.tile_32bit; });
  add("dram.latency", [](Torus& t) -> Cycles& { return t.dram.latency; });
  return std::move(keys).take();
}

}  // namespace muster

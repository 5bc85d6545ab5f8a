// A cluster is tried with half and twice of what its dimensions have.
#include "machine/cluster.h"
#include "machine/timing_key_list.h"

namespace muster {

std::vector<TimingKey> cluster_timing_keys(const Machine& machine) {
  TimingKeyList<Cluster> keys(machine);
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

}  // namespace muster

#include "app/sharing/cluster.h"

#include <array>

#include "base/error.h"
#include "machine/family.h"
#include "result/time_base.h"

namespace muster::sharing {

const Cluster& shared_cluster(const Machine& machine) {
  const Cluster* const cluster = as<Cluster>(machine);
  if (cluster == nullptr) {
    reject_family(machine, "jobs", std::array<std::string_view, 1>{"cluster"});
  }
  if (cluster->accounting == Cluster::Accounting::astra) {
    reject("ASTRA-sim's accounting supports single collectives only; use accounting = \"paper\"");
  }
  return *cluster;
}

void add_dimensions(const Cluster& cluster, const DimensionNetwork& network, SharingAnswer& answer) {
  double sent = 0, possible = 0;
  for (std::size_t d = 0; d < cluster.dimensions.size(); ++d) {
    const double bandwidth = cluster.dimensions[d].bandwidth().value();
    const Seconds busy = to_seconds(network.busy(static_cast<std::int32_t>(d)), kPicoseconds);
    const double share = answer.total.value() > 0 ? busy / answer.total : 0;
    answer.dimensions.push_back({.busy = busy, .utilization = share});
    sent += share * bandwidth;
    possible += bandwidth;
  }
  answer.utilization = sent / possible;
}

}  // namespace muster::sharing

// Dimensions, cut where the NPUs of one model end.
#include "app/training/cluster/groups.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/index.h"
#include "machine/routing.h"
#include "schedule/arithmetic.h"

namespace muster::training {
namespace {

struct Cut {
  std::vector<std::int32_t> model;  ///< members of each dimension that share a model
  std::vector<std::int32_t> data;   ///< and the others
};

[[noreturn]] void refuse_cut(const Workload& workload, const Machine& machine, const std::string& why) {
  std::vector<std::int64_t> fitting;
  std::int64_t product = 1;
  for (const Cluster::Dimension& d : as<Cluster>(machine)->dimensions) fitting.push_back(product *= d.size);
  reject("{}:{}: {} NPUs share a model, {}; {} has {}, so e.g. {} fit", workload.file, workload.model_npus_line,
         workload.model_npus, why, machine.name, shape_text(machine), fmt::join(fitting, ", "));
}

/// The first dimensions, the last of them perhaps in part.
Cut cut(const Workload& workload, const Machine& machine) {
  Cut cut;
  std::int32_t left = workload.model_npus;
  for (const Cluster::Dimension& d : as<Cluster>(machine)->dimensions) {
    const std::int32_t here = std::min(left, d.size);
    const bool even = left % here == 0 && d.size % here == 0;
    if (!even) refuse_cut(workload, machine, "which is not a product of the first dimensions");
    if (here != 1 && here != d.size && d.kind != Cluster::Kind::switched) {
      refuse_cut(workload, machine, fmt::format("which cuts a dimension of {} that has no switch", d.size));
    }
    cut.model.push_back(here);
    cut.data.push_back(d.size / here);
    left /= here;
  }
  if (left > 1) refuse_cut(workload, machine, "more than there are NPUs");
  return cut;
}

ClusterGroup group_with(const Cluster& cluster, const std::vector<std::int32_t>& sizes) {
  ClusterGroup group;
  group.cluster.buffer_chunks = cluster.buffer_chunks;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] < 2) continue;
    group.cluster.dimensions.push_back(cluster.dimensions[d]);
    group.cluster.dimensions.back().size = sizes[d];
    group.dimensions.push_back(static_cast<std::int32_t>(d));
  }
  return group;
}

/// In an all-to-all an NPU sends the blocks of all others, and around a ring those that pass it: a block has as many hops as
/// NPUs lie between, the shorter way where there are links both ways.
std::int64_t blocks_sent(const Cluster::Dimension& d) {
  const std::int64_t size = d.size;
  if (d.kind != Cluster::Kind::ring) return size - 1;
  return d.links > 1 ? size * size / 4 : size * (size - 1) / 2;
}

std::vector<std::int32_t> named_sizes(const Communication& c, const Workload& workload, const Machine& machine) {
  const auto& dimensions = as<Cluster>(machine)->dimensions;
  std::vector<std::int32_t> sizes(dimensions.size(), 1);
  for (const std::int32_t d : c.dimensions) {
    if (at(d) >= sizes.size()) {
      reject("{}:{}: dimension {} does not exist; {} has {}", workload.file, c.line, d + 1, machine.name, sizes.size());
    }
    sizes[at(d)] = dimensions[at(d)].size;
  }
  return sizes;
}

ClusterGroup cluster_group(const Communication& communication, const Workload& workload, const Machine& machine) {
  const Cluster& cluster = *as<Cluster>(machine);
  if (communication.scope == Scope::dimensions) {
    return group_with(cluster, named_sizes(communication, workload, machine));
  }
  const Cut parts = cut(workload, machine);
  if (communication.scope == Scope::model) return group_with(cluster, parts.model);
  if (communication.scope == Scope::data) return group_with(cluster, parts.data);
  std::vector<std::int32_t> all;
  for (const Cluster::Dimension& d : cluster.dimensions) all.push_back(d.size);
  return group_with(cluster, all);
}

}  // namespace

Group group_on_cluster(const Communication& communication, const Workload& workload, const Machine& machine) {
  ClusterGroup part = cluster_group(communication, workload, machine);
  Group group;
  for (const Cluster::Dimension& d : part.cluster.dimensions) group.members *= d.size;
  group.part = std::move(part);
  return group;
}

const ClusterGroup& opened(const Group& group) { return *group.part.as<ClusterGroup>(); }

double sent_bytes(const Group& group, const Transfer& transfer) {
  const std::vector<Cluster::Dimension>& dimensions = opened(group).cluster.dimensions;
  const double bytes = static_cast<double>(transfer.words) * sizeof(Word);
  if (transfer.collective == Collective::all_to_all) {
    double sent = 0;
    for (const Cluster::Dimension& d : dimensions) {
      sent += bytes * static_cast<double>(blocks_sent(d)) / static_cast<double>(d.size);
    }
    return sent;
  }
  const auto all = static_cast<double>(group.members);
  if (transfer.collective != Collective::allreduce) return bytes * (all - 1) / all;
  double last = 1;  // size of the largest dimension that reduces in its switches; 1: none does
  for (const Cluster::Dimension& d : dimensions) {
    if (d.reduces) last = std::max<double>(last, d.size);
  }
  // A reducing dimension sends what reaches it once. All else is sent twice, except each NPU's own piece.
  return last > 1 ? bytes * (2 - last / all) : bytes * 2 * (all - 1) / all;
}

BytesPerSecond bandwidth(const Group& group) {
  BytesPerSecond sum;
  for (const Cluster::Dimension& d : opened(group).cluster.dimensions) sum += d.bandwidth();
  return sum;
}

}  // namespace muster::training

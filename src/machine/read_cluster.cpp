// The keys of a cluster, and their reader.
#include <array>

#include "machine/cluster.h"
#include "machine/keys.h"
#include "machine/read_limits.h"
#include "machine/read_network.h"

namespace muster {
namespace {

constexpr std::array kClusterKeys{
    MachineKey{.name = "accounting",
               .type = "choice",
               .allowed = "paper, astra",
               .example = "\"paper\"",
               .meaning = "Timing model: that of the Themis paper, or that of ASTRA-sim 1.0.",
               .need = MachineKey::Need::optional},
    MachineKey{.name = "receiver.buffer_chunks",
               .type = "whole number",
               .allowed = "1 to 1048576",
               .example = "2",
               .meaning = "Messages that a receiver buffers before the sender stalls."},
    MachineKey{.name = "dimension.N.kind",
               .type = "choice",
               .allowed = "ring, fully-connected, switch",
               .example = "\"switch\"",
               .meaning = "Topology of the dimension."},
    MachineKey{.name = "dimension.N.size",
               .type = "whole number",
               .allowed = "2 to 2147483647",
               .example = "16",
               .meaning = "NPUs along the dimension. Rank numbers grow along dimension 1 first."},
    MachineKey{.name = "dimension.N.bandwidth",
               .type = "bandwidth",
               .allowed = "more than 0, per second",
               .example = "\"200 Gb/s\"",
               .meaning = "Bandwidth of one link of an NPU, per direction."},
    MachineKey{.name = "dimension.N.links",
               .type = "whole number",
               .allowed = "1 to 1048576; fully-connected: size - 1 or more",
               .example = "6",
               .meaning = "Links per NPU in this dimension."},
    MachineKey{.name = "dimension.N.latency",
               .type = "duration",
               .allowed = "0 s to 1 s; this family has no clock",
               .example = "\"700 ns\"",
               .meaning = "NPU-to-NPU latency of the shortest message."},
    MachineKey{.name = "dimension.N.reduces",
               .type = "boolean",
               .allowed = "true, false; true on a switch only",
               .example = "false",
               .meaning = "Whether the switches reduce in the network.",
               .need = MachineKey::Need::optional},
};

Cluster::Dimension read_dimension(const TomlTable& table) {
  const std::array<std::string, 3> kinds{"ring", "fully-connected", "switch"};
  const std::string kind = table.choice("kind", kinds);
  Cluster::Dimension dimension{
      .kind = kind == kinds[0]   ? Cluster::Kind::ring
              : kind == kinds[1] ? Cluster::Kind::fully_connected
                                 : Cluster::Kind::switched,
      .size = read_integer(table, "size", 2, kMostNodes),
      .link_bandwidth = read_bandwidth(table, "bandwidth"),
      .links = read_integer(table, "links", 1, kMostPerNode),
      .latency = read_seconds(table, "latency"),
      .reduces = table.has("reduces") && table.boolean("reduces"),
  };
  if (dimension.reduces && dimension.kind != Cluster::Kind::switched) {
    table.refuse("reduces", fmt::format("'{}' cannot reduce; only a switch can", kind));
  }
  return dimension;
}

void check_links(const TomlTable& table, const Cluster::Dimension& dimension) {
  const std::int32_t others = dimension.size - 1;
  if (dimension.kind != Cluster::Kind::fully_connected || dimension.links >= others) return;
  table.refuse("links",
               fmt::format("{} links per NPU cannot reach all {} others of a fully connected dimension; use {} or more",
                           dimension.links, others, others));
}

}  // namespace

std::span<const MachineKey> cluster_keys() { return kClusterKeys; }

Cluster read_cluster(const TomlTable& root) {
  require_keys(root, "cluster");
  Cluster cluster;
  cluster.buffer_chunks = read_integer(root.table("receiver"), "buffer_chunks", 1, kMostBuffer);
  std::vector<std::int32_t> sizes;
  const auto tables = root.tables("dimension");
  for (const TomlTable& table : tables) {
    cluster.dimensions.push_back(read_dimension(table));
    sizes.push_back(cluster.dimensions.back().size);
  }
  constexpr std::size_t kMostDimensions = 16;
  if (sizes.empty()) root.refuse("dimension", "must have at least one table");
  if (sizes.size() > kMostDimensions) {
    root.refuse("dimension", fmt::format("{} dimensions are too many; use at most {}", sizes.size(), kMostDimensions));
  }
  check_product(root, "dimension", sizes, kMostNodes);
  for (std::size_t d = 0; d < tables.size(); ++d) check_links(tables[d], cluster.dimensions[d]);
  std::int64_t nodes = rank_count(cluster);
  for (const Cluster::Dimension& d : cluster.dimensions) nodes += d.reduces ? rank_count(cluster) / d.size : 0;
  if (nodes > kMostNodes) {
    root.refuse("dimension", fmt::format("{} NPUs and switches are too many; use at most {}", nodes, kMostNodes));
  }
  if (root.has("accounting")) {
    const std::array<std::string, 2> accountings{"paper", "astra"};
    const bool is_astra = root.choice("accounting", accountings) == accountings[1];
    cluster.accounting = is_astra ? Cluster::Accounting::astra : Cluster::Accounting::paper;
    if (is_astra && has_reducing_switch(cluster)) {
      root.refuse("accounting", "ASTRA-sim does not model switches that reduce; use \"paper\"");
    }
  }
  return cluster;
}

}  // namespace muster

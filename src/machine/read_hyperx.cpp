// The keys of a hyperx, and their reader.
#include <algorithm>
#include <array>
#include <charconv>

#include "base/index.h"
#include "base/one_line.h"
#include "machine/hyperx.h"
#include "machine/keys.h"
#include "machine/read_limits.h"
#include "machine/read_network.h"

namespace muster {
namespace {

constexpr std::array kHyperXKeys{
    MachineKey{.name = "nodes.shape",
               .type = "list of whole numbers",
               .allowed = "2 to max_dimension_size each; [] is one node",
               .example = "[4, 4]",
               .meaning = "Nodes in each dimension. Nodes that differ in one coordinate are directly linked."},
    MachineKey{.name = "nodes.max_dimension_size",
               .type = "whole number",
               .allowed = "2 to 65536",
               .example = "32",
               .meaning = "Maximum number of nodes in one dimension."},
    MachineKey{.name = "nodes.latency",
               .type = "duration",
               .allowed = "0 s to 1 s; this family has no clock",
               .example = "\"50 ns\"",
               .meaning = "Latency of a link between nodes."},
    MachineKey{.name = "nodes.failed_nodes",
               .type = "list of whole numbers",
               .allowed = "nodes, from 0, each once; not all",
               .example = "[]",
               .meaning = "Nodes that cannot be used.",
               .need = MachineKey::Need::optional},
    MachineKey{.name = "nodes.failed_links",
               .type = "list of texts",
               .allowed = "\"A-B\", two nodes that differ in one coordinate; each once",
               .example = "[]",
               .meaning = "Links between nodes that cannot be used.",
               .need = MachineKey::Need::optional},
    MachineKey{.name = "sockets.count",
               .type = "whole number",
               .allowed = "1 to 1024",
               .example = "16",
               .meaning = "Sockets per node, fully connected."},
    MachineKey{.name = "sockets.latency",
               .type = "duration",
               .allowed = "0 s to 1 s; this family has no clock",
               .example = "\"25 ns\"",
               .meaning = "Latency of a link between sockets."},
    MachineKey{.name = "cores.columns",
               .type = "whole number",
               .allowed = "1 to 64",
               .example = "4",
               .meaning = "Columns of the mesh of cores in a socket."},
    MachineKey{.name = "cores.rows",
               .type = "whole number",
               .allowed = "1 to 64",
               .example = "2",
               .meaning = "Rows of the mesh of cores in a socket."},
    MachineKey{.name = "cores.latency",
               .type = "duration",
               .allowed = "0 s to 1 s; this family has no clock",
               .example = "\"5 ns\"",
               .meaning = "Latency of a link between cores."},
    MachineKey{.name = "link.bandwidth",
               .type = "bandwidth",
               .allowed = "more than 0, per second",
               .example = "\"64 Gb/s\"",
               .meaning = "Link bandwidth, per direction."},
    MachineKey{.name = "memory.bandwidth",
               .type = "bandwidth",
               .allowed = "more than 0, per second",
               .example = "\"51.2 Gb/s\"",
               .meaning = "Memory bandwidth of a core, reads and writes together."},
    MachineKey{.name = "switch.buffer_packets",
               .type = "whole number",
               .allowed = "1 to 1048576",
               .example = "128",
               .meaning = "Input buffer of a switch port in packets, per virtual channel and collective id."},
    MachineKey{.name = "switch.packet",
               .type = "size",
               .allowed = "a multiple of 4 B",
               .example = "\"8 B\"",
               .meaning = "Payload of a packet."},
    MachineKey{.name = "host.round_overhead",
               .type = "duration",
               .allowed = "0 s to 1 s; this family has no clock",
               .example = "\"1.2 us\"",
               .meaning = "Software overhead per round of messages, for host-based algorithms.",
               .need = MachineKey::Need::with_table},
    MachineKey{.name = "host.traversals",
               .type = "whole number",
               .allowed = "0 to 1000",
               .example = "4",
               .meaning = "One-way network traversals per round: data, flags and requests.",
               .need = MachineKey::Need::with_table},
    MachineKey{.name = "host.message_passes",
               .type = "whole number",
               .allowed = "0 to 1000",
               .example = "2",
               .meaning = "How often memory moves each byte of a message.",
               .need = MachineKey::Need::with_table},
    MachineKey{.name = "host.reduction_passes",
               .type = "whole number",
               .allowed = "0 to 1000",
               .example = "3",
               .meaning = "How often memory moves each byte that is reduced.",
               .need = MachineKey::Need::with_table},
};

/// "3-7": the link between HyperX nodes 3 and 7.
std::pair<std::int32_t, std::int32_t> read_failed_link(const TomlTable& nodes, const HyperX& hyperx,
                                                       const std::string& text) {
  std::int32_t a = -1;
  std::int32_t b = -1;
  const char* const end = text.data() + text.size();
  const auto [dash, bad_a] = std::from_chars(text.data(), end, a);
  if (bad_a == std::errc() && dash != end && *dash == '-') {
    const auto [rest, bad_b] = std::from_chars(dash + 1, end, b);
    if (bad_b != std::errc() || rest != end) b = -1;
  }
  const std::int32_t count = hyperx_nodes(hyperx);
  if (a < 0 || b < 0 || a >= count || b >= count) {
    nodes.refuse("failed_links",
                 fmt::format("'{}' is not a link; use two nodes from 0 to {}, e.g. '0-1'", one_line(text), count - 1));
  }
  if (!node_link_dimension(hyperx, a, b)) {
    nodes.refuse("failed_links",
                 fmt::format("nodes {} and {} have no link; name two that differ in one coordinate", a, b));
  }
  return {std::min(a, b), std::max(a, b)};
}

void read_failures(const TomlTable& nodes, HyperX& hyperx) {
  if (nodes.has("failed_nodes")) {
    hyperx.failed_nodes = read_set(nodes, "failed_nodes", 0, hyperx_nodes(hyperx) - 1);
    if (at(hyperx_nodes(hyperx)) == hyperx.failed_nodes.size()) {
      nodes.refuse("failed_nodes", "no node is left; keep at least one");
    }
  }
  if (!nodes.has("failed_links")) return;
  for (const std::string& text : nodes.strings("failed_links")) {
    hyperx.failed_links.push_back(read_failed_link(nodes, hyperx, text));
  }
  std::sort(hyperx.failed_links.begin(), hyperx.failed_links.end());
  const auto twice = std::adjacent_find(hyperx.failed_links.begin(), hyperx.failed_links.end());
  if (twice != hyperx.failed_links.end()) {
    nodes.refuse("failed_links", fmt::format("{}-{} is listed twice; keep one", twice->first, twice->second));
  }
}

HyperX::Host read_host(const TomlTable& host) {
  constexpr std::int32_t kMost = 1000;
  return {.round_overhead = read_seconds(host, "round_overhead"),
          .traversals = read_integer(host, "traversals", 0, kMost),
          .message_passes = read_integer(host, "message_passes", 0, kMost),
          .reduction_passes = read_integer(host, "reduction_passes", 0, kMost)};
}

/// Whole words, so that no word is in two packets.
Bytes read_packet(const TomlTable& switches) {
  constexpr std::int64_t kWordBytes = 4;  // elements of a stream are 32-bit words
  const Bytes packet = read_size(switches, "packet");
  const std::int64_t below = packet.value() / kWordBytes * kWordBytes;
  if (below == packet.value()) return packet;
  const std::string above = to_text(Bytes(below + kWordBytes));
  switches.refuse("packet",
                  fmt::format("{} is not a multiple of a word, {}; use {}", to_text(packet), to_text(Bytes(kWordBytes)),
                              below == 0 ? above : fmt::format("{} or {}", to_text(Bytes(below)), above)));
}

}  // namespace

std::span<const MachineKey> hyperx_keys() { return kHyperXKeys; }

HyperX read_hyperx(const TomlTable& root) {
  require_keys(root, "hyperx");
  HyperX hyperx;
  const TomlTable nodes = root.table("nodes");
  hyperx.max_dimension_size = read_integer(nodes, "max_dimension_size", 2, 1 << 16);
  for (const std::int64_t size : nodes.integers("shape", {.least = 2, .most = hyperx.max_dimension_size})) {
    hyperx.shape.push_back(static_cast<std::int32_t>(size));
  }
  hyperx.node_latency = read_seconds(nodes, "latency");
  const TomlTable sockets = root.table("sockets");
  hyperx.sockets = read_integer(sockets, "count", 1, 1 << 10);
  hyperx.socket_latency = read_seconds(sockets, "latency");
  const TomlTable cores = root.table("cores");
  hyperx.core_columns = read_integer(cores, "columns", 1, 1 << 6);
  hyperx.core_rows = read_integer(cores, "rows", 1, 1 << 6);
  hyperx.core_latency = read_seconds(cores, "latency");
  // A rank and a switch per core.
  const std::int32_t cores_per_node = hyperx.sockets * hyperx.core_columns * hyperx.core_rows;
  check_product(nodes, "shape", hyperx.shape, kMostNodes / (2 * cores_per_node));
  read_failures(nodes, hyperx);
  hyperx.link_bandwidth = read_bandwidth(root.table("link"), "bandwidth");
  hyperx.memory_bandwidth = read_bandwidth(root.table("memory"), "bandwidth");
  const TomlTable switches = root.table("switch");
  hyperx.buffer_packets = read_integer(switches, "buffer_packets", 1, kMostBuffer);
  hyperx.packet = read_packet(switches);
  if (root.has("host")) hyperx.host = read_host(root.table("host"));
  return hyperx;
}

}  // namespace muster

// The tables of a machine file, per family.
#include "machine/read_network.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "base/index.h"
#include "base/one_line.h"
#include "machine/families.h"

namespace muster {
namespace {

constexpr std::int32_t kMostNodes = std::numeric_limits<NodeId>::max();
constexpr std::int32_t kMostSide = 1'000'000;   // of a grid
constexpr std::int32_t kMostBuffer = 1 << 20;   // slots
constexpr std::int32_t kMostPerNode = 1 << 20;  // links, semaphores, ...

void read_fabric(const TomlTable& fabric, Mesh& mesh) {
  mesh.fabric_width = read_integer(fabric, "compiler_width", 1, kMostSide);
  mesh.fabric_height = read_integer(fabric, "compiler_height", 1, kMostSide);
  mesh.max_width = read_integer(fabric, "max_width", 1, kMostSide);
  mesh.max_height = read_integer(fabric, "max_height", 1, kMostSide);
  if (mesh.max_width > mesh.fabric_width) {
    fabric.refuse("max_width", fmt::format("{} is more than compiler_width, {}", mesh.max_width, mesh.fabric_width));
  }
  if (mesh.max_height > mesh.fabric_height) {
    fabric.refuse("max_height",
                  fmt::format("{} is more than compiler_height, {}", mesh.max_height, mesh.fabric_height));
  }
  check_product(fabric, "max_height", {mesh.max_width, mesh.max_height}, kMostNodes);
  mesh.width = mesh.max_width;
  mesh.height = mesh.max_height;
}

void read_mesh_link(const TomlTable& link, Mesh& mesh) {
  const Rate rate = link.rate("bandwidth");
  if (rate.kind != Rate::Kind::wavelets_per_cycle || rate.value != 1) {
    link.refuse("bandwidth",
                fmt::format("{} is not modelled on a mesh; use '1 wavelet/cycle'", link.described("bandwidth")));
  }
  mesh.wavelet = link.bytes("wavelet");
  if (mesh.wavelet != Bytes(4)) {
    link.refuse("wavelet", fmt::format("{} is not modelled; use '4 B', an element", link.described("wavelet")));
  }
  mesh.hop_latency = read_cycles(link, "hop_latency", mesh.clock);
}

void read_timing(const TomlTable& root, Mesh& mesh) {
  const std::array all{Arbitration::lowest_color, Arbitration::highest_color, Arbitration::round_robin};
  std::array<std::string, all.size()> names;
  std::transform(all.begin(), all.end(), names.begin(), arbitration_name);
  const std::string order = root.table("link").choice("arbitration", names);
  mesh.arbitration = all[static_cast<std::size_t>(std::find(names.begin(), names.end(), order) - names.begin())];
  const TomlTable processor = root.table("processor");
  mesh.operation_start = read_cycles(processor, "operation_start", mesh.clock, Cycles(0));
  mesh.receive_gap = read_cycles(processor, "receive_gap", mesh.clock, Cycles(0));
}

void read_colors(const TomlTable& root, Mesh& mesh) {
  const TomlTable colors = root.table("colors");
  mesh.colors = read_integer(colors, "routable", 1, 64);
  mesh.reserved_colors = read_set(colors, "reserved", 0, mesh.colors - 1);
  mesh.switch_colors = read_set(colors, "switched", 0, mesh.colors - 1);
  const TomlTable switches = root.table("switch");
  mesh.switch_positions = read_integer(switches, "positions", 1, 4);
  const std::array<std::string, 2> changes{"one side", "both sides"};
  mesh.switch_both_sides = switches.choice("changes", changes) == changes[1];
}

void read_queues(const TomlTable& queues, Mesh& mesh) {
  mesh.input_queues = read_integer(queues, "input", 1, 64);
  mesh.output_queues = read_integer(queues, "output", 1, 64);
  mesh.reserved_queues = read_set(queues, "reserved", 0, std::max(mesh.input_queues, mesh.output_queues) - 1);
  mesh.queues_are_bound = queues.boolean("bound");
}

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
    table.refuse("reduces", fmt::format("'{}' has nothing that could reduce; only a switch does", kind));
  }
  return dimension;
}

void check_links(const TomlTable& table, const Cluster::Dimension& dimension) {
  const std::int32_t others = dimension.size - 1;
  if (dimension.kind != Cluster::Kind::fully_connected || dimension.links >= others) return;
  table.refuse("links",
               fmt::format("{} of an NPU do not lead to all {} others of a fully connected dimension; use {} or more",
                           dimension.links, others, others));
}

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
                 fmt::format("'{}' is no link; use two nodes from 0 to {}, e.g. '0-1'", one_line(text), count - 1));
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
    nodes.refuse("failed_links", fmt::format("{}-{} is there twice; keep one", twice->first, twice->second));
  }
}

HyperX::Host read_host(const TomlTable& host) {
  constexpr std::int32_t kMost = 1000;
  return {.round_overhead = read_seconds(host, "round_overhead"),
          .traversals = read_integer(host, "traversals", 0, kMost),
          .message_passes = read_integer(host, "message_passes", 0, kMost),
          .reduction_passes = read_integer(host, "reduction_passes", 0, kMost)};
}

}  // namespace

Mesh read_mesh(const TomlTable& root) {
  Mesh mesh;
  mesh.clock = read_clock(root);
  const std::array<std::string, 2> architectures{"wse2", "wse3"};  // what cslc --arch takes (SDK 2.10)
  mesh.architecture = root.choice("architecture", architectures);
  read_fabric(root.table("fabric"), mesh);
  read_mesh_link(root.table("link"), mesh);
  const TomlTable ramp = root.table("ramp");
  mesh.ramp_latency = read_cycles(ramp, "latency", mesh.clock);
  mesh.ramp_queue = read_integer(ramp, "queue", 1, kMostBuffer);
  mesh.router_buffer = read_integer(root.table("router"), "buffer", 1, kMostBuffer);
  read_colors(root, mesh);
  read_queues(root.table("queues"), mesh);
  mesh.memory = read_size(root.table("memory"), "size");
  read_timing(root, mesh);
  return mesh;
}

Torus read_torus(const TomlTable& root) {
  Torus torus;
  torus.clock = read_clock(root);
  const TomlTable grid = root.table("grid");
  torus.width = read_integer(grid, "width", 2, kMostSide);
  torus.height = read_integer(grid, "height", 2, kMostSide);
  check_product(grid, "height", {torus.width, torus.height}, kMostNodes);
  torus.worker_columns = read_set(grid, "worker_columns", 0, torus.width - 1);
  if (torus.worker_columns.empty()) grid.refuse("worker_columns", "the list is empty; name at least one column");
  torus.worker_rows = read_set(grid, "worker_rows", 0, torus.height - 1);
  if (torus.worker_rows.empty()) grid.refuse("worker_rows", "the list is empty; name at least one row");
  const TomlTable link = root.table("link");
  torus.link_bandwidth = link.rate("bandwidth");
  const bool is_in_wavelets = torus.link_bandwidth.kind == Rate::Kind::wavelets_per_cycle;
  if (is_in_wavelets) link.refuse("bandwidth", "a torus has no wavelets; use e.g. '32 B/cycle'");
  if (torus.link_bandwidth.value <= 0) link.refuse("bandwidth", "a link must carry more than 0");
  torus.flit = read_size(link, "flit");
  torus.packet = read_size(link, "packet");
  if (torus.packet < torus.flit) {
    link.refuse("packet", fmt::format("{} is less than a flit, {}", link.described("packet"), to_text(torus.flit)));
  }
  torus.hop_latency = read_cycles(link, "hop_latency", torus.clock);
  torus.interface_latency = read_cycles(root.table("interface"), "latency", torus.clock);
  const TomlTable router = root.table("router");
  torus.input_buffer = read_size(router, "input_buffer");
  if (torus.input_buffer < torus.flit) {
    router.refuse("input_buffer",
                  fmt::format("{} is less than a flit, {}", router.described("input_buffer"), to_text(torus.flit)));
  }
  torus.virtual_channels = read_integer(router, "virtual_channels", 1, kMostPerNode);
  torus.atomic_latency = read_cycles(root.table("atomic"), "latency", torus.clock);
  torus.memory = read_size(root.table("memory"), "size");
  const TomlTable limits = root.table("limits");
  torus.semaphores = read_integer(limits, "semaphores", 1, kMostPerNode);
  torus.runtime_arguments = read_integer(limits, "runtime_arguments", 1, kMostPerNode);
  return torus;
}

namespace {

/// Whole words, so that no word is in two packets.
Bytes read_packet(const TomlTable& switches) {
  constexpr std::int64_t kWordBytes = 4;  // elements of a stream are 32-bit words
  const Bytes packet = read_size(switches, "packet");
  const std::int64_t below = packet.value() / kWordBytes * kWordBytes;
  if (below == packet.value()) return packet;
  const std::string above = to_text(Bytes(below + kWordBytes));
  switches.refuse("packet",
                  fmt::format("{} is no multiple of a word, {}; use {}", to_text(packet), to_text(Bytes(kWordBytes)),
                              below == 0 ? above : fmt::format("{} or {}", to_text(Bytes(below)), above)));
}

}  // namespace

HyperX read_hyperx(const TomlTable& root) {
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

Cluster read_cluster(const TomlTable& root) {
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
      root.refuse("accounting", "ASTRA-sim counts no switches that reduce; use \"paper\"");
    }
  }
  return cluster;
}

}  // namespace muster

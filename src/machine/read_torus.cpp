// The values of a torus: the reader of the keys in torus_keys.cpp.
#include "machine/keys.h"
#include "machine/read_limits.h"
#include "machine/read_network.h"
#include "machine/torus.h"

namespace muster {
namespace {

void read_grid(const TomlTable& grid, Torus& torus) {
  torus.width = read_integer(grid, "width", 2, kMostSide);
  torus.height = read_integer(grid, "height", 2, kMostSide);
  check_product(grid, "height", {torus.width, torus.height}, kMostNodes);
  torus.worker_columns = read_set(grid, "worker_columns", 0, torus.width - 1);
  if (torus.worker_columns.empty()) grid.refuse("worker_columns", "the list is empty; name at least one column");
  torus.worker_rows = read_set(grid, "worker_rows", 0, torus.height - 1);
  if (torus.worker_rows.empty()) grid.refuse("worker_rows", "the list is empty; name at least one row");
}

Rate read_rate(const TomlTable& table, std::string_view key) {
  const Rate rate = table.rate(key);
  const bool is_in_wavelets = rate.kind == Rate::Kind::wavelets_per_cycle;
  if (is_in_wavelets) table.refuse(key, "a torus has no wavelets; use e.g. '32 B/cycle'");
  if (rate.value <= 0) table.refuse(key, fmt::format("{} must be more than 0", table.described(key)));
  return rate;
}

/// In bytes per cycle.
double read_rate(const TomlTable& table, std::string_view key, Hertz clock) {
  const Rate rate = read_rate(table, key);
  return rate.kind == Rate::Kind::bytes_per_cycle ? rate.value : rate.value / clock.value();
}

/// A size of a flit or more.
Bytes read_flits(const TomlTable& table, std::string_view key, Bytes flit) {
  const Bytes size = read_size(table, key);
  if (size < flit) {
    table.refuse(key, fmt::format("{} is less than a flit, {}", table.described(key), to_text(flit)));
  }
  return size;
}

void read_link(const TomlTable& link, Torus& torus) {
  torus.link_bandwidth = read_rate(link, "bandwidth");
  torus.flit = read_size(link, "flit");
  torus.packet = read_flits(link, "packet", torus.flit);
  torus.hop_latency = read_cycles(link, "hop_latency", torus.clock);
}

void read_router(const TomlTable& router, Torus& torus) {
  torus.input_buffer = read_flits(router, "input_buffer", torus.flit);
  torus.virtual_channels = read_integer(router, "virtual_channels", 1, kMostPerNode);
  torus.channel_flits = read_integer(router, "channel_flits", 1, kMostBuffer);
  torus.hand_over = read_cycles(router, "hand_over", torus.clock, Cycles(0));
  torus.contended_flits = read_integer(router, "contended_flits", 0, kMostBuffer);
}

Torus::Interface read_interface(const TomlTable& interface, const TomlTable& multicast, Hertz clock) {
  return {.memory_latency = read_cycles(interface, "memory_latency", clock, Cycles(0)),
          .acknowledge = read_cycles(interface, "acknowledge", clock, Cycles(0)),
          .write_rate = read_rate(interface, "write_bandwidth", clock),
          .read_rate = read_rate(interface, "read_bandwidth", clock),
          .reservation = read_cycles(multicast, "reservation", clock, Cycles(0)),
          .reservation_per_hop = read_cycles(multicast, "reservation_per_hop", clock, Cycles(0))};
}

/// A call takes a cycle or more, so that no processor issues any number of them at once; what comes on top may be free.
Torus::Issue read_issue(const TomlTable& issue, Hertz clock) {
  return {.write = read_cycles(issue, "write", clock),
          .stateful_write = read_cycles(issue, "stateful_write", clock),
          .read = read_cycles(issue, "read", clock),
          .stateful_read = read_cycles(issue, "stateful_read", clock),
          .multicast = read_cycles(issue, "multicast", clock),
          .atomic = read_cycles(issue, "atomic", clock),
          .destination = read_cycles(issue, "destination", clock, Cycles(0)),
          .state = read_cycles(issue, "state", clock, Cycles(0)),
          .barrier = read_cycles(issue, "barrier", clock, Cycles(0)),
          .bank = read_cycles(issue, "bank", clock, Cycles(0)),
          .token = read_cycles(issue, "token", clock, Cycles(0))};
}

Torus::Compute read_compute(const TomlTable& compute, Hertz clock) {
  return {.tile_elements = read_integer(compute, "tile", 8, kMostPerNode),
          .start = read_cycles(compute, "start", clock, Cycles(0)),
          .tile_16bit = read_cycles(compute, "tile_16bit", clock),
          .tile_32bit = read_cycles(compute, "tile_32bit", clock),
          .word = read_cycles(compute, "word", clock)};
}

Torus::Dram read_dram(const TomlTable& dram, const Torus& torus) {
  return {.banks = {},
          .controllers = {},
          .rate = read_rate(dram, "bandwidth", torus.clock),
          .interface_rate = read_rate(dram, "interface_bandwidth", torus.clock),
          .buffer = read_flits(dram, "buffer", torus.flit),
          .latency = read_cycles(dram, "latency", torus.clock, Cycles(0)),
          .burst = read_size(dram, "burst"),
          .short_write = read_cycles(dram, "short_write", torus.clock, Cycles(0))};
}

}  // namespace

Torus read_torus(const TomlTable& root) {
  require_keys(root, "torus");
  Torus torus;
  torus.clock = read_clock(root);
  read_grid(root.table("grid"), torus);
  read_link(root.table("link"), torus);
  torus.interface_latency = read_cycles(root.table("interface"), "latency", torus.clock);
  torus.interface = read_interface(root.table("interface"), root.table("multicast"), torus.clock);
  read_router(root.table("router"), torus);
  torus.atomic_latency = read_cycles(root.table("atomic"), "latency", torus.clock);
  torus.issue = read_issue(root.table("issue"), torus.clock);
  torus.compute = read_compute(root.table("compute"), torus.clock);
  if (torus.compute.tile_elements % 8 != 0) {
    reject("compute.tile: {} elements do not fill whole flits; use a multiple of 8", torus.compute.tile_elements);
  }
  torus.memory = read_size(root.table("memory"), "size");
  const TomlTable limits = root.table("limits");
  torus.semaphores = read_integer(limits, "semaphores", 1, kMostPerNode);
  torus.runtime_arguments = read_integer(limits, "runtime_arguments", 1, kMostPerNode);
  torus.dram = read_dram(root.table("dram"), torus);
  read_tiles(root, torus);
  return torus;
}

}  // namespace muster

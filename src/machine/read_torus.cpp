// The keys of a torus, and their reader.
#include <array>

#include "machine/keys.h"
#include "machine/read_limits.h"
#include "machine/read_network.h"
#include "machine/torus.h"

namespace muster {
namespace {

constexpr std::array kTorusKeys{
    MachineKey{.name = "clock",
               .type = "frequency",
               .allowed = "1 Hz or more",
               .example = "\"1 GHz\"",
               .meaning = "Clock frequency. Times are counted in its cycles."},
    MachineKey{.name = "grid.width",
               .type = "whole number",
               .allowed = "2 to 1000000",
               .example = "10",
               .meaning = "Columns of tiles."},
    MachineKey{.name = "grid.height",
               .type = "whole number",
               .allowed = "2 to 1000000",
               .example = "12",
               .meaning = "Rows of tiles."},
    MachineKey{.name = "grid.worker_columns",
               .type = "list of whole numbers",
               .allowed = "columns, from 0, each once; at least one",
               .example = "[1, 2, 3, 4, 6, 7, 8, 9]",
               .meaning = "Columns with worker tiles."},
    MachineKey{.name = "grid.worker_rows",
               .type = "list of whole numbers",
               .allowed = "rows, from 0, each once; at least one",
               .example = "[1, 2, 3, 4, 5, 7, 8, 9, 10]",
               .meaning = "Rows with worker tiles. A tile in a worker column and a worker row is a rank."},
    MachineKey{.name = "link.bandwidth",
               .type = "rate",
               .allowed = "more than 0, per cycle or per second",
               .example = "\"32 B/cycle\"",
               .meaning = "Link bandwidth, per torus."},
    MachineKey{
        .name = "link.flit", .type = "size", .allowed = "1 B or more", .example = "\"32 B\"", .meaning = "Flit size."},
    MachineKey{.name = "link.packet",
               .type = "size",
               .allowed = "a flit or more",
               .example = "\"8 KiB\"",
               .meaning = "Maximum packet size."},
    MachineKey{.name = "link.hop_latency",
               .type = "time",
               .allowed = "1 to 1000000 cycles; in seconds it is rounded to whole cycles",
               .example = "\"9 cycles\"",
               .meaning = "Router-to-router latency."},
    MachineKey{.name = "interface.latency",
               .type = "time",
               .allowed = "1 to 1000000 cycles; in seconds it is rounded to whole cycles",
               .example = "\"5 cycles\"",
               .meaning = "Latency from a tile's network interface to its router."},
    MachineKey{.name = "router.input_buffer",
               .type = "size",
               .allowed = "a flit or more",
               .example = "\"2 KiB\"",
               .meaning = "Buffer per router input port."},
    MachineKey{.name = "router.virtual_channels",
               .type = "whole number",
               .allowed = "1 to 1048576",
               .example = "16",
               .meaning = "Virtual channels per link."},
    MachineKey{.name = "atomic.latency",
               .type = "time",
               .allowed = "1 to 1000000 cycles; in seconds it is rounded to whole cycles",
               .example = "\"5 cycles\"",
               .meaning = "How long an atomic increment occupies its memory bank."},
    MachineKey{.name = "limits.semaphores",
               .type = "whole number",
               .allowed = "1 to 1048576",
               .example = "16",
               .meaning = "Semaphores per tile."},
    MachineKey{.name = "limits.runtime_arguments",
               .type = "whole number",
               .allowed = "1 to 1048576",
               .example = "341",
               .meaning = "Maximum number of runtime arguments of a kernel."},
    MachineKey{.name = "memory.size",
               .type = "size",
               .allowed = "1 B or more",
               .example = "\"1464 KiB\"",
               .meaning = "Memory per tile."},
};

}  // namespace

std::span<const MachineKey> torus_keys() { return kTorusKeys; }

Torus read_torus(const TomlTable& root) {
  require_keys(root, "torus");
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
  if (torus.link_bandwidth.value <= 0) link.refuse("bandwidth", "must be more than 0");
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

}  // namespace muster

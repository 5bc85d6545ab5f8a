// The keys of a mesh, and their reader.
#include <algorithm>
#include <array>

#include "machine/keys.h"
#include "machine/mesh.h"
#include "machine/read_limits.h"
#include "machine/read_network.h"

namespace muster {
namespace {

constexpr std::array kMeshKeys{
    MachineKey{.name = "clock",
               .type = "frequency",
               .allowed = "1 Hz or more",
               .example = "\"850 MHz\"",
               .meaning = "Clock frequency. Times are counted in its cycles."},
    MachineKey{.name = "architecture",
               .type = "choice",
               .allowed = "wse2, wse3",
               .example = "\"wse2\"",
               .meaning = "The vendor compiler's name for the architecture."},
    MachineKey{.name = "fabric.max_width",
               .type = "whole number",
               .allowed = "1 to 1000000; at most compiler_width",
               .example = "750",
               .meaning = "Columns of PEs that programs may use."},
    MachineKey{.name = "fabric.max_height",
               .type = "whole number",
               .allowed = "1 to 1000000; at most compiler_height",
               .example = "994",
               .meaning = "Rows of PEs that programs may use."},
    MachineKey{.name = "fabric.compiler_width",
               .type = "whole number",
               .allowed = "1 to 1000000",
               .example = "757",
               .meaning = "Fabric width to pass to the vendor's compiler."},
    MachineKey{.name = "fabric.compiler_height",
               .type = "whole number",
               .allowed = "1 to 1000000",
               .example = "996",
               .meaning = "Fabric height to pass to the vendor's compiler."},
    MachineKey{.name = "link.bandwidth",
               .type = "rate",
               .allowed = "1 wavelet/cycle",
               .example = "\"1 wavelet/cycle\"",
               .meaning = "Link bandwidth, per direction."},
    MachineKey{.name = "link.wavelet",
               .type = "size",
               .allowed = "4 B",
               .example = "\"4 B\"",
               .meaning = "Payload of a wavelet."},
    MachineKey{.name = "link.hop_latency",
               .type = "time",
               .allowed = "1 to 1000000 cycles; in seconds it is rounded to whole cycles",
               .example = "\"1 cycle\"",
               .meaning = "Router-to-router latency."},
    MachineKey{.name = "link.arbitration",
               .type = "choice",
               .allowed = "lowest color, highest color, round robin",
               .example = "\"lowest color\"",
               .meaning = "Which color wins when several contend for a link."},
    MachineKey{.name = "ramp.latency",
               .type = "time",
               .allowed = "1 to 1000000 cycles; in seconds it is rounded to whole cycles",
               .example = "\"2 cycles\"",
               .meaning = "T_R: latency between a router and its processor, in each direction."},
    MachineKey{.name = "ramp.queue",
               .type = "whole number",
               .allowed = "1 to 1048576",
               .example = "2",
               .meaning = "Input queue of a processor in wavelets per color, in addition to those on the ramp."},
    MachineKey{.name = "router.buffer",
               .type = "whole number",
               .allowed = "1 to 1048576",
               .example = "2",
               .meaning = "Router input buffer in wavelets, per color and input. With 1, streams run at half rate."},
    MachineKey{.name = "colors.routable",
               .type = "whole number",
               .allowed = "1 to 64",
               .example = "24",
               .meaning = "Number of colors; they are numbered from 0."},
    MachineKey{.name = "colors.reserved",
               .type = "list of whole numbers",
               .allowed = "colors, each once",
               .example = "[21, 22, 23]",
               .meaning = "Colors used by the vendor's host library."},
    MachineKey{.name = "colors.switched",
               .type = "list of whole numbers",
               .allowed = "colors, each once",
               .example = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]",
               .meaning = "Colors with switch positions."},
    MachineKey{.name = "switch.positions",
               .type = "whole number",
               .allowed = "1 to 4",
               .example = "4",
               .meaning = "Switch positions (routes) per color and router."},
    MachineKey{.name = "switch.changes",
               .type = "choice",
               .allowed = "one side, both sides",
               .example = "\"one side\"",
               .meaning = "Whether a switch position may change only the input or the output side, or both."},
    MachineKey{.name = "queues.input",
               .type = "whole number",
               .allowed = "1 to 64",
               .example = "8",
               .meaning = "Input queues per processor."},
    MachineKey{.name = "queues.output",
               .type = "whole number",
               .allowed = "1 to 64",
               .example = "6",
               .meaning = "Output queues per processor."},
    MachineKey{.name = "queues.reserved",
               .type = "list of whole numbers",
               .allowed = "queues, each once",
               .example = "[0, 1]",
               .meaning = "Queues used by the vendor's host library."},
    MachineKey{.name = "queues.bound",
               .type = "boolean",
               .allowed = "true, false",
               .example = "false",
               .meaning = "Whether a program must bind every queue to its color."},
    MachineKey{.name = "memory.size",
               .type = "size",
               .allowed = "1 B or more",
               .example = "\"48 KiB\"",
               .meaning = "Memory per processor."},
    MachineKey{.name = "processor.operation_start",
               .type = "time",
               .allowed = "0 to 1000000 cycles; in seconds it is rounded to whole cycles",
               .example = "\"0 cycles\"",
               .meaning = "Start-up time of each vector operation."},
    MachineKey{.name = "processor.receive_gap",
               .type = "time",
               .allowed = "0 to 1000000 cycles; in seconds it is rounded to whole cycles",
               .example = "\"0 cycles\"",
               .meaning = "Gap between two messages received by one lane."},
    MachineKey{.name = "processor.receive_interval",
               .type = "time",
               .allowed = "1 to 1000000 cycles; in seconds it is rounded to whole cycles",
               .example = "\"1 cycle\"",
               .meaning = "Between two elements that a processor takes from the fabric; by default 1 cycle.",
               .need = MachineKey::Need::optional},
    MachineKey{.name = "processor.local_interval",
               .type = "time",
               .allowed = "1 to 1000000 cycles; in seconds it is rounded to whole cycles",
               .example = "\"1 cycle\"",
               .meaning = "Time per element of an instruction that works on memory alone; by default 1 cycle.",
               .need = MachineKey::Need::optional},
};

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
  if (processor.has("receive_interval")) {
    mesh.receive_interval = read_cycles(processor, "receive_interval", mesh.clock);
  }
  if (processor.has("local_interval")) mesh.local_interval = read_cycles(processor, "local_interval", mesh.clock);
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

}  // namespace

std::span<const MachineKey> mesh_keys() { return kMeshKeys; }

Mesh read_mesh(const TomlTable& root) {
  require_keys(root, "mesh");
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

}  // namespace muster

// Looks for a row that waits, then for queues that are not empty.
#include "backend/hyperx/packet_faults.h"

#include "result/time_base.h"

namespace muster::hyperx {
namespace {

Fault fault(std::string kind, std::string location, std::string message, Time now) {
  return {.kind = std::move(kind),
          .location = std::move(location),
          .cycle = Ticks(now),
          .message = std::move(message),
          .time = to_seconds(Ticks(now), kPicoseconds)};
}

/// An input without a packet, or an output without a credit: the port and what it waits for.
Fault stuck(const Wiring& wiring, const PacketQueues& queues, const Row& row, const std::string& packet, Time now) {
  const std::vector<Port>& ports = wiring.registers().ports;
  for (std::int32_t port_index = row.inputs.first; port_index < row.inputs.first + row.inputs.count; ++port_index) {
    if (!queues.at_input(port_index).is_empty()) continue;
    return fault("deadlock", wiring.text(row, ports[at(port_index)]),
                 fmt::format("deadlock: waits for {}, which is never sent", packet), now);
  }
  std::int32_t port_index = row.outputs.first;
  while (!queues.behind_output(port_index).is_full()) ++port_index;
  return fault("deadlock", wiring.text(row, ports[at(port_index)]),
               fmt::format("deadlock: {} waits for a credit that never returns", packet), now);
}

}  // namespace

std::optional<Fault> fault_at_end(const Wiring& wiring, const Timing& timing, const PacketQueues& queues,
                                  const PacketsAtEnd& end) {
  const Registers& registers = wiring.registers();
  for (std::size_t i = 0; i < registers.rows.size(); ++i) {
    const Row& row = registers.rows[i];
    const std::int64_t all = timing.packets(row.id);
    if (end.passed[i] == kNotBegun || end.passed[i] == all) continue;
    return stuck(wiring, queues, row, fmt::format("packet {} of {}", end.passed[i], all), end.time);
  }
  for (const Row& row : registers.rows) {
    for (std::int32_t port_index = row.outputs.first; port_index < row.outputs.first + row.outputs.count;
         ++port_index) {
      if (wiring.row(port_index) != kUnconnected || queues.behind_output(port_index).is_empty()) continue;
      return fault("left over", wiring.text(row, registers.ports[at(port_index)]), "packets that were never received",
                   end.time);
    }
  }
  return std::nullopt;
}

}  // namespace muster::hyperx

// The times of a trace: what is known, and forgetting it.
#include "backend/wafer/stream/times.h"

#include <algorithm>

#include "machine/mesh.h"

namespace muster::wafer {
namespace {

std::int32_t narrow(Cycles cycles) { return static_cast<std::int32_t>(cycles.value()); }

}  // namespace

FabricTiming::FabricTiming(const Mesh& mesh)
    : hop(std::max(1, narrow(mesh.hop_latency))),
      ramp(narrow(mesh.ramp_latency)),
      link_capacity(std::max(1, mesh.router_buffer + narrow(mesh.hop_latency) - 1)),
      out_capacity(std::max(1, mesh.router_buffer + ramp)),
      in_capacity(std::max(1, mesh.ramp_queue + ramp)),
      short_buffers(link_capacity < hop + 1 || in_capacity < ramp + 1) {}

Times::Times(const Cells& all_cells, const Trace& all, std::span<const LaneEnd> begin)
    : cells(all_cells),
      trace(all),
      starts(begin),
      fabric(all_cells.program().mesh()),
      transits(all.transits.size()),
      executions(all.executions.size()),
      ends(all.executions.size()),
      control_at(all.messages.size(), -1),
      transit_lateness(all.transits.size(), Lateness::on_time),
      execution_lateness(all.executions.size(), Lateness::on_time) {}

void Times::forget() {
  for (std::int32_t t = 0; t < static_cast<std::int32_t>(trace.transits.size()); ++t) transits.set(t, {});
  for (std::int32_t e = 0; e < static_cast<std::int32_t>(trace.executions.size()); ++e) {
    executions.set(e, {});
    ends[at(e)] = {};
  }
  std::fill(control_at.begin(), control_at.end(), -1);
}

void Times::forget_from(std::int32_t item, std::int64_t cycle) {
  const std::int32_t id = trace.order[at(item)];
  if (id >= 0) {
    transits.set(id, transits[id].prefix(transits[id].count_before(cycle)));
    return;
  }
  executions.set(~id, executions[~id].prefix(executions[~id].count_before(cycle)));
  LaneEnd& lane = ends[at(~id)];
  if (lane.known && lane.finish >= cycle) lane.known = false;
  const Execution& execution = trace.executions[at(~id)];
  for (std::int32_t m = execution.first_message; m < execution.first_message + execution.message_count; ++m) {
    if (control_at[at(m)] >= cycle) control_at[at(m)] = -1;
  }
}

}  // namespace muster::wafer

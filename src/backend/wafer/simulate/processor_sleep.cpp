// Processors of the simulated fabric: when one need not be looked at, and what wakes it.
#include <algorithm>

#include "backend/wafer/simulate/processor.h"

namespace muster::wafer {

/// Until any wavelet arrives, or there is space that it waits for.
void Processors::sleep(NodeId node) {
  for (const Cell& cell : fabric_.cells_of(node)) {
    const std::int32_t id = fabric_.out(cell, Direction::ramp);
    if (id != kNoQueue) StripState::be_called(fabric_.queue(id));
  }
  strip_.processor_sleeps(node);
}

/// Whether only a wavelet, or space in the router, can make the processor continue: then it is woken.
bool Processors::may_sleep(NodeId node, Tick now) const {
  const Processor& p = processor(node);
  const ProcessorMemory& memory = this->memory(node);
  if (memory.looks_again || memory.datapath_free > now || p.ramp_free > now || p.starting > now) return false;
  if (p.receive_free > now) return false;
  const auto cells = fabric_.cells_of(node);
  return std::none_of(cells.begin(), cells.end(), [&](const Cell& cell) {
    const std::int32_t id = fabric_.out(cell, Direction::ramp);
    if (id == kNoQueue) return false;
    const Stamp stamp = fabric_.queue(id).first().stamp();
    return stamp.is_wavelet() && !stamp.is_ready(now);
  });
}

}  // namespace muster::wafer

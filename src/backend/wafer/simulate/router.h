// Routers of the simulated fabric: in every cycle, each cell (a color at a router) that can moves one wavelet.
//
// Only active cells are evaluated. A cell goes to sleep when no wavelet waits at an accepted input, or when its only output queue
// is full; it is woken by an arriving wavelet or by the reader of that queue.
#pragma once

#include <cstdint>
#include <vector>

#include "backend/wafer/number_set.h"
#include "backend/wafer/simulate/fabric.h"
#include "backend/wafer/simulate/recorder.h"
#include "machine/mesh.h"

namespace muster::wafer {

class Routers {
 public:
  /// `processors` are those that have something to do.
  Routers(Fabric& fabric, NumberSet& processors, Recorder* recorder);

  void wake(std::int32_t cell) { active_.add(cell); }
  /// Wakes the cell or the processor that waits for space in a queue that was just popped.
  void wake_waiter(Queue& queue) {
    if (!queue.waiter.exists()) return;
    wake(queue.waiter);
    queue.waiter = {};
  }

  /// One cycle. True if anything moved.
  bool run(Tick now);

 private:
  void wake(Waiter waiter) { waiter.is_cell() ? active_.add(waiter.cell()) : processors_.add(waiter.processor()); }
  void run_cell(std::int32_t id, Tick now);
  void pass(std::int32_t id, Cell& cell, Tick now);
  void run_merging_cell(Cell& cell, Tick now);
  void run_by_turns(Tick now);
  void run_router_by_turns(NodeId router, Tick now);
  [[nodiscard]] bool has_input(const Cell& cell, Tick now);
  [[nodiscard]] Queue* one_of_several_inputs(const Cell& cell, Tick now);
  [[nodiscard]] bool has_space(std::int32_t id, const Cell& cell, Tick now);
  bool no_route(const Cell& cell, Tick now);
  void wait_for_space(std::int32_t id, const Cell& cell, Queue& out);
  [[nodiscard]] bool all_have_space(const Cell& cell, Tick now);
  void move(Cell& cell, Queue& in, Tick now);
  void move_command(Cell& cell, Queue& in, Tick now);
  void push(std::int32_t queue, bool up, Wavelet wavelet, Tick now);
  void push_all(const Cell& cell, std::size_t count, Wavelet wavelet, Tick now);
  void obey(Cell& cell, Wavelet::Kind kind, Tick now);

  Fabric& fabric_;
  Cell* const cells_;
  Queue* const queues_;
  NumberSet& processors_;
  Recorder* recorder_;
  Tick hop_latency_;
  Tick ramp_latency_;
  Arbitration arbitration_;
  NumberSet active_;      ///< cells
  NodeId router_ = -1;    ///< the router whose cells are being run
  Directions taken_ = 0;  ///< its outputs that were used in this cycle
  bool moved_ = false;
  std::vector<std::uint8_t> turn_;  ///< round robin: which color of a router is polled first
};

}  // namespace muster::wafer

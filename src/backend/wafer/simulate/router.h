// Routers of the simulated fabric: in every cycle, each cell (a color at a router) that can moves one wavelet.
//
// Only active cells are evaluated. A cell goes to sleep when no wavelet waits at an accepted input, or when its only output queue
// is full; it is woken by an arriving wavelet or by the reader of that queue.
#pragma once

#include <cstdint>
#include <vector>

#include "backend/wafer/simulate/fabric.h"
#include "backend/wafer/simulate/strip_state.h"
#include "machine/mesh.h"

namespace muster::wafer {

class Routers {
 public:
  /// Those of a strip.
  Routers(Fabric& fabric, StripState& strip);

  /// Wakes the cell or the processor that waits for space in a queue that was just popped.
  void wake_waiter(Queue& queue) {
    if (queue.waiter.exists()) [[unlikely]]
      wake_the_waiter(queue);
  }

  /// Appends what later cycles depend on and cells and queues do not show: whose turn it is.
  void append_state(std::vector<std::int32_t>& words) const { words.insert(words.end(), turn_.begin(), turn_.end()); }

  /// One cycle. True if anything moved.
  bool run(Tick now);

 private:
  [[gnu::noinline]] void wake_the_waiter(Queue& queue);
  // Each runs a cell whose router has used the outputs `taken` in this cycle; true if a wavelet moved.
  template <bool kUpwards>
  [[gnu::flatten]] bool run_in_order(Tick now);
  [[gnu::always_inline]] bool run_cell(Cell& cell, Directions taken, Tick now);
  [[gnu::noinline]] bool run_merging_cell(Cell& cell, Directions taken, Tick now);
  [[gnu::noinline]] bool run_spreading_cell(Cell& cell, Queue& in, Tick now);

  bool run_by_turns(Tick now);
  bool run_router_by_turns(NodeId router, Tick now);
  [[nodiscard]] bool has_input(const Cell& cell, Tick now);
  [[nodiscard]] Queue* one_of_several_inputs(const Cell& cell, Tick now);
  [[nodiscard]] bool all_have_space(const Cell& cell, Tick now);
  bool no_route(const Cell& cell, Tick now);
  [[gnu::noinline]] void wait_for_wavelet(const Cell& cell, Queue& in);
  [[gnu::noinline]] void wait_for_space(const Cell& cell, Queue& out);
  [[gnu::noinline]] void move_command(Cell& cell, Queue& in, Tick now);
  [[gnu::always_inline]] void push(Queue& out, bool up, Word word, Stamp::Kind kind, Tick now);
  void push_all(const Cell& cell, std::size_t count, Word word, Stamp::Kind kind, Tick now);
  void obey(Cell& cell, Stamp::Kind kind, Tick now);
  [[gnu::noinline]] void write_down(const Cell& cell, Tick now);
  [[nodiscard]] std::int32_t id_of(const Cell& cell) const { return static_cast<std::int32_t>(&cell - cells_); }

  Fabric& fabric_;
  StripState& strip_;
  Cell* const cells_;
  Cell* const first_;  ///< of the strip
  Queue* const queues_;
  const bool is_watched_;  ///< some move is written down
  Tick hop_latency_;
  Tick ramp_latency_;
  Arbitration arbitration_;
  std::vector<std::uint8_t> turn_;  ///< round robin: which color of a router is polled first
};

}  // namespace muster::wafer

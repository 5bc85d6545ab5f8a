// A strip: processors that follow each other, with their routers; what one thread runs in a cycle. What is awake in it, and what it
// has to say at the end of a cycle.
//
// Strips share the queues between their routers (fabric.h), and nothing else: a wavelet that is pushed over the border wakes its reader
// from the next cycle on, and a cell that finds no space beyond the border stays awake.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "backend/wafer/number_set.h"
#include "backend/wafer/simulate/fabric.h"
#include "backend/wafer/simulate/history.h"
#include "backend/wafer/simulate/recorder.h"
#include "result/result.h"

namespace muster::wafer {

/// Processors (with their routers) from `first` to before `end`.
struct NodeRange {
  NodeId first = 0;
  NodeId end = 0;
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(end - first); }
};

struct StripState {
  StripState(const Fabric& fabric, NodeRange range, bool is_recorded, bool has_history)
      : nodes(range),
        first_cell(static_cast<std::int32_t>(fabric.first_cell[static_cast<std::size_t>(range.first)])),
        cell_count(static_cast<std::uint32_t>(fabric.first_cell[static_cast<std::size_t>(range.end)] - first_cell)),
        cells(cell_count),
        processors(range.size()) {
    if (is_recorded) recorder.emplace(fabric.program);
    if (has_history) history.emplace(first_cell, cell_count);
  }

  [[nodiscard]] bool has_cell(std::int32_t cell) const {
    return static_cast<std::uint32_t>(cell - first_cell) < cell_count;
  }
  void wake_cell(std::int32_t cell) { cells.add(cell - first_cell); }
  void wake_processor(NodeId node) { processors.add(node - nodes.first); }
  /// The cell that a queue feeds, after a push. If it is another strip's, that one learns of it in the next cycle (take_calls).
  [[gnu::noinline]] void wake_reading_cell(Queue& queue) {
    const std::int32_t cell = queue.reader();
    if (has_cell(cell)) {
      queue.call_reader(false);
      wake_cell(cell);
    } else {
      called->push_back(cell);
    }
  }
  [[gnu::noinline]] void wake_reading_processor(Queue& queue) {
    queue.call_reader(false);
    wake_processor(queue.reader());
  }
  /// What reads the queue may sleep until a wavelet arrives.
  static void be_called(Queue& queue) {
    if (!queue.calls_reader()) queue.call_reader(true);  // a queue of two strips always calls: no one writes there
  }
  [[gnu::noinline]] void cell_sleeps(std::int32_t cell) { cells.remove(cell - first_cell); }
  [[gnu::noinline]] void processor_sleeps(NodeId node) { processors.remove(node - nodes.first); }

  /// At the start of a cycle: forgets what it called two cycles ago.
  void begin(Tick now) {
    called = &calls[static_cast<std::size_t>(now & 1)];
    called->clear();
  }
  /// After that: wakes the cells that `other` called in the cycle before.
  void take_calls(const StripState& other, Tick now) {
    for (const std::int32_t cell : other.calls[static_cast<std::size_t>((now + 1) & 1)]) {
      if (has_cell(cell)) cells.add(cell - first_cell);
    }
  }

  NodeRange nodes;
  std::int32_t first_cell;
  std::uint32_t cell_count;
  NumberSet cells;                                 ///< those that may have something to do, counted from first_cell
  NumberSet processors;                            ///< likewise, from nodes.first
  std::array<std::vector<std::int32_t>, 2> calls;  ///< cells of other strips, in even and odd cycles
  std::vector<std::int32_t>* called = &calls[0];   ///< in this cycle
  std::int64_t in_flight = 0;                      ///< wavelets that it pushed less those that it popped
  std::optional<Fault> router_fault;               ///< the first one of its routers
  std::optional<Fault> processor_fault;            ///< the first one of its processors
  std::optional<Recorder> recorder;
  std::optional<History> history;
};

}  // namespace muster::wafer

// The fabric while it is simulated: wavelets in queues between routers and processors.
//
// Every queue stands behind a link or a ramp and holds what is on the way as well as what waits: a wavelet may be used
// from its `ready` cycle on. All decisions of a cycle see the queues as they were at its start.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backend/wafer/directions.h"
#include "backend/wafer/program.h"
#include "result/result.h"

namespace muster::wafer {

struct Wavelet {
  /// Wide enough to leave no padding: g++ copies a padded struct by two loads that overlap, which stall.
  enum class Kind : std::uint32_t { data, data_advance_own, advance, reset };
  std::int64_t ready = 0;
  Word word = 0;
  Kind kind = Kind::data;
  [[nodiscard]] bool is_data() const { return kind == Kind::data || kind == Kind::data_advance_own; }
};

inline constexpr std::int32_t kNoQueue = -1;
inline constexpr std::int32_t kNoCell = -1;

struct Queue {
  std::int64_t base = 0;  ///< of its ring in the pool
  std::int32_t capacity = 0;
  std::int32_t head = 0;
  std::int32_t size = 0;
  std::int32_t cell = 0;  ///< the cell that it feeds; for a ramp to a processor, the one that feeds it
};

/// One color at one router.
struct Cell {
  const ColorRoute* route = nullptr;
  NodeId router = 0;
  std::int32_t waiting = 0;  ///< wavelets in its input queues
  std::uint8_t position = 0;
  std::array<std::int32_t, kDirections> in{};   ///< its input queues
  std::array<std::int32_t, kDirections> out{};  ///< the queues that its outputs lead to
  [[nodiscard]] const Position& now() const { return route->positions[position]; }
};

/// What passed one router and worked in its processor.
struct Traffic {
  std::array<std::int64_t, 4> link{};  ///< wavelets out over each link
  std::int64_t ramp_in = 0;            ///< wavelets to the processor
  std::int64_t ramp_out = 0;           ///< wavelets from it
  std::int64_t data_in = 0;            ///< without control wavelets
  std::int64_t data_out = 0;
  std::int64_t busy = 0;  ///< cycles of the datapath
};

class Fabric {
 public:
  explicit Fabric(const WaferProgram& program);

  /// The place of a color among the cells of every router of a class, or kNoCell.
  [[nodiscard]] std::int32_t slot(std::int32_t class_id, std::int8_t color) const {
    return slot_of_[static_cast<std::size_t>(class_id)][static_cast<std::size_t>(color)];
  }
  /// The cell of a color at a router, or kNoCell.
  [[nodiscard]] std::int32_t cell(NodeId router, std::int8_t color) const;
  [[nodiscard]] std::span<Cell> cells_of(NodeId router) {
    const auto r = static_cast<std::size_t>(router);
    return {cells.data() + first_cell[r], cells.data() + first_cell[r + 1]};
  }

  [[nodiscard]] bool has_space(std::int32_t queue) const {
    const Queue& q = queues[static_cast<std::size_t>(queue)];
    return q.size < q.capacity;
  }
  /// The first wavelet of a queue if it can be used in cycle `now`.
  [[nodiscard]] const Wavelet* head(std::int32_t queue, std::int64_t now) const {
    const Queue& q = queues[static_cast<std::size_t>(queue)];
    if (q.size == 0) return nullptr;
    const Wavelet& w = pool_[static_cast<std::size_t>(q.base + q.head)];
    return w.ready <= now ? &w : nullptr;
  }
  void push(std::int32_t queue, const Wavelet& wavelet) {
    Queue& q = queues[static_cast<std::size_t>(queue)];
    std::int32_t tail = q.head + q.size++;
    if (tail >= q.capacity) tail -= q.capacity;
    pool_[static_cast<std::size_t>(q.base + tail)] = wavelet;
    ++in_flight;
  }
  Wavelet pop(std::int32_t queue) {
    Queue& q = queues[static_cast<std::size_t>(queue)];
    const Wavelet wavelet = pool_[static_cast<std::size_t>(q.base + q.head)];
    if (++q.head == q.capacity) q.head = 0;
    --q.size;
    --in_flight;
    return wavelet;
  }

  /// "PE (3,0), color 1": color as the hardware counts them.
  [[nodiscard]] std::string place(NodeId router, std::int8_t color) const;
  [[nodiscard]] std::string place(const Cell& cell) const { return place(cell.router, cell.route->color); }

  const WaferProgram& program;
  std::vector<Cell> cells;               ///< by router, then by hardware color
  std::vector<std::int64_t> first_cell;  ///< router r: [first_cell[r], first_cell[r + 1])
  std::vector<Queue> queues;
  std::vector<Traffic> traffic;  ///< of each router
  std::int64_t in_flight = 0;    ///< wavelets in all queues
  std::int64_t hops = 0;         ///< data wavelets over links
  std::optional<Fault> fault;    ///< the first one

 private:
  void add_cells(NodeId router);
  void connect(Cell& from);
  std::int32_t add_queue(std::int32_t cell, std::int64_t capacity);

  std::vector<Wavelet> pool_;
  std::vector<std::vector<std::int8_t>> slot_of_;  ///< class, color → place among the cells of a router
};

}  // namespace muster::wafer

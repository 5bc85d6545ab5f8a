// The fabric while it is simulated: wavelets in queues between routers and processors.
//
// Every queue is at the end of a link or a ramp, has one writer and one reader, and holds wavelets in flight as well as waiting
// ones: a wavelet may be used from its `ready` cycle on, which is after the cycle in which it was pushed. Decisions use the
// state at the start of a cycle, in whatever order routers and processors are run: what was pushed in this cycle is not ready,
// and what was popped in this cycle still occupies its slot.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backend/wafer/directions.h"
#include "backend/wafer/program.h"
#include "result/result.h"

namespace muster::wafer {

/// A cycle. 32 bits keep a queue in one cache line; simulations end long before kMostCycles.
using Tick = std::int32_t;
inline constexpr Tick kMostCycles = 1 << 29;

class Wavelet {
 public:
  enum class Kind : std::uint32_t { data, data_advance_own, advance, reset };
  Wavelet() = default;
  Wavelet(Word word, Kind kind, Tick ready)
      : word_(word), stamp_(static_cast<std::uint32_t>(ready) << 2U | static_cast<std::uint32_t>(kind)) {}
  [[nodiscard]] Word word() const { return word_; }
  [[nodiscard]] Kind kind() const { return static_cast<Kind>(stamp_ & 3U); }
  [[nodiscard]] Tick ready() const { return static_cast<Tick>(stamp_ >> 2U); }
  [[nodiscard]] bool is_data() const { return (stamp_ & 2U) == 0; }
  [[nodiscard]] bool is_plain() const { return (stamp_ & 3U) == 0; }  ///< data that commands no switch

 private:
  Word word_ = 0;
  std::uint32_t stamp_ = 0;  ///< ready and kind
};

inline constexpr std::int32_t kNoQueue = -1;
inline constexpr std::int32_t kNoCell = -1;

/// What waits until a queue has space: a cell, or a processor.
class Waiter {
 public:
  static Waiter cell(std::int32_t id) { return Waiter(id); }
  static Waiter processor(NodeId node) { return Waiter(-2 - node); }
  Waiter() = default;
  [[nodiscard]] bool exists() const { return code_ != -1; }
  [[nodiscard]] bool is_cell() const { return code_ >= 0; }
  [[nodiscard]] std::int32_t cell() const { return code_; }
  [[nodiscard]] NodeId processor() const { return -2 - code_; }

 private:
  explicit Waiter(std::int32_t code) : code_(code) {}
  std::int32_t code_ = -1;
};

struct alignas(64) Queue {
  static constexpr std::uint32_t kFew = 4;  ///< wavelets that are kept in place

  Wavelet* ring = nullptr;   ///< of at least `capacity` slots
  std::uint32_t pushed = 0;  ///< so far
  std::uint32_t popped = 0;
  std::uint32_t capacity : 24 = 0;
  std::uint32_t ring_bits : 8 = 0;  ///< the ring has 2^ring_bits slots
  Tick last_pop = -1;
  std::int32_t reader = 0;  ///< the cell that it feeds; for a ramp to a processor, the node
  Waiter waiter;
  std::array<Wavelet, kFew> few;

  [[nodiscard]] std::uint32_t size() const { return pushed - popped; }
  [[nodiscard]] bool is_full() const { return size() >= capacity; }
  [[nodiscard]] bool has_space(Tick now) const { return size() + (last_pop == now ? 1 : 0) < capacity; }
  [[nodiscard]] const Wavelet& front() const { return ring[slot(popped)]; }
  [[nodiscard]] bool is_ready(Tick now) const { return size() != 0 && front().ready() <= now; }
  void push(Wavelet wavelet) { ring[slot(pushed++)] = wavelet; }
  Wavelet pop(Tick now) {
    last_pop = now;
    return ring[slot(popped++)];
  }

 private:
  [[nodiscard]] std::uint32_t slot(std::uint32_t count) const { return count & ((1U << ring_bits) - 1); }
};
static_assert(sizeof(Queue) == 64);

/// A queue for each direction, or kNoQueue.
using QueueIds = std::array<std::int32_t, kDirections>;

/// One color at one router, as every cycle needs it: one cache line.
struct alignas(64) Cell {
  const ColorRoute* route = nullptr;
  NodeId router = 0;
  std::int32_t only_in = kNoQueue;   ///< where the position accepts one input: its queue
  std::int32_t only_out = kNoQueue;  ///< where it has one output: the queue that it leads to
  std::uint8_t position = 0;
  Position now;              ///< route->positions[position]
  std::uint8_t fan_out = 0;  ///< outputs of the position; also 0 if nothing accepts the color at one of them
  QueueIds to{};             ///< where they lead, in the order of directions: the ramp is the last one
  QueueIds in{};             ///< its input queues
};
static_assert(sizeof(Cell) == 64);

/// The traffic of one router and the load of its processor.
struct Traffic {
  std::array<std::int64_t, 4> link{};  ///< wavelets out over each link
  std::int64_t ramp_in = 0;            ///< wavelets to the processor
  std::int64_t ramp_out = 0;           ///< wavelets from it
  std::int64_t data_in = 0;            ///< without control wavelets
  std::int64_t data_out = 0;
  std::int64_t busy = 0;   ///< cycles of the datapath
  std::int64_t waits = 0;  ///< cycles between elements taken from the fabric
};

class Fabric {
 public:
  explicit Fabric(const WaferProgram& program);
  Fabric(const Fabric&) = delete;
  Fabric& operator=(const Fabric&) = delete;
  Fabric(Fabric&&) = delete;
  Fabric& operator=(Fabric&&) = delete;
  ~Fabric() = default;

  /// The index of a color among the cells of every router of a class, or kNoCell.
  [[nodiscard]] std::int32_t slot(std::int32_t class_id, std::int8_t color) const {
    return slot_of_[static_cast<std::size_t>(class_id)][static_cast<std::size_t>(color)];
  }
  /// The cell of a color at a router, or kNoCell.
  [[nodiscard]] std::int32_t cell(NodeId router, std::int8_t color) const;
  /// The queue that an output of a cell leads to, or kNoQueue.
  [[nodiscard]] std::int32_t out(const Cell& cell, Direction direction) const {
    return outs_of(cell)[static_cast<std::size_t>(index_of(direction))];
  }
  /// Sets the switch position of a cell.
  void enter(Cell& cell, std::uint8_t position);
  [[nodiscard]] std::span<const Cell> cells_of(NodeId router) const {
    const auto r = static_cast<std::size_t>(router);
    return {cells.data() + first_cell[r], cells.data() + first_cell[r + 1]};
  }
  [[nodiscard]] Queue& queue(std::int32_t id) { return queues[static_cast<std::size_t>(id)]; }
  [[nodiscard]] const Queue& queue(std::int32_t id) const { return queues[static_cast<std::size_t>(id)]; }

  /// Counted from what the queues have seen; the processor's part is left out.
  [[nodiscard]] Traffic traffic(NodeId router) const;
  /// Data wavelets over links.
  [[nodiscard]] std::int64_t hops() const;

  /// "PE (3,0), color 1": color as the hardware counts them.
  [[nodiscard]] std::string location(NodeId router, std::int8_t color) const;
  [[nodiscard]] std::string location(const Cell& cell) const { return location(cell.router, cell.route->color); }

  const WaferProgram& program;
  std::vector<Cell> cells;               ///< by router, then by hardware color
  std::vector<std::int64_t> first_cell;  ///< router r: [first_cell[r], first_cell[r + 1])
  std::vector<Queue> queues;
  std::vector<std::int32_t> dropped;   ///< of each processor: control wavelets that ended there
  std::vector<std::int32_t> commands;  ///< of each processor: control wavelets that it sent
  std::int64_t control_hops = 0;       ///< control wavelets over links
  std::int64_t in_flight = 0;          ///< wavelets in all queues
  std::optional<Fault> fault;          ///< the first one

 private:
  void reserve();
  void add_cells(NodeId router);
  void connect(const Cell& from);
  [[nodiscard]] const QueueIds& outs_of(const Cell& cell) const {
    return outs_[static_cast<std::size_t>(&cell - cells.data())];
  }
  void place_rings();
  std::int32_t add_queue(std::int32_t reader, std::int64_t capacity);

  std::vector<QueueIds> outs_;                     ///< of each cell
  std::vector<Wavelet> pool_;                      ///< of queues that are too long to be kept in place
  std::vector<std::vector<std::int8_t>> slot_of_;  ///< class, color → index among the cells of a router
};

}  // namespace muster::wafer

// The fabric while it is simulated: wavelets in queues between routers and processors.
//
// Every queue is at the end of a link or a ramp, has one writer and one reader, and holds wavelets in flight as well as waiting
// ones: a wavelet may be used from its `ready` cycle on, which is after the cycle in which it was pushed. Decisions use the
// state at the start of a cycle, in whatever order routers and processors are run, or on different threads: what was pushed
// in this cycle is not ready, and what was popped in this cycle still occupies its slot.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "backend/wafer/directions.h"
#include "backend/wafer/program.h"

namespace muster::wafer {

/// A cycle. 32 bits keep a queue in one cache line; whatever is in flight is ready before kMostCycles.
using Tick = std::int32_t;
inline constexpr Tick kMostCycles = 1 << 29;

/// In the word of an advance: it carries a list of commands (commands.h), in the lower half.
inline constexpr Word kListed = Word{1} << 31U;

/// What a slot of a queue holds: a wavelet, and from which cycle on it may be used; or nothing, and from which cycle on the slot
/// is free.
class Stamp {
 public:
  enum class Kind : std::uint32_t { data, data_advance_own, advance, reset };
  Stamp() = default;
  static Stamp of_wavelet(Kind kind, Tick ready) {
    return Stamp(static_cast<std::uint32_t>(ready) << 2U | static_cast<std::uint32_t>(kind));
  }
  static Stamp of_space(Tick from) { return Stamp(kFree | static_cast<std::uint32_t>(from)); }

  [[nodiscard]] bool is_wavelet() const { return bits_ < kFree; }
  [[nodiscard]] bool is_ready(Tick now) const { return bits_ <= (static_cast<std::uint32_t>(now) << 2U | 3U); }
  [[nodiscard]] bool is_free(Tick now) const { return (bits_ ^ kFree) <= static_cast<std::uint32_t>(now); }
  // Of a wavelet:
  [[nodiscard]] Tick ready() const { return static_cast<Tick>(bits_ >> 2U); }
  [[nodiscard]] Kind kind() const { return static_cast<Kind>(bits_ & 3U); }
  [[nodiscard]] bool is_data() const { return (bits_ & 2U) == 0; }
  [[nodiscard]] bool is_plain() const { return (bits_ & 3U) == 0; }  ///< data that commands no switch

 private:
  friend class QueueSlot;
  explicit Stamp(std::uint32_t bits) : bits_(bits) {}
  static constexpr std::uint32_t kFree = 1U << 31U;
  std::uint32_t bits_ = kFree;
};

/// Writer and reader look at a stamp in the same cycle, perhaps on two threads. What either of them writes concerns later cycles, so
/// the other one decides the same whether it sees that or not. The word is read in a later cycle than it was written in.
class QueueSlot {
 public:
  [[nodiscard]] Word word() const { return word_; }
  [[nodiscard]] Stamp stamp() const {
    return Stamp(std::atomic_ref<std::uint32_t>(bits_).load(std::memory_order_relaxed));
  }
  void set(Stamp stamp) { std::atomic_ref<std::uint32_t>(bits_).store(stamp.bits_, std::memory_order_relaxed); }
  void set(Word word, Stamp stamp) {
    word_ = word;
    set(stamp);
  }

 private:
  Word word_ = 0;
  mutable std::uint32_t bits_ = Stamp::kFree;  // mutable: atomic_ref takes no const in C++20
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
  static constexpr std::uint32_t kFew = 4;  ///< slots that are kept in place

  QueueSlot* ring = nullptr;  ///< of `capacity` slots
  std::uint32_t back = 0;     ///< the slot for the next wavelet; only the writer's
  std::uint32_t front = 0;    ///< that of the first wavelet; only the reader's
  std::uint32_t capacity = 0;
  std::uint32_t pushed = 0;      ///< so far
  std::int32_t reader_code = 0;  ///< see reader() and calls_reader()
  Waiter waiter;                 ///< only of a reader and a writer in one strip
  std::array<QueueSlot, kFew> few;

  /// For the writer: the slot that has to be free.
  [[nodiscard]] Stamp space() const { return ring[back].stamp(); }
  void push(Word word, Stamp stamp) {
    ring[back].set(word, stamp);
    back = after(back);
    ++pushed;
  }
  /// For the reader: the first wavelet, if there is one.
  [[nodiscard]] const QueueSlot& first() const { return ring[front]; }
  void pop(Tick now) {
    ring[front].set(Stamp::of_space(now + 1));
    front = after(front);
  }
  /// Wavelets in it; takes a while.
  [[nodiscard]] std::size_t size() const;

  /// The cell that it feeds; for a ramp to a processor, the node.
  [[nodiscard]] std::int32_t reader() const { return reader_code & ~kCalls; }
  /// Whether a push has to wake the reader: then it may be asleep.
  [[nodiscard]] bool calls_reader() const { return reader_code < 0; }
  void call_reader(bool calls) { reader_code = calls ? reader_code | kCalls : reader_code & ~kCalls; }

 private:
  static constexpr std::int32_t kCalls = std::numeric_limits<std::int32_t>::min();
  [[nodiscard]] std::uint32_t after(std::uint32_t slot) const { return slot + 1 == capacity ? 0 : slot + 1; }
};
static_assert(sizeof(Queue) == 64);

/// A queue for each direction, or kNoQueue.
using QueueIds = std::array<std::int32_t, kDirections>;

/// One color at one router, as every cycle needs it: one cache line.
struct alignas(64) Cell {
  Queue* only_in = nullptr;   ///< where the position accepts one input: its queue
  Queue* only_out = nullptr;  ///< where it has one output: the queue that it leads to
  const ColorRoute* route = nullptr;
  NodeId router = 0;
  Position now;  ///< route->positions[position]
  std::uint8_t position = 0;
  std::uint8_t fan_out = 0;  ///< outputs of the position; also 0 if nothing accepts the color at one of them
  QueueIds to{};             ///< where they lead, in the order of directions: the ramp is the last one
};
static_assert(sizeof(Cell) == 64);

/// The traffic of one router and the load of its processor.
struct Traffic {
  std::array<std::int64_t, 4> link{};  ///< wavelets out over each link
  std::int64_t ramp_in = 0;            ///< wavelets to the processor
  std::int64_t ramp_out = 0;           ///< wavelets from it
  std::int64_t data_in = 0;            ///< without control wavelets
  std::int64_t data_out = 0;
  std::int64_t control_hops = 0;  ///< of the wavelets over links: control wavelets
  std::int64_t busy = 0;          ///< cycles of the datapath
  std::int64_t waits = 0;         ///< cycles between elements taken from the fabric
};

class Fabric {
 public:
  /// If it `wraps`, links lead from the last column to the first, and so on: what happens on such a grid happens in every part of that size of
  /// one without borders.
  explicit Fabric(const WaferProgram& program, bool wraps = false);
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
  /// The queue of an input of a cell, or kNoQueue.
  [[nodiscard]] std::int32_t in(const Cell& cell, Direction direction) const {
    return ends_of(cell).in[static_cast<std::size_t>(index_of(direction))];
  }
  /// The queue that an output of a cell leads to, or kNoQueue.
  [[nodiscard]] std::int32_t out(const Cell& cell, Direction direction) const {
    return ends_of(cell).out[static_cast<std::size_t>(index_of(direction))];
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
  /// "PE (3,0), color 1": color as the hardware counts them.
  [[nodiscard]] std::string location(NodeId router, std::int8_t color) const;
  [[nodiscard]] std::string location(const Cell& cell) const { return location(cell.router, cell.route->color); }

  const WaferProgram& program;
  std::vector<Cell> cells;               ///< by router, then by hardware color
  std::vector<std::int64_t> first_cell;  ///< router r: [first_cell[r], first_cell[r + 1])
  std::vector<Queue> queues;
  std::vector<std::int32_t> dropped;       ///< of each processor: control wavelets that ended there
  std::vector<std::int64_t> control_hops;  ///< of each router: control wavelets over its links
  std::vector<std::int32_t> commands;      ///< of each processor: control wavelets that it sent

 private:
  void reserve();
  void add_cells(NodeId router);
  void connect(const Cell& from);
  [[nodiscard]] NodeId next_router(NodeId router, Direction direction) const;
  struct Ends {
    QueueIds in{};
    QueueIds out{};
  };
  [[nodiscard]] const Ends& ends_of(const Cell& cell) const {
    return ends_[static_cast<std::size_t>(&cell - cells.data())];
  }
  /// The queue of the only direction in a set; none if there are none or several.
  [[nodiscard]] Queue* only(const QueueIds& ids, Directions set);
  void place_rings();
  std::int32_t add_queue(std::int32_t reader, std::int64_t capacity);

  bool wraps_ = false;
  std::vector<Ends> ends_;                         ///< of each cell
  std::vector<QueueSlot> pool_;                    ///< of queues that are too long to be kept in place
  std::vector<std::vector<std::int8_t>> slot_of_;  ///< class, color → index among the cells of a router
};

}  // namespace muster::wafer

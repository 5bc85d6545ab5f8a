// The program of a network-on-chip: for every core, what its two dataflow processors and its compute processor call, one call after
// another. The simulator runs exactly these calls, and the emitter writes them.
//
// Memory     A core's memory is counted in bytes from the start of what the program uses; a DRAM bank's likewise. Vectors lie in whole
//            tiles, the units of the compute processor (layout.h).
// Dataflow   Processor 0 and 1 each drive one NoC (noc_of). Writes, multicasts and increments of one processor to one core arrive in
//            the order of their calls: so an increment behind a write says that the data is there. A write through one NoC is not
//            ordered with an increment through the other.
// Counters   are words in a core's memory that other cores increase; they begin at 0 and only grow. The first ones are the semaphores
//            that TT-Metalium provides; others are words of the program's own memory, which its calls treat alike.
// Tokens     go from one processor of a core to another through a circular buffer of their own: Post appends one, Expect takes one.
// Calls      All processors were cut out of one order of all events of the schedule. So whatever a processor waits for comes earlier in
//            that order, and no wait is in vain.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "backend/program.h"
#include "backend/torus/layout.h"
#include "backend/torus/noc/topology.h"
#include "machine/torus.h"
#include "schedule/schedule.h"

namespace muster::torus {

/// Of a core's memory: firmware, kernels and their arguments, counters and tokens.
inline constexpr Bytes kReservedMemory{104 * 1024};

enum class Processor : std::uint8_t { dataflow_0, dataflow_1, compute };
inline constexpr int kProcessors = 3;

/// A core, or a DRAM bank, by its tile.
struct Write {
  NodeId to = 0;
  Address source = 0;
  Address target = 0;
  std::int64_t bytes = 0;
  bool operator==(const Write&) const = default;
};
struct Read {
  NodeId of = 0;
  Address source = 0;
  Address target = 0;
  std::int64_t bytes = 0;
  bool operator==(const Read&) const = default;
};
/// To the same address of all workers in a rectangle of tiles.
struct Multicast {
  Rectangle area;
  bool includes_self = false;
  Address source = 0;
  Address target = 0;
  std::int64_t bytes = 0;
  bool operator==(const Multicast&) const = default;
};
/// Increases a counter of another core.
struct Increment {
  NodeId at = 0;
  std::int32_t counter = 0;
  bool operator==(const Increment&) const = default;
};
/// Sets a counter of all workers in a rectangle. No one else changes that counter.
struct SetEverywhere {
  Rectangle area;
  bool includes_self = false;
  std::int32_t counter = 0;
  std::int64_t value = 0;
  bool operator==(const SetEverywhere&) const = default;
};
/// Until an own counter is at least `value`.
struct Await {
  std::int32_t counter = 0;
  std::int64_t value = 0;
  bool operator==(const Await&) const = default;
};
/// Until the data of all own writes and multicasts has left the memory, so that it may change.
struct Flush {
  bool operator==(const Flush&) const = default;
};
/// Until all own writes and multicasts have been acknowledged.
struct WriteBarrier {
  bool operator==(const WriteBarrier&) const = default;
};
/// Until all own reads have arrived.
struct ReadBarrier {
  bool operator==(const ReadBarrier&) const = default;
};
/// Until all own increments have been acknowledged: at the end, so that none is in flight when the processor stops.
struct AtomicBarrier {
  bool operator==(const AtomicBarrier&) const = default;
};
struct Post {
  Processor to = Processor::compute;
  bool operator==(const Post&) const = default;
};
struct Expect {
  Processor from = Processor::compute;
  bool operator==(const Expect&) const = default;
};
/// target = left combined with right, word by word, by a dataflow processor in software: for a few words.
struct CombineWords {
  Address left = 0;
  Address right = 0;
  Address target = 0;
  std::int64_t words = 0;
  bool operator==(const CombineWords&) const = default;
};
/// target = left combined with right, tile by tile. Only of the compute processor, as Copy.
struct Combine {
  Address left = 0;
  Address right = 0;
  Address target = 0;
  std::int64_t tiles = 0;
  bool operator==(const Combine&) const = default;
};
struct Copy {
  Address source = 0;
  Address target = 0;
  std::int64_t tiles = 0;
  bool operator==(const Copy&) const = default;
};

using Call = std::variant<Write, Read, Multicast, Increment, SetEverywhere, Await, Flush, WriteBarrier, ReadBarrier,
                          AtomicBarrier, Post, Expect, CombineWords, Combine, Copy>;

struct Core {
  std::array<std::vector<Call>, kProcessors> calls;
  std::int32_t counters = 0;
  /// [from][to]: how many tokens are posted, the pages of that circular buffer: so no post ever waits.
  std::array<std::array<std::int32_t, kProcessors>, kProcessors> tokens{};
};

class TorusProgram : public Program {
 public:
  Machine machine;
  Arithmetic arithmetic;
  std::vector<Contract> contracts;
  std::array<std::int64_t, kBuffers>
      extent{};  ///< words of input, output, scratch, model and model, as in the schedule
  std::array<std::uint8_t, 2> noc_of{0, 1};
  std::vector<Core> cores;  ///< by rank
  Pieces pieces;
  MemoryMap memory;                   ///< of every core
  MemoryMap bank_memory;              ///< of every DRAM bank
  std::int64_t memory_used = 0;       ///< bytes of a core, with those for data that arrives
  std::int64_t tile_bytes = 0;        ///< of the type
  bool lands_apart = true;            ///< whatever arrives has memory of its own; otherwise cores ask before they send
  bool grants_all = false;            ///< a core grants every message before it is sent
  bool ends_after_all_began = false;  ///< no core can end before all others have begun

  [[nodiscard]] const Torus& torus() const { return *as<Torus>(machine); }
  [[nodiscard]] std::string summary() const override;
  [[nodiscard]] std::vector<int> channels_sent(NodeId node) const override;
  [[nodiscard]] ProgramFacts facts() const override;
};

/// Of the core with the most.
std::int32_t most_counters(const TorusProgram& program);
/// Those that are no semaphores.
std::int32_t counter_words(const TorusProgram& program);
/// Of each: L1 is written in units of these.
inline constexpr std::int64_t kCounterBytes = 16;

}  // namespace muster::torus

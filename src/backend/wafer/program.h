// A wafer program: for every processor the routes of its router and the vector operations that it runs.
//
// Routers. Per color, a router has up to four switch positions; position 0 holds at the start. A position says from
// which directions wavelets are accepted and to which they go; a wavelet from another direction waits. A control
// wavelet is routed by the old position and changes it for later wavelets: ADVANCE moves to the next position (past the
// last one: in a ring to position 0, otherwise nowhere), RESET to position 0, which rings do not know. It acts on every
// router that it passes, the sender's and the receiver's included, unless it carries a list of commands, one for each of
// these routers (commands.h); at a processor it is dropped. A program leaves every switch in position 0.
//
// Processors. Operations run in the order of their lane, `times` times each, with the meaning of a Step (schedule.h):
// operands are colors instead of streams. Two streams on one color arrive in the order in which they were sent through
// the switches; the k-th operation that takes a color takes the k-th stream. Operands may have coefficients: the first
// one counts c * a, rounded, a later one fma(c, a, result); without a coefficient it is combined as always.
//
// Repetitions. All operations are repeated `steps` times. In every odd repetition (the first one is number 0) the buffers
// input and output are exchanged, so what one writes to `output` the next one reads from `input`. A processor begins a repetition when all its
// lanes have ended the one before; no one waits for other processors. The result is what the last repetition calls output.
// Repetition s uses page s of `series` and page s / record_every of `record`; `extent` is that of a page.
//
// Processors with equal routes and operations share one class, so a program is small however many processors there are.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "backend/program.h"
#include "backend/wafer/commands.h"
#include "machine/machine.h"
#include "machine/mesh.h"
#include "schedule/arithmetic.h"
#include "schedule/schedule.h"

namespace muster::wafer {

enum class Direction : std::uint8_t { north, east, south, west, ramp };
inline constexpr int kDirections = 5;

/// A set of directions, one bit each.
using Directions = std::uint8_t;
constexpr Directions set_of(Direction d) { return static_cast<Directions>(1U << static_cast<unsigned>(d)); }
constexpr bool has(Directions set, Direction d) { return (set & set_of(d)) != 0; }

struct Position {
  Directions from = 0;
  Directions to = 0;
  auto operator<=>(const Position&) const = default;
};

/// One color at one router.
struct ColorRoute {
  std::int8_t color = 0;
  std::uint8_t count = 0;  ///< positions
  std::array<Position, 4> positions{};
  bool ring = false;  ///< ADVANCE leads from the last position to position 0
  auto operator<=>(const ColorRoute&) const = default;
};

/// What follows the last data wavelet of an output.
enum class Ending : std::uint8_t {
  nothing,
  advance_own,  ///< the last data wavelet itself advances the sender's own router (advance_switch): free
  advance,      ///< one more wavelet, a control wavelet ADVANCE
  reset,        ///< one more wavelet, a control wavelet RESET
  commands,     ///< control wavelets with lists of commands: Output::lists
};

/// Control wavelets with lists that can follow an output, one behind the other.
inline constexpr std::size_t kMostLists = 3;
using CommandLists = std::array<CommandList, kMostLists>;

struct Output {
  std::int8_t color = 0;
  Ending ending = Ending::nothing;
  CommandLists lists{};  ///< of Ending::commands: those before the first that is 0
  /// Control wavelets that follow the data.
  [[nodiscard]] std::size_t controls() const {
    if (ending != Ending::commands) return ending == Ending::advance || ending == Ending::reset ? 1 : 0;
    std::size_t count = 0;
    while (count < lists.size() && lists[count] != 0) ++count;
    return count;
  }
  auto operator<=>(const Output&) const = default;
};

inline constexpr std::int8_t kOwnOperand = -1;
inline constexpr std::int16_t kNoCoefficient = -1;

/// Elements of the processor's own memory.
struct OwnOperand {
  Buffer buffer = Buffer::none;
  SpanId elements = 0;
  bool operator==(const OwnOperand&) const = default;
};

/// One vector operation. With no operands and no elements, it only sends the control wavelets of its outputs.
struct Operation {
  std::int32_t lane = 0;
  std::int32_t times = 1;
  SpanId elements = 0;
  std::vector<std::int8_t> operands;  ///< colors, and kOwnOperand, in the order of combination
  std::vector<Output> outputs;
  Buffer own = Buffer::none;
  Buffer store = Buffer::none;
  Buffer sent = Buffer::none;  ///< not none: an exchange
  SpanId own_elements = 0;
  SpanId store_elements = 0;
  SpanId sent_elements = 0;
  std::vector<std::int32_t> after;   ///< operations of this processor that must have finished
  bool continues = false;            ///< a piece of the same operation as the one before it (lower/pieces.cpp)
  std::vector<OwnOperand> more_own;  ///< what the second kOwnOperand stands for, and those after it
  std::vector<std::int16_t>
      coefficients;  ///< of each operand: of WaferProgram::coefficients, or none; empty: of no one
  /// Whether it does more than combine streams and at most one operand of its own.
  [[nodiscard]] bool is_weighted() const { return !more_own.empty() || !coefficients.empty(); }
  bool operator==(const Operation&) const = default;
};

struct ProcessorClass {
  std::vector<ColorRoute> routes;     ///< by color
  std::vector<Operation> operations;  ///< by lane
  bool operator==(const ProcessorClass&) const = default;
};

/// Where a phase of the schedule runs: boxes of processors of one shape, each by the program of one part.
struct PhasePlaces {
  std::int32_t part = 0;        ///< index into WaferProgram::parts
  std::vector<NodeId> corners;  ///< the first processor of each box
};

class WaferProgram : public Program {
 public:
  Machine machine;  ///< a mesh, in the shape in use
  Arithmetic arithmetic;
  SpanTable spans;
  std::array<std::int64_t, kBuffers> extent{};  ///< words of each buffer, in their order
  std::vector<Contract> contracts;
  std::vector<ProcessorClass> classes;
  std::vector<std::int32_t> class_of;     ///< of each processor, row by row
  std::vector<int> colors;                ///< the hardware colors in use: color c of the classes is colors[c]
  std::vector<Coefficient> coefficients;  ///< as in schedule.h; operations name them by index
  int steps = 1;                          ///< repetitions
  int record_every = 1;                   ///< repetitions that share a page of `record`
  bool begins_exchanged = false;          ///< input and output are exchanged in every even repetition instead
  /// If the schedule was lowered phase by phase: what each part is by itself, on a mesh as large as its groups. Every phase runs at its
  /// processors behind all earlier ones; see lower/phase_colors.h for the colors that they share.
  std::vector<WaferProgram> parts;
  std::vector<PhasePlaces> phases;
  /// If the last phase is a broadcast to all processors: the program without it, a reduce to where it begins. At most one.
  std::vector<WaferProgram> without_broadcast;

  [[nodiscard]] std::string summary() const override;
  [[nodiscard]] std::vector<int> channels_sent(NodeId node) const override;
  [[nodiscard]] ProgramFacts facts() const override;
  [[nodiscard]] std::vector<const Program*> parts_of_schedule() const override;
  [[nodiscard]] const Mesh& mesh() const { return *as<Mesh>(machine); }
  [[nodiscard]] std::int64_t extent_of(Buffer buffer) const { return extent.at(static_cast<std::size_t>(buffer) - 1); }
  /// Whether some buffer has pages: sources or receivers.
  [[nodiscard]] bool has_pages() const { return extent_of(Buffer::series) > 0 || extent_of(Buffer::record) > 0; }
  /// How many pages a buffer has; 1 if it has none.
  [[nodiscard]] std::int64_t pages_of(Buffer buffer) const {
    if (buffer == Buffer::series) return steps;
    return buffer == Buffer::record ? (std::int64_t{steps} + record_every - 1) / record_every : 1;
  }
  /// Whether input and output are exchanged in some repetition.
  [[nodiscard]] bool exchanges() const { return steps > 1 || begins_exchanged; }
};

/// What the program has that only the cycle engine and the static checks know, for messages: "coefficients", ...; empty if nothing.
std::string beyond_combining(const WaferProgram& program);

/// The first processor of a class, for messages: "PE (3,0)".
std::string example_of(const WaferProgram& program, std::size_t class_index);

}  // namespace muster::wafer

// The messages of a program: sender, routers, receivers and order; without times.
//
// A program has operations and colors, no streams. A *message* is what one run of an operation sends on one color: data
// wavelets and the control wavelet after them, or a lone control wavelet; if several control wavelets with commands follow the
// data, each but the first is a message of its own. Only its last wavelet can move a switch, so a
// message passes a router in one position; and a position accepts one input. So what a router forwards, and in which order,
// does not depend on times: the trace finds it by running the program message by message, each as soon as possible (a Kahn
// network). If a program leaves the order undefined, that is a fault.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "backend/checker.h"
#include "backend/wafer/program.h"
#include "result/result.h"

namespace muster::wafer {

inline constexpr std::int32_t kNone = -1;

/// What the trace needs to know of an operation, once per class.
struct OperationShape {
  const Operation* operation = nullptr;
  std::int32_t count = 0;       ///< elements that it takes
  std::int32_t sent_count = 0;  ///< of an exchange: elements that it sends
  std::int32_t cost = 0;        ///< stream operands
  bool exchange = false;
  bool overwrites = false;  ///< an exchange that stores where it sends from: it may not run ahead of its sending
  std::vector<std::int32_t> operand_slots;  ///< of the stream operands: the cell among those of the router, or kNone
  std::vector<std::int32_t> output_slots;
};

struct ClassShape {
  std::vector<std::int32_t> slot_of;      ///< of each color: its index among the router's cells, or kNone
  std::vector<const ColorRoute*> routes;  ///< of each cell: by hardware color
  std::vector<OperationShape> operations;
  std::vector<std::int32_t> lane_first{0};  ///< lane l has operations [lane_first[l], lane_first[l + 1])
  bool has_waits = false;
  [[nodiscard]] std::int32_t lanes() const { return static_cast<std::int32_t>(lane_first.size()) - 1; }
};

/// Whether some position of the route accepts this side.
bool accepts_ever(const ColorRoute& route, Direction d);

/// The cells of a program: one per router and color, by router, then by hardware color.
class Cells {
 public:
  explicit Cells(const WaferProgram& program);
  [[nodiscard]] const ClassShape& shape(NodeId node) const {
    return classes_[static_cast<std::size_t>(program_.class_of[static_cast<std::size_t>(node)])];
  }
  [[nodiscard]] const ClassShape& shape_of_class(std::size_t c) const { return classes_[c]; }
  [[nodiscard]] std::int32_t first(NodeId node) const { return first_[static_cast<std::size_t>(node)]; }
  [[nodiscard]] std::int32_t end(NodeId node) const { return first_[static_cast<std::size_t>(node) + 1]; }
  [[nodiscard]] NodeId router(std::int32_t cell) const { return router_[static_cast<std::size_t>(cell)]; }
  [[nodiscard]] const ColorRoute& route(std::int32_t cell) const {
    return *shape(router(cell)).routes[static_cast<std::size_t>(cell - first(router(cell)))];
  }
  [[nodiscard]] std::int32_t count() const { return static_cast<std::int32_t>(router_.size()); }
  /// The cell that a link of this cell leads to, or kNone if nothing there accepts the color from that side.
  [[nodiscard]] std::int32_t next(std::int32_t cell, Direction d) const;
  /// "PE (3,0), color 1".
  [[nodiscard]] std::string location(std::int32_t cell) const;
  [[nodiscard]] const WaferProgram& program() const { return program_; }
  /// Whether some operation waits for others.
  [[nodiscard]] bool has_waits() const;

 private:
  const WaferProgram& program_;
  std::vector<ClassShape> classes_;
  std::vector<std::int32_t> first_;
  std::vector<NodeId> router_;
};

/// One run of an operation. An exchange has two: one that sends and, right after it, one that takes.
struct Execution {
  enum class Kind : std::uint8_t { work, send, take };
  NodeId node = 0;
  std::int32_t operation = 0;  ///< of the class
  std::int32_t call = 0;
  std::int32_t before = kNone;  ///< the execution before it in its lane, of the call before too
  std::int32_t after = kNone;
  std::int32_t first_take = 0;  ///< of Trace::takes
  std::int32_t take_count = 0;
  std::int32_t first_message = 0;  ///< of Trace::messages; a `take` has those of its `send`
  std::int32_t message_count = 0;
  std::int32_t order = 0;  ///< index in Trace::order
  Kind kind = Kind::work;
  bool last_of_call = false;  ///< of its lane
};

struct Message {
  std::int32_t execution = 0;
  std::int32_t words = 0;
  std::int32_t source = kNone;  ///< its transit at the sender's router
  std::int32_t takers = 0;      ///< processors that it is delivered to
  std::int8_t color = 0;
  std::int8_t output = 0;  ///< of the operation
  Ending ending = Ending::nothing;
  CommandList commands = 0;  ///< of Ending::commands, not 0
  [[nodiscard]] bool has_control() const { return ending != Ending::nothing && ending != Ending::advance_own; }
  [[nodiscard]] std::int32_t wavelets() const { return words + (has_control() ? 1 : 0); }
};

/// Whether its last wavelet tells the router to advance that is `hops` links away from the sender's and takes it from this side.
bool advances(const Message& message, Direction from, std::int32_t hops);

/// A message at one cell. `queue` is the input queue that it came through, `delivered` the ramp to the processor.
struct Transit {
  std::int32_t message = 0;
  std::int32_t cell = 0;
  std::int32_t parent = kNone;  ///< the transit that it came from; kNone: from the processor
  std::int32_t child = kNone;   ///< the first transit that it leads to
  std::int32_t sibling = kNone;
  std::int32_t before = kNone;  ///< in this cell
  std::int32_t after = kNone;
  std::int32_t queue_before = kNone;
  std::int32_t queue_after = kNone;
  std::int32_t delivered_before = kNone;  ///< where it goes to the ramp: the last one with data before it
  std::int32_t delivered_after = kNone;
  std::int32_t taker = kNone;  ///< the execution that takes it
  std::int32_t order = 0;      ///< index in Trace::order
  Direction from = Direction::ramp;
  Directions to = 0;
};

/// What a trace keeps of the transits: all of them, as times need them; or those that deliver to a processor and what
/// find_message_cycle must know of the others, which takes a fraction of the memory.
enum class Kept : std::uint8_t { everything, deliveries };

/// A message that passes a router after another one, which was not already before it at the router that it came from.
struct Follower {
  std::int32_t message = 0;
  std::int32_t before = 0;
  bool operator==(const Follower&) const = default;
};

struct Trace {
  std::vector<Message> messages;
  std::vector<Transit> transits;
  std::vector<Execution> executions;
  std::vector<std::int32_t> takes;       ///< transits, in the order of the stream operands; see `parts`
  std::vector<std::int32_t> take_words;  ///< of each take
  /// Transits (as they are) and executions (as ~index), each after what it needs: an order in which all can happen.
  std::vector<std::int32_t> order;
  std::vector<std::int32_t> hops;   ///< of Kept::deliveries, of each transit: the links that the message has come over
  std::vector<Follower> followers;  ///< of Kept::deliveries
  /// A fault of the program, with a counterexample. Without times, `cycle` is 0.
  std::optional<Fault> fault;
  /// A finding: the program runs, but is not as a correct program should be.
  std::optional<Fault> finding;
  /// Where an operation takes other than one whole message of each color, if one does: then an execution may have any
  /// number of takes, and a transit several takers, of which it knows the last. Order and faults are as exact as without.
  std::string parts;
  /// Why this program cannot be described by messages, if so; then the rest is undefined.
  std::string unsupported;

  /// Whether it describes a correct program, all of whose operations take whole messages.
  [[nodiscard]] bool is_sound() const { return unsupported.empty() && parts.empty() && !fault && !finding; }
};

/// `calls` calls, back to back. Cost: the number of transits. With Kept::deliveries, a transit is not linked with others but those
/// delivered before and after it, there is no order, and a fault or a finding says nothing but that everything must be kept to see
/// whether there is one (a fault) and which.
Trace trace_messages(const Cells& cells, int calls, Kept kept = Kept::everything);

/// Of a trace of deliveries without faults and parts: a cycle of messages that may deadlock because they do not fit into the buffers of their
/// paths.
std::optional<Fault> find_message_cycle(const Cells& cells, const Trace& trace);

/// What tracing one call of a program finds.
ProgramCheck check_messages(const WaferProgram& program);

/// Checks a program before any simulation: two inputs on one color at a router, a wavelet without a route, messages that
/// deadlock (also for lack of buffer space) or that are never received, a control wavelet that moves a switch too early or that goes beyond the path
/// of its data, a reset that overtakes, a switch that is not back in position 0. Nothing if there is none.
std::optional<Fault> check_program(const WaferProgram& program);

}  // namespace muster::wafer

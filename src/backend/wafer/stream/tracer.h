// The implementation of trace_messages(): state of cells and lanes while messages are forwarded.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "backend/wafer/directions.h"
#include "backend/wafer/stream/trace.h"

namespace muster::wafer {

/// A message that has arrived at a cell and has not passed it.
struct Pending {
  std::int32_t message = 0;
  std::int32_t parent = kNone;
  std::int32_t next = kNone;  ///< of the same cell
  Direction from = Direction::ramp;
  std::int32_t before = kNone;  ///< of Kept::deliveries: the message before it at the router that it came from
  std::int32_t hops = 0;
};

struct CellState {
  std::int32_t first_pending = kNone;
  std::int32_t last_pending = kNone;
  std::int32_t last = kNone;            ///< transit; of Kept::deliveries: message
  std::int32_t last_data = kNone;       ///< of Kept::deliveries: message
  std::int32_t delivered_last = kNone;  ///< transit
  std::int32_t delivered_next = kNone;  ///< the first that is not taken, or not all of it
  std::int32_t taken = 0;               ///< words of delivered_next that are taken
  std::int64_t here = 0;                ///< words that are delivered and not taken
  std::uint8_t position = 0;
  Direction last_data_from = Direction::ramp;
  Directions seen = 0;  ///< of Kept::deliveries: the sides that messages came from
};

/// The last transits of a cell's queues.
using QueueEnds = std::array<std::int32_t, kDirections>;

struct LaneTrace {
  std::int32_t operation = 0;
  std::int32_t time = 0;
  std::int32_t last = kNone;  ///< execution
  std::int32_t handled = 0;   ///< elements of this run of the operation, where it had to begin with a part
  bool sent = false;          ///< the exchange has sent its old elements
};

/// Something that waits when nothing can proceed.
struct Waiting {
  std::string location;
  std::string text;
  bool forever = false;  ///< what it waits for never comes
};

class Tracer {
 public:
  Tracer(const Cells& cells, int calls, Kept kept);
  Trace run();

 private:
  // processors
  void reserve_entries();
  void run_until_quiet();
  void run_node(NodeId node);
  bool run_lane(NodeId node, std::int32_t index);
  bool run_exchange(NodeId node, LaneTrace& lane, const OperationShape& o, std::int32_t operation);
  [[nodiscard]] bool may_begin(NodeId node, const OperationShape& o) const;
  [[nodiscard]] std::int64_t words_here(NodeId node, const OperationShape& o) const;
  void work(NodeId node, LaneTrace& lane, std::int32_t operation, std::int32_t words);
  bool run_parts();
  std::int32_t execute(NodeId node, LaneTrace& lane, std::int32_t operation, Execution::Kind kind);
  void take_operands(std::int32_t id, const OperationShape& o, std::int32_t words);
  void take(std::int32_t id, std::int32_t cell, std::int32_t words);
  void send(std::int32_t id, const OperationShape& o, std::int32_t words, bool to_its_end = true);
  bool send_message(const Message& message, std::int32_t slot);
  void next_operation(NodeId node, LaneTrace& lane, std::int32_t operation, std::int32_t times);
  [[nodiscard]] bool call_is_over(NodeId node) const;
  void begin_call(NodeId node);

  // routers
  void arrive(std::int32_t cell, const Pending& pending);
  void pump(std::int32_t cell);
  bool take_pending(std::int32_t cell, Pending& taken);
  void pass(std::int32_t cell, const Pending& pending);
  std::int32_t add_transit(std::int32_t cell, const Pending& pending, Directions to);
  void link(std::int32_t id);
  std::int32_t follow(std::int32_t cell, const Pending& pending);
  void obey(std::int32_t cell, const Pending& pending);
  void obey_reset(std::int32_t cell, const Pending& pending);
  void deliver(std::int32_t id);

  // what is wrong (trace_faults.cpp, trace_stuck.cpp)
  void check_classes();
  void check_the_end();
  [[nodiscard]] bool ended_well() const;
  [[nodiscard]] std::optional<Fault> two_inputs() const;
  [[nodiscard]] std::optional<Fault> stuck() const;
  [[nodiscard]] bool has_advanced(std::int32_t transit) const;
  [[nodiscard]] std::optional<Fault> overshot(std::int32_t cell, const Pending& pending) const;
  [[nodiscard]] std::vector<Directions> still_coming() const;
  void add_waiting_messages(const std::vector<Directions>& coming, std::vector<Waiting>& found) const;
  void add_waiting_operations(const std::vector<Directions>& coming, std::vector<Waiting>& found) const;
  void add_waiting_operation(NodeId node, const LaneTrace& lane, const std::vector<Directions>& coming,
                             std::vector<Waiting>& found) const;
  void add_left_over(std::vector<Waiting>& found) const;
  void no_route(std::int32_t cell, Direction d, std::int32_t message);
  [[nodiscard]] std::string message_text(std::int32_t id) const;
  void note_overshoot(std::int32_t cell, const Pending& pending);
  void fault(std::string kind, std::string location, std::string message);

  [[nodiscard]] NodeId sender(std::int32_t message) const {
    return trace_.executions[static_cast<std::size_t>(trace_.messages[static_cast<std::size_t>(message)].execution)]
        .node;
  }
  [[nodiscard]] bool done(NodeId node) const { return call_[static_cast<std::size_t>(node)] >= calls_; }

  const Cells& cells_;
  const WaferProgram& program_;
  int calls_;
  Kept kept_;
  Trace trace_;
  std::int64_t passed_ = 0;  ///< routers, by messages
  std::vector<CellState> states_;
  std::vector<QueueEnds> queue_last_;  ///< of each cell; none of Kept::deliveries
  std::vector<Pending> pool_;
  std::int32_t free_pending_ = kNone;
  std::vector<std::int32_t> call_;        ///< of each node
  std::vector<std::int32_t> first_lane_;  ///< of each node
  std::vector<LaneTrace> lanes_;
  std::vector<std::vector<std::uint8_t>>
      finished_;  ///< of each node: its operations, if its class has waits; none if no class has
  std::vector<std::int32_t> ready_cells_;
  std::vector<NodeId> ready_nodes_;
};

}  // namespace muster::wafer

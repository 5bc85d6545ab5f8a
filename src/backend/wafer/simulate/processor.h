// Processors of the simulated fabric: lanes of vector operations on one datapath, one element per cycle, and one ramp
// each way. They compute the data.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "backend/wafer/simulate/fabric.h"
#include "backend/wafer/simulate/processor_code.h"
#include "backend/wafer/simulate/router.h"

namespace muster::wafer {

inline constexpr std::int64_t kLongAgo = -(std::int64_t{1} << 62);

/// Where a lane is.
struct LaneState {
  std::int32_t operation = 0;    ///< index into the class's operations
  std::int32_t time = 0;         ///< of its `times`
  std::int64_t taken = 0;        ///< elements done
  std::int64_t sent = 0;         ///< of an exchange: elements sent
  std::size_t controls = 0;      ///< outputs whose ending was dealt with
  std::int64_t acts = 0;         ///< once begun: its first cycle
  std::int64_t takes = 0;        ///< once begun: the first cycle in which it may use its first element
  std::int64_t took = kLongAgo;  ///< the end of the last operation of this call that took a color
  bool begun = false;
};

/// What every cycle touches.
struct Processor {
  std::int64_t datapath_free = 0;  ///< the first cycle in which it can begin an element
  std::int64_t ramp_free = 0;      ///< the first cycle in which a wavelet can enter the ramp
  std::int64_t last_owed = 0;      ///< when the last owed element of this call was stored
  std::int64_t last_run = -1;
  std::int64_t starting = 0;    ///< until when some lane starts an operation
  std::int64_t first_lane = 0;  ///< its lanes follow each other from here
  int call = 0;
};

/// What a processor remembers.
struct ProcessorMemory {
  std::array<std::vector<Word>, 3> buffers;  ///< those that are stored to; others are made when read
  std::vector<std::int64_t> finished;        ///< of each operation in this call: from when on others may begin
};

class Processors {
 public:
  Processors(Fabric& fabric, Routers& routers, int calls, std::uint64_t seed);

  /// Runs the processors that may have something to do in this cycle. True if any of them did something.
  bool run(std::int64_t now);

  /// Makes a processor look again in cycle `when`, at most a ramp's latency and one from now.
  void wake(NodeId node, std::int64_t when) { calendar_[slot(when)].push_back(node); }

  [[nodiscard]] bool done() const { return unfinished_ == 0; }
  [[nodiscard]] const LaneState& lane(NodeId node, std::size_t lane) const {
    return lanes_[static_cast<std::size_t>(processors_[static_cast<std::size_t>(node)].first_lane) + lane];
  }
  [[nodiscard]] const ProcessorCode& code(NodeId node) const;
  [[nodiscard]] bool done(NodeId node) const { return processors_[static_cast<std::size_t>(node)].call >= calls_; }

  /// The longest time that a processor, once begun, can be busy with one element.
  [[nodiscard]] std::int64_t longest_element() const { return longest_element_; }

  std::vector<Cycles> call_ends;                                 ///< of each call
  std::vector<std::vector<NodeTimes>> node_times;                ///< of each call and node
  std::vector<std::vector<std::vector<std::uint32_t>>> outputs;  ///< of each call and node

 private:
  [[nodiscard]] std::size_t slot(std::int64_t when) const { return static_cast<std::size_t>(when) % calendar_.size(); }
  bool run_processor(NodeId node, std::int64_t now);
  bool run_lane(NodeId node, LaneState& lane, const LaneCode& code, std::int64_t now);
  bool begin(NodeId node, LaneState& lane, const OperationCode& operation, std::int64_t now);
  bool try_element(NodeId node, LaneState& lane, const OperationCode& operation, std::int64_t now);
  bool try_send_old(NodeId node, LaneState& lane, const OperationCode& operation, std::int64_t now);
  bool try_control(NodeId node, LaneState& lane, const OperationCode& operation, std::int64_t now);
  [[nodiscard]] std::int32_t ramp_queue_in(NodeId node, std::int32_t slot) const;
  [[nodiscard]] std::int32_t ramp_queue_out(NodeId node, std::int32_t slot) const;
  [[nodiscard]] bool can_push(NodeId node, const OperationCode& operation, std::size_t output, std::int64_t now);
  [[nodiscard]] bool can_push_all(NodeId node, const OperationCode& operation, std::int64_t enters, std::int64_t now);
  [[nodiscard]] bool operands_ready(NodeId node, const OperationCode& operation, std::int64_t now) const;
  Word combine(NodeId node, const OperationCode& operation, std::int64_t k);
  void push_all(NodeId node, const OperationCode& operation, Word word, bool last, std::int64_t enters);
  void push(NodeId node, std::int32_t queue, Word word, Wavelet::Kind kind, std::int64_t enters);
  void next_operation(NodeId node, LaneState& lane, const LaneCode& code, std::int64_t finished);
  void begin_call(NodeId node);
  void end_call(NodeId node, std::int64_t now);
  void keep_output(NodeId node, int call);
  [[nodiscard]] Word read(NodeId node, Buffer buffer, std::int64_t element) const;
  void store(NodeId node, Buffer buffer, std::int64_t element, Word word, std::int64_t exists);

  Fabric& fabric_;
  Routers& routers_;
  int calls_;
  std::uint64_t seed_;
  Arithmetic arithmetic_;
  std::int64_t ramp_latency_;
  std::int64_t operation_start_;
  std::int64_t receive_gap_;
  std::vector<ProcessorCode> codes_;  ///< of each class
  DataContract contract_;
  std::vector<Processor> processors_;
  std::vector<LaneState> lanes_;  ///< of all processors
  std::vector<ProcessorMemory> memory_;
  std::vector<std::vector<NodeId>> calendar_;  ///< whom to look at, by cycle
  std::vector<NodeId> due_;
  std::int64_t unfinished_ = 0;
  std::int64_t longest_element_ = 1;
};

}  // namespace muster::wafer

// Processors of the simulated fabric: lanes of vector operations on one datapath, one element per cycle (from the fabric one
// per receive interval), and one ramp per direction. They compute the data.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "backend/wafer/simulate/fabric.h"
#include "backend/wafer/simulate/processor_code.h"
#include "backend/wafer/simulate/router.h"
#include "backend/wafer/simulate/word_arena.h"

namespace muster::wafer {

inline constexpr Tick kLongAgo = -(1 << 30);

/// Where a lane is.
struct LaneState {
  std::int32_t operation = 0;  ///< index into the lane's operations
  std::int32_t time = 0;       ///< of its `times`
  std::int64_t taken = 0;      ///< elements done
  std::int64_t sent = 0;       ///< of an exchange: elements sent
  std::uint32_t controls = 0;  ///< outputs whose ending was dealt with
  std::uint32_t lists = 0;     ///< control wavelets that were sent of the ending that is dealt with
  Tick acts = 0;               ///< once begun: its first cycle
  Tick takes = 0;              ///< once begun: the first cycle in which it may use its first element
  Tick took = kLongAgo;        ///< the end of the last operation of this call that took a color
  Tick first = -1;             ///< when it did something first
  bool begun = false;
};

/// A simple operation in progress: everything that an element needs.
struct SimpleOperation {
  Queue* in = nullptr;   ///< the color that it takes, if any
  Queue* out = nullptr;  ///< the color that it sends on, if any
  union {
    const Word* own = nullptr;  ///< its own operand in memory, unless that is made
    std::uint64_t key;          ///< of the node's inputs, if its own operand is made
  };
  Word* store = nullptr;  ///< where its results go, if anywhere
  std::int32_t taken = 0;
  std::int32_t count = 0;
  std::int32_t first_made = 0;  ///< the element that is made first
  bool is_under_way : 1 = false;
  bool has_own : 1 = false;
  bool own_is_first : 1 = false;
  bool own_is_made : 1 = false;
  bool advances_own : 1 = false;  ///< its last wavelet advances the own router
  DataContract::Owes owes = DataContract::Owes::none;
};

/// What every cycle touches: one cache line.
struct alignas(64) Processor {
  Tick ramp_free = 0;      ///< the first cycle in which a wavelet can enter the ramp
  Tick starting = 0;       ///< until when some lane is in the start-up of an operation
  Tick last_owed = 0;      ///< when the last required element of this call was stored
  Tick receive_free = 0;   ///< the first cycle in which it can take from the fabric
  SimpleOperation simple;  ///< of its only lane
};
static_assert(sizeof(Processor) == 64);

/// The state of a processor.
struct ProcessorMemory {
  std::int32_t first_lane = 0;  ///< its lanes follow each other from here
  std::int32_t call = 0;
  std::int32_t step = 0;     ///< the repetition of the program in this call
  Tick datapath_free = 0;    ///< the first cycle in which it can begin an element
  std::int64_t busy = 0;     ///< cycles of the datapath, without a simple operation in progress
  std::int64_t waits = 0;    ///< cycles between elements that are taken from the fabric, likewise
  bool looks_again = false;  ///< space that was made in this cycle can be used in the next
  std::array<std::span<Word>, kBuffers>
      buffers;                 ///< those that are stored to; others are made when read; of pages, those in use
  std::span<Word> series;      ///< all pages
  std::span<Word> record;      ///< likewise
  std::vector<Tick> finished;  ///< of each operation in this call: from when on others may begin
};

class Processors {
 public:
  struct Options {
    int calls = 1;
    std::uint64_t seed = 1;
    InitialData initial = {};  ///< what nodes hold; empty: what is made from the seed
  };
  /// Those of a strip.
  Processors(Fabric& fabric, const PreparedProgram& prepared, StripState& strip, Routers& routers,
             const Options& options);

  /// Runs the processors that may have something to do in this cycle. True if any of them did something.
  [[gnu::flatten]] bool run(Tick now);

  [[nodiscard]] bool done() const { return unfinished_ == 0; }
  [[nodiscard]] bool done(NodeId node) const { return memory(node).call >= calls_; }
  [[nodiscard]] LaneState lane(NodeId node, std::size_t lane) const;
  [[nodiscard]] const ProcessorCode& code(NodeId node) const;
  [[nodiscard]] std::int64_t busy(NodeId node) const;
  /// Cycles that operations waited for the receive interval.
  [[nodiscard]] std::int64_t waits(NodeId node) const { return memory(node).waits; }
  /// The repetition of the program that it is in.
  [[nodiscard]] std::int32_t step(NodeId node) const { return memory(node).step; }
  /// Appends all that times depend on from cycle `now` on; repetitions are counted from `step` (processor_state.cpp).
  void append_state(Tick now, std::int32_t step, std::vector<std::int32_t>& words) const;
  /// Goes on as if so many more repetitions were over. What is in memory does not.
  void skip_steps(std::int32_t steps);

  std::vector<Cycles> call_ends;                                 ///< of each call
  std::vector<std::vector<NodeTimes>> node_times;                ///< of each call and node of the strip
  std::vector<std::vector<std::vector<std::uint32_t>>> outputs;  ///< of each call and node of the strip

 private:
  // Simple operations (simple_operation.cpp).
  [[gnu::noinline]] void wait_for_wavelet(NodeId node, Queue& in);
  bool load_simple(NodeId node, Processor& p, const OperationCode& operation);
  [[nodiscard, gnu::noinline]] bool owes_now(NodeId node, const SimpleOperation& s) const;
  bool begin_simple(NodeId node, Processor& p, LaneState& lane, Tick now);
  [[gnu::always_inline]] bool run_simple(NodeId node, Processor& p, Tick now);
  [[gnu::noinline]] void finish_simple(NodeId node, Processor& p, Tick now);
  void end_simple(NodeId node, Processor& p, LaneState& lane);
  [[gnu::always_inline]] bool can_act(NodeId node, const Processor& p, Tick enters, Tick now);
  [[gnu::always_inline]] bool try_simple(NodeId node, Processor& p, Tick now);

  // All operations (processor.cpp).
  [[gnu::noinline]] bool run_processor(NodeId node, Tick now);
  bool run_lane(NodeId node, LaneState& lane, const LaneCode& code, Tick now);
  bool try_operation(NodeId node, LaneState& lane, const OperationCode& operation, Tick now);
  bool finish_if_complete(NodeId node, LaneState& lane, const LaneCode& code, Tick finished);
  void sleep(NodeId node);
  [[nodiscard]] bool may_sleep(NodeId node, Tick now) const;
  bool begin(NodeId node, LaneState& lane, const OperationCode& operation, Tick now);
  bool try_element(NodeId node, LaneState& lane, const OperationCode& operation, Tick now);
  void wait_for_next(NodeId node, const OperationCode& operation, bool is_last, Tick now);
  bool try_send_old(NodeId node, LaneState& lane, const OperationCode& operation, Tick now);
  bool try_control(NodeId node, LaneState& lane, const OperationCode& operation, Tick now);
  [[nodiscard]] std::int32_t ramp_queue_in(NodeId node, std::int32_t slot) const;
  [[nodiscard]] std::int32_t ramp_queue_out(NodeId node, std::int32_t slot) const;
  [[nodiscard]] bool can_push(NodeId node, const OperationCode& operation, std::size_t output, Tick now);
  [[nodiscard]] bool can_push_all(NodeId node, const OperationCode& operation, Tick enters, Tick now);
  [[nodiscard]] bool operands_ready(NodeId node, const OperationCode& operation, Tick now) const;
  Word take(NodeId node, std::int32_t slot, Tick now);
  Word combine(NodeId node, const OperationCode& operation, std::int64_t k, Tick now);
  Word combine_terms(NodeId node, const OperationCode& operation, std::int64_t k, Tick now);
  void push_all(NodeId node, const OperationCode& operation, Word word, bool last, Tick enters);
  void push(std::int32_t queue, Word word, Stamp::Kind kind, Tick enters);
  void next_operation(NodeId node, LaneState& lane, const LaneCode& code, Tick finished);

  void append_lane(NodeId node, std::size_t number, Tick now, std::vector<std::int32_t>& words) const;

  // Calls and memory (processor_memory.cpp).
  [[nodiscard]] std::size_t stored_words() const;
  void place_buffers(NodeId node);
  void begin_call(NodeId node);
  void begin_step(NodeId node);
  void turn_pages(NodeId node);
  void fill_held(NodeId node, const Holdings::Held& held, std::span<Word> words);
  [[nodiscard]] std::span<Word>& buffer(NodeId node, Buffer buffer) {
    return memory(node).buffers[static_cast<std::size_t>(buffer) - 1];
  }
  void end_step(NodeId node, Tick now);
  void end_call(NodeId node, Tick now);
  void keep_output(NodeId node, int call);
  [[nodiscard]] std::uint64_t input_key(NodeId node, int call) const;
  [[nodiscard]] Word read(NodeId node, Buffer buffer, std::int64_t element) const;
  void store(NodeId node, Buffer buffer, std::int64_t element, Word word, Tick exists);

  [[nodiscard]] std::size_t index(NodeId node) const { return static_cast<std::size_t>(node - strip_.nodes.first); }
  [[nodiscard]] Processor& processor(NodeId node) { return processors_[index(node)]; }
  [[nodiscard]] const Processor& processor(NodeId node) const { return processors_[index(node)]; }
  [[nodiscard]] ProcessorMemory& memory(NodeId node) { return memory_[index(node)]; }
  [[nodiscard]] const ProcessorMemory& memory(NodeId node) const { return memory_[index(node)]; }
  [[nodiscard]] const LaneState* lanes(NodeId node) const { return lanes_.data() + memory(node).first_lane; }
  [[nodiscard]] LaneState* lanes(NodeId node) { return lanes_.data() + memory(node).first_lane; }

  Fabric& fabric_;
  const PreparedProgram& prepared_;
  StripState& strip_;
  Routers& routers_;
  Recorder* recorder_;
  int calls_;
  std::uint64_t seed_;
  InitialData initial_;
  Arithmetic arithmetic_;
  Tick ramp_latency_;
  Tick operation_start_;
  Tick receive_gap_;
  Tick receive_interval_;
  std::vector<Processor> processors_;  ///< of the strip
  std::vector<LaneState> lanes_;       ///< of all its processors
  std::vector<ProcessorMemory> memory_;
  WordArena arena_;
  std::int64_t unfinished_ = 0;
};

}  // namespace muster::wafer

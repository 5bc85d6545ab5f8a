// The processor that a program runs on: its task ids, queues and exported names, and the instructions in progress.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "backend/wafer/csl_reader/processor.h"

namespace muster::wafer::csl {

/// An instruction by where it stands and how often it has started there: the same in every run of the program.
struct InstructionKey {
  std::string_view file;
  std::int32_t copy = 0;  ///< of the file's instances
  std::int32_t line = 0;
  std::int32_t column = 0;
  std::int32_t task = -1;  ///< that started it
  std::int32_t count = 0;
  auto operator<=>(const InstructionKey&) const = default;
};

class ProcessorHost : public Host {
 public:
  static constexpr std::int32_t kNoTask = -2;  ///< -1 is the host's call
  /// `top`: the beginning of the program's file, for what stands nowhere in it.
  ProcessorHost(const Limits& limits, const ProcessorOptions& options, const Location& top)
      : limits_(limits), options_(options), top_(top) {}

  Value builtin(Evaluator& evaluator, Instance& instance, const Node& call, std::span<const Value> arguments) override;
  Value library(Evaluator& evaluator, const Node& call, const std::string& path,
                std::span<const Value> arguments) override;

  [[nodiscard]] bool is_data(const Variable& variable) const override {
    return exported_memories_.contains(variable) || stored_.contains(variable);
  }

  /// The program's blocks are done: what it exports is known.
  void start_running() { running_ = true; }
  /// Calls the host's function (or starts what runs at boot), then tasks until nothing is left to do. `held` are the
  /// instructions that end only when nothing else can continue; how many had started by then is in `before_held`.
  /// The task `last`, if it is one, runs only when nothing else can continue, too: then `before_held` has what had started before
  /// each of its instructions that are not asynchronous.
  void run(Evaluator& evaluator, std::set<InstructionKey> held, std::int32_t last = kNoTask);

  std::vector<Instruction> instructions;
  std::vector<InstructionKey> keys;
  std::map<InstructionKey, std::size_t> before_held;
  bool held_together = false;  ///< at some time, two of them were in progress
  std::vector<Memory> memories;
  Negations negations;               ///< of the last call
  std::set<std::string> advertised;  ///< names of symbols
  bool side_by_side = false;         ///< at some time, two instructions were in progress
  /// Of each instruction: how often, before it started, everything waited for one single instruction.
  std::vector<std::int32_t> section;

 private:
  struct Task {
    Instance* instance = nullptr;
    const Declaration* declaration = nullptr;
    bool active = false;
    bool blocked = false;
    Location activated;  ///< where it was last
  };
  struct UnderWay {
    InstructionKey key;
    std::optional<std::int64_t> activate;
    std::optional<std::int64_t> unblock;
    std::int64_t in_queue = -1;
    std::int64_t out_queue = -1;
    std::int64_t thread = -1;  ///< the microthread
    Location location;
  };
  /// A descriptor as an instruction uses it.
  struct Ends {
    const Descriptor* fabric_in = nullptr;
    const Descriptor* fabric_out = nullptr;
  };

  void bind_task(const Node& call, std::span<const Value> arguments);
  void export_symbol(Evaluator& evaluator, Instance& instance, const Node& call, std::span<const Value> arguments);
  static TypePtr element_type(Evaluator& evaluator, const Value& pointer, const Location& location);
  [[nodiscard]] const ExportedName& expected(const std::string& name, const Location& location) const;
  void initialize_queue(const Node& call, std::span<const Value> arguments);
  void set_blocked(const Node& call, const Value& id, bool blocked);
  void activate(std::int64_t id, const Location& location);
  void vector(Evaluator& evaluator, const Instance& instance, const Node& call, std::span<const Value> arguments);
  void negate(Evaluator& evaluator, const Node& call, std::span<const Value> arguments);
  bool compute(Evaluator& evaluator, const Node& call, std::span<const Value> arguments);
  void add_end(Evaluator& evaluator, Instruction& instruction, Ends& ends, const Value& value, bool destination);
  void add_memory(Evaluator& evaluator, Instruction& instruction, const Descriptor& descriptor, bool destination);
  int color_of(const Descriptor& descriptor);
  void check_received(const Descriptor& descriptor) const;
  void check_wake_up(std::int64_t id, const Location& location) const;
  void check_queue(bool in, std::int64_t queue, const Location& location) const;
  [[nodiscard]] std::optional<std::int64_t> task_of(const Value* settings, std::string_view name,
                                                    const Location& location) const;
  void start(Instruction instruction, const Instance& instance, const Ends& ends, const Value* settings);
  void check_thread(const UnderWay& started) const;
  bool run_one_task(Evaluator& evaluator, std::int32_t but);
  void run_last(Evaluator& evaluator, std::int32_t last);
  void finish(const UnderWay& done);
  std::int32_t memory_index(Evaluator& evaluator, const Variable& variable, const Location& location);

  const Limits& limits_;
  const ProcessorOptions& options_;
  Location top_;
  bool running_ = false;
  std::map<std::int64_t, Task> tasks_;  ///< by local task id
  std::map<std::int64_t, int> input_colors_;
  std::map<std::int64_t, int> output_colors_;
  std::map<std::int64_t, std::int64_t> input_used_;  ///< of queues that descriptors use: the color
  std::map<std::int64_t, std::int64_t> output_used_;
  std::map<Variable, std::string> exported_memories_;
  std::map<std::string, std::pair<Instance*, const Declaration*>> exported_functions_;
  std::map<Variable, std::int32_t> memory_of_;
  std::set<Variable> stored_;                       ///< by instructions
  std::map<InstructionKey, std::int32_t> started_;  ///< by location, count 0
  std::vector<UnderWay> under_way_;
  std::map<std::int64_t, Location> idle_unblocks_;  ///< of tasks that were not blocked and have not run since
  std::size_t first_of_call_ = 0;                   ///< among the instructions
  std::optional<Location> computed_;  ///< where the processor last computed alone, after an instruction of this call
  std::int32_t task_ = -1;
  std::int32_t runs_ = 0;
  std::int32_t section_ = 0;
  bool done_ = false;  ///< the host's next command may come
};

}  // namespace muster::wafer::csl

// A program without instructions side by side has one order. Otherwise each asynchronous instruction is held back in some
// run: what starts all the same does not wait for it. Where everything waits for a single instruction, a section ends: one
// run holds back an instruction of every section, as long as no two of them are in progress at once; else each has a run of
// its own.
#include "backend/wafer/csl_reader/processor.h"

#include <algorithm>
#include <map>
#include <set>

#include "backend/wafer/csl_reader/processor_host.h"
#include "base/index.h"

namespace muster::wafer::csl {

namespace {

/// Finding out who waits for whom takes a run per instruction.
constexpr std::size_t kMostSideBySide = 400;
/// A run per task does where no task starts two at once; then only the table of who waits for whom counts.
constexpr std::size_t kMostByTask = 6000;
/// So many are followed through all repetitions; of more, the first three repetitions.
constexpr std::int64_t kFewInstructions = 1000;

struct Program {
  Files& files;
  const File& source;
  const Value& parameters;
  const Location& location;
  const ProcessorOptions& options;
  /// The beginning of its file.
  [[nodiscard]] Location top() const { return {.file = &source.name}; }
};

void prepare(Evaluator& evaluator, ProcessorHost& host, const Program& program) {
  Instance& instance = evaluator.instantiate(program.source, program.parameters, program.location);
  evaluator.evaluate_all(instance);
  evaluator.run_comptime_blocks();
  host.start_running();
  evaluator.set_running(true);
}

bool same(const Instruction& a, const Instruction& b) {
  return a.op == b.op && a.number == b.number && a.stream_first == b.stream_first && a.commands == b.commands &&
         a.extent == b.extent && a.sources == b.sources && a.takes == b.takes && a.stores == b.stores &&
         a.sends == b.sends && a.advances == b.advances && a.control == b.control && a.task == b.task;
}

bool same_memories(const std::map<std::int32_t, Location>& a, const std::map<std::int32_t, Location>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& left, const auto& right) { return left.first == right.first; });
}

/// The host may call again: the program must then do the same.
void check_second_call(Evaluator& evaluator, ProcessorHost& host, const Program& program) {
  const std::size_t first = host.instructions.size();
  const Negations negations = host.negations;
  host.run(evaluator, {});
  const auto middle = host.instructions.begin() + static_cast<std::ptrdiff_t>(first);
  if (!std::equal(host.instructions.begin(), middle, middle, host.instructions.end(), same) ||
      !same_memories(negations.before, host.negations.before) ||
      !same_memories(negations.after, host.negations.after)) {
    fail(program.top(), "a second call of the program behaves differently from the first");
  }
  host.instructions.resize(first);
}

/// Runs in which each asynchronous instruction is held back once.
std::vector<std::set<InstructionKey>> tries(const ProcessorTrace& trace, const std::vector<InstructionKey>& keys,
                                            const std::vector<std::int32_t>& section, bool together) {
  std::vector<std::set<InstructionKey>> tries;
  std::map<std::int32_t, std::size_t> of_section;
  for (std::size_t j = 0; j < keys.size(); ++j) {
    if (!trace.instructions[j].asynchronous) continue;
    const std::size_t number = together ? of_section[section[j]]++ : tries.size();
    if (number == tries.size()) tries.emplace_back();
    tries[number].insert(keys[j]);
  }
  return tries;
}

/// Who does not wait for an instruction that was held back: what had started before it could go on.
void note(ProcessorTrace& trace, const ProcessorHost& host, const std::vector<InstructionKey>& keys,
          const std::map<InstructionKey, std::size_t>& number) {
  for (const auto& [key, before] : host.before_held) {
    const std::size_t j = number.at(key);
    if (host.keys.size() != keys.size()) {
      fail(trace.instructions[j].location, "the program's behaviour depends on when this instruction ends");
    }
    for (std::size_t i = 0; i < keys.size(); ++i) trace.after[i][j] = true;
    for (std::size_t k = 0; k < before; ++k) {
      const auto found = number.find(host.keys[k]);
      if (found != number.end()) trace.after[found->second][j] = false;
    }
    trace.after[j][j] = false;
  }
}

std::map<InstructionKey, std::size_t> numbers_of(const std::vector<InstructionKey>& keys) {
  std::map<InstructionKey, std::size_t> number;
  for (std::size_t i = 0; i < keys.size(); ++i) number[keys[i]] = i;
  return number;
}

/// The asynchronous instructions of each task; nothing if the host's call starts some itself.
std::map<std::int32_t, std::set<InstructionKey>> by_task(const std::vector<Instruction>& instructions,
                                                         const std::vector<InstructionKey>& keys) {
  std::map<std::int32_t, std::set<InstructionKey>> tasks;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (instructions[i].task < 0) return {};
    auto& held = tasks[instructions[i].task];
    if (instructions[i].asynchronous) held.insert(keys[i]);
  }
  return tasks;
}

/// A run for each task, in which its instructions end, and it runs itself, only when nothing else can continue: then whatever else is there
/// by then does not wait for it. False if a task has started two instructions at once, or there are too many.
bool hold_back_tasks(ProcessorTrace& trace, const std::vector<InstructionKey>& keys, const Program& program) {
  const auto tasks = by_task(trace.instructions, keys);
  if (tasks.size() < 2 || keys.size() > kMostByTask) return false;
  const auto number = numbers_of(keys);
  for (const auto& [task, held] : tasks) {
    ProcessorHost host(program.files.limits(), program.options, program.top());
    Evaluator evaluator(program.files, program.options.mesh, host);
    prepare(evaluator, host, program);
    host.run(evaluator, held, task);
    if (host.held_together) return false;
    note(trace, host, keys, number);
  }
  return true;
}

/// Fills in who waits for asynchronous instructions; false if two of one run were held back at once.
bool hold_back(ProcessorTrace& trace, const std::vector<InstructionKey>& keys,
               const std::vector<std::set<InstructionKey>>& tries, const Program& program) {
  const auto number = numbers_of(keys);
  for (const std::set<InstructionKey>& held : tries) {
    ProcessorHost host(program.files.limits(), program.options, program.top());
    Evaluator evaluator(program.files, program.options.mesh, host);
    prepare(evaluator, host, program);
    host.run(evaluator, held);
    if (host.held_together) return false;
    note(trace, host, keys, number);
  }
  return true;
}

/// An order is transitive.
void close(std::vector<std::vector<bool>>& after) {
  for (std::size_t k = 0; k < after.size(); ++k) {
    for (auto& row : after) {
      if (!row[k]) continue;
      for (std::size_t j = 0; j < row.size(); ++j) row[j] = row[j] || after[k][j];
    }
  }
}

void find_order(ProcessorTrace& trace, const std::vector<InstructionKey>& keys,
                const std::vector<std::int32_t>& section, const Program& program) {
  const std::size_t count = keys.size();
  trace.after.assign(count, std::vector<bool>(count, false));
  if (hold_back_tasks(trace, keys, program)) return;
  trace.after.assign(count, std::vector<bool>(count, false));
  if (count > kMostSideBySide) {
    fail(trace.instructions.front().location, "{} instructions, some side by side; at most {} are read then", count,
         kMostSideBySide);
  }
  if (!hold_back(trace, keys, tries(trace, keys, section, true), program)) {
    hold_back(trace, keys, tries(trace, keys, section, false), program);
  }
  for (std::size_t j = 0; j < count; ++j) {
    if (trace.instructions[j].asynchronous) continue;
    for (std::size_t i = 0; i < count; ++i) {
      trace.after[i][j] = i > j && trace.instructions[i].task == trace.instructions[j].task;
    }
  }
  close(trace.after);
}

ProcessorTrace run_once(const Program& program) {
  ProcessorHost host(program.files.limits(), program.options, program.top());
  Evaluator evaluator(program.files, program.options.mesh, host);
  prepare(evaluator, host, program);
  host.run(evaluator, {});
  const std::vector<InstructionKey> keys = host.keys;
  const std::vector<std::int32_t> section = host.section;
  const bool side_by_side = host.side_by_side;
  check_second_call(evaluator, host, program);
  ProcessorTrace trace{.instructions = std::move(host.instructions),
                       .after = {},
                       .memories = std::move(host.memories),
                       .negations = std::move(host.negations),
                       .advertised = std::move(host.advertised)};
  if (side_by_side) find_order(trace, keys, section, program);
  return trace;
}

/// The parameter by which a program says how often it is repeated; null if there is none.
const Value* steps_of(const Value& parameters) {
  const bool named = parameters.is(ValueKind::structure) && object_of<Record>(parameters).names != nullptr;
  const Value* steps = named ? object_of<Record>(parameters).find("steps") : nullptr;
  return steps != nullptr && steps->is(ValueKind::integer) && steps->number > 0 ? steps : nullptr;
}

Value with_steps(Value parameters, std::int64_t steps) {
  auto& record = own_object<Record>(parameters);
  for (std::size_t i = 0; i < record.values.size(); ++i) {
    if ((*record.names)[i] == "steps") record.values[i].number = steps;
  }
  return parameters;
}

/// What a program with several repetitions starts, in its order, and with tasks held back.
class Repeated {
 public:
  Repeated(const Program& program, std::int64_t steps)
      : parameters_(with_steps(program.parameters, steps)),
        program_{program.files, program.source, parameters_, program.location, program.options},
        host_(program.files.limits(), program.options, program.top()),
        steps_(steps) {
    Evaluator evaluator(program_.files, program_.options.mesh, host_);
    prepare(evaluator, host_, program_);
    host_.run(evaluator, {});
  }

  /// Whether it is `one` again and again, and in which repetitions the buffers are exchanged: `exchanged(k)`.
  template <class Exchanged>
  [[nodiscard]] bool repeats(const ProcessorTrace& one, Exchanged exchanged) const {
    const std::size_t length = one.instructions.size();
    if (host_.instructions.size() != length * at(steps_)) return false;
    for (std::size_t i = 0; i < host_.instructions.size(); ++i) {
      const auto step = static_cast<std::int64_t>(i / length);
      if (!same_place_by_place(one, one.instructions[i % length], host_.instructions[i], exchanged(step))) return false;
    }
    return true;
  }

  /// Whether no repetition begins before all of the one before it has ended, whatever takes long.
  [[nodiscard]] bool waits_in_between(std::size_t length) const {
    const auto number = numbers_of(host_.keys);
    for (const auto& [task, held] : by_task(host_.instructions, host_.keys)) {
      ProcessorHost host(program_.files.limits(), program_.options, program_.top());
      Evaluator evaluator(program_.files, program_.options.mesh, host);
      prepare(evaluator, host, program_);
      host.run(evaluator, held, task);
      if (host.held_together || host.keys.size() != host_.keys.size()) return false;
      for (const auto& [key, before] : host.before_held) {
        if (before > (number.at(key) / length + 1) * length) return false;
      }
      for (std::size_t i = 0; i < host.keys.size(); ++i) {
        const auto found = number.find(host.keys[i]);
        if (found == number.end() || found->second / length != i / length) return false;
      }
    }
    return true;
  }

 private:
  [[nodiscard]] bool same_walk(const ProcessorTrace& one, const MemoryWalk& a, MemoryWalk b, bool exchanged) const {
    std::string name = host_.memories[at(b.memory)].name;
    if (exchanged && (name == "input" || name == "output")) name = name == "input" ? "output" : "input";
    b.memory = a.memory;
    return one.memories[at(a.memory)].name == name && a == b;
  }

  [[nodiscard]] bool same_place_by_place(const ProcessorTrace& one, const Instruction& a, Instruction b,
                                         bool exchanged) const {
    if (a.sources.size() != b.sources.size() || a.stores.has_value() != b.stores.has_value()) return false;
    for (std::size_t i = 0; i < a.sources.size(); ++i) {
      if (!same_walk(one, a.sources[i], b.sources[i], exchanged)) return false;
    }
    if (a.stores && !same_walk(one, *a.stores, *b.stores, exchanged)) return false;
    b.sources = a.sources;
    b.stores = a.stores;
    return same(a, b);
  }

  Value parameters_;
  Program program_;
  ProcessorHost host_;
  std::int64_t steps_;
};

/// Whether the buffers are exchanged in repetition k of `steps`: either in every odd one, or counted from the end.
struct ExchangeRule {
  bool from_end = false;
  std::int64_t steps = 1;
  bool operator()(std::int64_t k) const { return (from_end ? steps - 1 - k : k) % 2 == 1; }
};

/// The rule by which the program is `one` again and again; nothing if it is not.
std::optional<bool> exchanges_from_end(const ProcessorTrace& one, const Program& program, std::int64_t steps) {
  const Repeated two(program, 2);
  const Repeated three(program, 3);
  for (const bool from_end : {true, false}) {
    if (!two.repeats(one, ExchangeRule{from_end, 2}) || !three.repeats(one, ExchangeRule{from_end, 3})) continue;
    if (!two.waits_in_between(one.instructions.size())) return std::nullopt;
    const auto all = static_cast<std::int64_t>(one.instructions.size()) * steps;
    const bool is_short = all <= kFewInstructions;
    if (is_short && !Repeated(program, steps).repeats(one, ExchangeRule{from_end, steps})) return std::nullopt;
    return from_end;
  }
  return std::nullopt;
}

}  // namespace

ProcessorTrace run_processor(Files& files, const std::string& file, const Value& parameters, const Location& location,
                             const ProcessorOptions& given) {
  ProcessorOptions options = given;
  const Value* steps = steps_of(parameters);
  options.computes = steps != nullptr;
  const Program program{files, files.get(file, location), parameters, location, options};
  if (steps == nullptr || steps->number == 1) return run_once(program);
  const Value single = with_steps(parameters, 1);
  ProcessorTrace one = run_once({files, program.source, single, location, options});
  const auto from_end =
      one.instructions.empty() ? std::optional(true) : exchanges_from_end(one, program, steps->number);
  if (!from_end) return run_once(program);
  one.steps = steps->number;
  one.begins_exchanged = *from_end && steps->number % 2 == 0;
  return one;
}

}  // namespace muster::wafer::csl

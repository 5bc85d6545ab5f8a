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
  return a.op == b.op && a.extent == b.extent && a.sources == b.sources && a.takes == b.takes && a.stores == b.stores &&
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

/// Fills in who waits for asynchronous instructions; false if two of one run were held back at once.
bool hold_back(ProcessorTrace& trace, const std::vector<InstructionKey>& keys,
               const std::vector<std::set<InstructionKey>>& tries, const Program& program) {
  std::map<InstructionKey, std::size_t> number;
  for (std::size_t i = 0; i < keys.size(); ++i) number[keys[i]] = i;
  for (const std::set<InstructionKey>& held : tries) {
    ProcessorHost host(program.files.limits(), program.options, program.top());
    Evaluator evaluator(program.files, program.options.mesh, host);
    prepare(evaluator, host, program);
    host.run(evaluator, held);
    if (host.held_together) return false;
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
    }
  }
  return true;
}

void find_order(ProcessorTrace& trace, const std::vector<InstructionKey>& keys,
                const std::vector<std::int32_t>& section, const Program& program) {
  const std::size_t count = keys.size();
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

}  // namespace

ProcessorTrace run_processor(Files& files, const std::string& file, const Value& parameters, const Location& location,
                             const ProcessorOptions& options) {
  const Program program{files, files.get(file, location), parameters, location, options};
  ProcessorHost host(files.limits(), options, program.top());
  Evaluator evaluator(files, options.mesh, host);
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
  if (!side_by_side) return trace;
  trace.after.assign(keys.size(), std::vector<bool>(keys.size(), false));
  find_order(trace, keys, section, program);
  close(trace.after);
  return trace;
}

}  // namespace muster::wafer::csl

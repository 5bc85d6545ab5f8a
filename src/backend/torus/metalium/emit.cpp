#include "backend/torus/metalium/emit.h"

#include <algorithm>

#include "backend/torus/metalium/entries.h"
#include "backend/torus/metalium/text.h"
#include "base/counted.h"
#include "base/one_line.h"

namespace muster::torus {
namespace {

constexpr std::size_t kLongestCommand = 2000;

bool combines_words(const TorusProgram& program) {
  for (const Core& core : program.cores) {
    for (const auto& calls : core.calls) {
      if (std::any_of(calls.begin(), calls.end(),
                      [](const Call& call) { return std::holds_alternative<CombineWords>(call); })) {
        return true;
      }
    }
  }
  return false;
}

/// Which budget the program exceeds; empty if none.
std::string over_budget(const TorusProgram& program) {
  const Torus& torus = program.torus();
  const std::int64_t tables = table_bytes(program);
  const std::int64_t needed = program.memory_used + tables + kReservedMemory.value();
  if (needed > torus.memory.value()) {
    return fmt::format(
        "a core needs {} bytes of memory ({} for vectors, {} for its calls, tokens and counters, {} for TT-Metalium "
        "itself), and "
        "{} has "
        "{} bytes; use a shorter vector",
        needed, program.memory_used, tables, kReservedMemory.value(), program.machine.name, torus.memory.value());
  }
  if (program.arithmetic.type == ElementType::i32 && program.arithmetic.op == Operator::prod) {
    return fmt::format("products of i32 are not written for TT-Metalium {}; use another operator or type",
                       kMetaliumRelease);
  }
  if (type_name(program.arithmetic.type) == "f16" && combines_words(program)) {
    return "dataflow processors combine single words in software, and that is not written for f16; use bf16 or a "
           "longer vector";
  }
  return {};
}

std::string head_of(const TorusProgram& program, const EmitOptions& options, std::string_view what) {
  return fmt::format("// Muster: {} for TT-Metalium {}, {} on {}.\n// Made by \"{}\".\n", what, kMetaliumRelease,
                     type_name(program.arithmetic.type), one_line(program.machine.name),
                     one_line(options.command, kLongestCommand));
}

}  // namespace

Outcome<std::vector<EmittedFile>> emit_metalium(const TorusProgram& program, const EmitOptions& options) {
  if (std::string reason = over_budget(program); !reason.empty()) return Refusal{std::move(reason)};
  const auto head = [&](std::string_view what) { return head_of(program, options, what); };
  std::vector<EmittedFile> files;
  files.push_back(
      {.name = std::string(kHostFile),
       .text = host_text(head("the host's program"), program),
       .remark =
           "Built as the programming examples of TT-Metalium are; it takes the folder of the kernels as argument."});
  files.push_back({.name = std::string(kTablesFile), .text = tables_text(head("the calls of every core"), program)});
  files.push_back({.name = std::string(kCallsFile), .text = calls_text(head("what a call in a table is"))});
  files.push_back({.name = std::string(kDataflowFile),
                   .text = dataflow_text(head("the kernel of both dataflow processors"), program.arithmetic)});
  files.push_back({.name = std::string(kComputeFile),
                   .text = compute_text(head("the kernel of the compute processor"), program.arithmetic)});
  return files;
}

std::vector<std::string> metalium_remarks(const TorusProgram& program) {
  std::vector<std::string> remarks{
      "Kernels walk a table: to read an entry takes a processor some ten cycles per call, which the simulation leaves "
      "out."};
  std::int64_t settled = 0;
  for (NodeId rank = 0; rank < std::ssize(program.cores); ++rank) {
    const auto entries = entries_of(program, rank, Processor::compute);
    settled = std::max<std::int64_t>(settled, std::count(entries.begin(), entries.end(), "settle()"));
  }
  if (settled > 0) {
    remarks.push_back(
        fmt::format("A core waits {} for tiles that it packed itself before it unpacks them, which the "
                    "simulation leaves out.",
                    counted(settled, "time")));
  }
  return remarks;
}

}  // namespace muster::torus

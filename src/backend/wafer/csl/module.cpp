// NAME.csl: what a PE's program imports. Vectors belong to the caller, so their descriptors get base and length when the
// collective is called; all else is known at compile time, as in a whole program.
#include "backend/wafer/csl/module.h"

#include <algorithm>

#include "backend/wafer/csl/machinery.h"
#include "backend/wafer/csl/starts.h"
#include "backend/wafer/csl/text.h"

namespace muster::wafer {

namespace {

constexpr std::string_view kModule = R"(<<header>>//
// <<name>>.csl: the collective as a module. The layout imports <<name>>_params.csl and gives each PE its parameters; the PE's
// program imports this file with them, with queues and with a task id that nothing else uses:
//
//   const collective = @import_module("<<name>>.csl", .{ .params = <<name>>_params<<imports>> });
//   collective.init();  // once, before the first call
//   collective.<<name>>(<<example>>);
//
// Every PE calls it. When a PE is done, the task `callback` is activated there; until then, the program must not touch the
// vectors. Operations run one after another: a vector instruction runs asynchronously and, when it is done, activates the
// task `step`, which starts the next one.<<notes>>

param params: comptime_struct;  // of this PE: what get_params of <<name>>_params.csl returns
param task_id: local_task_id = @get_local_task_id(<<task>>);  // of the task that runs the operations
<<queues>><<capacity>>
<<constants>><<control_module>>
<<machinery>>// To be called once, before the first call of the collective.
fn init() void {
  at = 0;
  run = 0;
}

// <<words>>
fn <<name>>(<<parameters>>callback: local_task_id) void {
<<sets>>  callback_id = callback;
<<negate_before>>  @activate(step_id);
}

comptime {
  @bind_local_task(step, step_id);

<<fabric>>}
)";

/// "const operations = params.operations;": what the layout says of this PE, under the names of a whole program.
std::string constants(const CslProgram& csl) {
  std::vector<std::string> names{"operations"};
  if (!csl.tabled) names.emplace_back("times");
  if (csl.own_numbers > 0) names.emplace_back("numbers");
  if (!csl.wafer->colors.empty()) names.emplace_back("color_ids");
  if (!csl.queue_sets.empty()) {
    names.push_back(queue_table(csl, true));
    names.push_back(queue_table(csl, false));
  }
  std::string text =
      "// The operations of this PE, in order: rows of the table below; and what else differs between PEs.\n";
  for (const std::string& name : names) text += fmt::format("const {0} = params.{0};\n", name);
  return text;
}

bool is_argument(const CslProgram& csl, const CslBuffer& buffer) {
  const std::vector<CslArgument> arguments = csl_arguments(csl);
  return std::any_of(arguments.begin(), arguments.end(),
                     [&](const CslArgument& a) { return a.buffer.buffer == buffer.buffer; });
}

bool has_own_memory(const CslProgram& csl) {
  return std::any_of(csl.buffers.begin(), csl.buffers.end(), [&](const CslBuffer& b) { return !is_argument(csl, b); });
}

/// Descriptors of the caller's vectors, and memory for what it does not see.
std::string memory(const CslProgram& csl) {
  const std::string length = csl.packs_two() ? "2" : "1";
  std::string text = fmt::format(
      "// Descriptors of whole vectors; those of the caller are set by each call.\n"
      "var nothing = @zeros([{0}]{1});\n"
      "const unset = @get_dsd(mem1d_dsd, .{{ .tensor_access = |i|{{{0}}} -> nothing[i] }});\n",
      length, csl.type);
  for (const CslBuffer& b : csl.buffers) {
    const std::string_view name = buffer_name(b.buffer);
    if (is_argument(csl, b)) {
      text += fmt::format("var all_{} = unset;\n", name);
      continue;
    }
    text += fmt::format(
        "var {0} = @zeros([{1}]{2});\nvar all_{0} = @get_dsd(mem1d_dsd, .{{ .tensor_access = |i|{{{3}}} -> {0}[i] "
        "}});\n",
        name, csl.whole ? "max_count" : std::to_string(b.elements), csl.type, length);
  }
  text += csl.whole ? "var count: u16 = 0;\n" : fmt::format("const count: u16 = {};\n", csl.elements);
  return text + "var callback_id: local_task_id = task_id;\n";
}

/// What a call sets.
std::string sets(const CslProgram& csl) {
  std::string text = csl.whole ? "  count = length;\n" : "";
  for (const CslArgument& a : csl_arguments(csl)) {
    text += fmt::format("  all_{0} = @set_dsd_length(@set_dsd_base_addr(unset, {1}), count);\n",
                        buffer_name(a.buffer.buffer), a.name);
  }
  for (const CslBuffer& b : csl.buffers) {
    if (is_argument(csl, b) || !csl.whole) continue;
    text += fmt::format("  all_{0} = @set_dsd_length(all_{0}, count);\n", buffer_name(b.buffer));
  }
  return text;
}

std::string parameters(const CslProgram& csl) {
  std::string text;
  for (const CslArgument& a : csl_arguments(csl)) text += fmt::format("{}: [*]{}, ", a.name, csl.type);
  return text + (csl.whole ? "length: u16, " : "");
}

/// The call, as its user writes it.
std::string example_call(const CslProgram& csl) {
  std::string text;
  for (const CslArgument& a : csl_arguments(csl)) text += fmt::format("{}_ptr, ", buffer_name(a.buffer.buffer));
  return text + (csl.whole ? "count, done_id" : "done_id");
}

std::string imports(const CslProgram& csl) {
  std::string text;
  for (const CslChoice& choice : csl_queue_choices(csl)) text += fmt::format(", .{} = ...", choice.name);
  return text + ", .task_id = ...";
}

std::string queue_parameters(const CslProgram& csl) {
  std::string text;
  for (const CslChoice& c : csl_queue_choices(csl)) {
    text += fmt::format("param {}: {} = {};  // of each color\n", c.name, c.type, c.value);
  }
  return text;
}

std::string words(const CslProgram& csl) {
  const Collective collective = csl.wafer->contracts.front().collective;
  std::string text = std::string(collective_name(collective));
  if (!only_moves(collective)) text += fmt::format(" ({})", operator_name(csl.wafer->arithmetic.op));
  text += csl.whole ? fmt::format(" of `length` {} on each PE", csl.type)
                    : fmt::format(" of {} {} on each PE; no other length", csl.elements, csl.type);
  return text + ". Afterwards the task `callback` is activated.";
}

std::string notes(const CslProgram& csl) {
  std::string text;
  if (!csl.negate.empty()) text += "\n// The vector that is sent is negated in place meanwhile.";
  if (csl.packs_two()) text += "\n// " + padding_note(csl);
  return text;
}

}  // namespace

std::string csl_function_name(const CslProgram& csl) {
  std::string name(collective_name(csl.wafer->contracts.front().collective));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::vector<CslArgument> csl_arguments(const CslProgram& csl) {
  const Contract& contract = csl.wafer->contracts.front();
  std::vector<CslArgument> arguments;
  for (const CslBuffer& b : csl.buffers) {
    if (b.buffer == contract.from) arguments.push_back({b, contract.from == contract.to ? "vector" : "send"});
  }
  for (const CslBuffer& b : csl.buffers) {
    if (b.buffer == contract.to && contract.to != contract.from) arguments.push_back({b, "receive"});
  }
  return arguments;
}

std::vector<CslChoice> csl_queue_choices(const CslProgram& csl) {
  if (csl.wafer->colors.empty() || !csl.queue_sets.empty()) return {};
  const auto choice = [&](bool taken, const std::vector<int>& queues) {
    const std::string type = fmt::format("[{}]u16", queues.size());
    return CslChoice{queue_table(csl, taken), type, fmt::format("{} {{ {} }}", type, fmt::join(queues, ", "))};
  };
  std::vector<CslChoice> choices{choice(true, csl.in_queues)};
  if (csl.in_queues != csl.out_queues) choices.push_back(choice(false, csl.out_queues));
  return choices;
}

std::string csl_module(const CslProgram& csl, const EmitOptions& options) {
  const bool controls = csl.uses(CslAction::advance) || csl.uses(CslAction::reset);
  const OwnText own{.memory = memory(csl),
                    .task = "const step_id: local_task_id = task_id;\n",
                    .then = " and the caller's task goes on",
                    .done = "@activate(callback_id);"};
  const std::string capacity = fmt::format(
      "param max_count: u16 = {};  // the longest vector of a call; memory for parts of results is as long\n",
      csl.elements);
  return fill(kModule, {{"header", csl_header(csl, options, "//")},
                        {"name", csl_function_name(csl)},
                        {"imports", imports(csl)},
                        {"example", example_call(csl)},
                        {"notes", notes(csl)},
                        {"task", std::to_string(csl.task)},
                        {"queues", queue_parameters(csl)},
                        {"capacity", csl.whole && has_own_memory(csl) ? capacity : ""},
                        {"constants", constants(csl)},
                        {"control_module", controls ? "\nconst control = @import_module(\"<control>\");\n" : ""},
                        {"machinery", csl_machinery(csl, own)},
                        {"words", words(csl)},
                        {"parameters", parameters(csl)},
                        {"sets", sets(csl)},
                        {"negate_before", csl.negate.empty() ? "" : "  negate_before();\n"},
                        {"fabric", csl_fabric_ends(csl)}});
}

}  // namespace muster::wafer

// pe.csl: the one program of all processors. Its table holds the distinct operations; which of them a processor runs,
// and how often, are parameters, known when it is compiled, so that what a processor does not do costs it nothing.
#include <algorithm>
#include <set>

#include "backend/wafer/csl/columns.h"
#include "backend/wafer/csl/operations.h"
#include "backend/wafer/csl/starts.h"
#include "backend/wafer/csl/tabled.h"
#include "backend/wafer/csl/text.h"

namespace muster::wafer {

namespace {

constexpr std::string_view kProcessorTemplate = R"(<<header>>//
// pe.csl: the program of every PE. Operations run one after another: a vector instruction runs asynchronously and, when it
// is done, activates the task `step`, which starts the next one. The host may call `collective` any number of times.

param memcpy_params: comptime_struct;
param count: u16;          // elements of the vector
param operations: [<<slots>>]u16;  // the operations of this PE, in order: rows of the table below
<<parameters>>
const sys_mod = @import_module("<memcpy/memcpy>", memcpy_params);
<<control_module>>
<<names>>// Operations, one per line. Columns: <<columns>>.
const fields: u16 = <<fields>>;
const table = [<<numbers>>]u16 {
<<table>>};

<<number>>// A column of the operation in slot `slot` of the list, known at compile time.
fn field(slot: u16, column: u16) u16 {
  return <<field_value>>;
}

<<queue_tables>><<memory>><<control_words>>
const step_id: local_task_id = @get_local_task_id(<<task>>);

var at: u16 = 0;   // slot of the operation that starts next
var run: u16 = 0;  // how often it has started already

<<begin>><<callback>><<negations>><<starts>>// Starts the next operation; if there is none, the collective is done and the host may send its next command.
task step() void {
<<steps>>    at = 0;
<<negate_after>>    sys_mod.unblock_cmd_stream();
  }
}

fn collective() void {
<<negate_before>>  @activate(step_id);
}

comptime {
  @bind_local_task(step, step_id);

<<fabric>><<exports>>  @export_symbol(collective);
}
)";

constexpr std::string_view kBegin =
    R"(// Counts a start of the operation in `slot`; after its last repetition, moves on to the next slot.
fn begin(slot: u16, last: u16) void {
  run += 1;
  if (run == last) {
    run = 0;
    at = slot + 1;
  }
}

)";

constexpr std::string_view kBeginLoop =
    R"(// Counts a start of the operation in `slot`. A loop of `last` iterations ends here and begins `back` slots before;
// 0: no loop ends here.
fn begin(slot: u16, last: u16, back: u16) void {
  if (last == 0) {
    at = slot + 1;
  } else {
    run += 1;
    if (run == last) {
      run = 0;
      at = slot + 1;
    } else {
      at = slot - back;
    }
  }
}

)";

constexpr std::string_view kNumber = R"(// Values from <<first>> on are indices into this PE's own numbers.
fn number(value: u16) u16 {
  if (value < <<first>>) {
    return value;
  }
  return numbers[value - <<first>>];
}

)";

/// What a PE has of its own besides its list, and what the layout says to all.
std::string parameters(const CslProgram& csl) {
  std::string text;
  if (!csl.tabled) text += fmt::format("param times: [{}]u16;       // how often each of them runs\n", csl.slots);
  if (csl.own_numbers > 0) {
    text += fmt::format("param numbers: [{}]u16;     // offsets, lengths and repetitions that differ per PE\n",
                        csl.own_numbers);
  }
  if (!csl.wafer->colors.empty()) {
    text += fmt::format("param color_ids: [{}]u16;  // hardware color of each color index in the operations\n",
                        csl.wafer->colors.size());
  }
  if (csl.queue_sets.empty()) return text;
  return text + fmt::format("param {}: [{}]u16;  // of each color; {}: none\nparam {}: [{}]u16;\n",
                            queue_table(csl, true), csl.in_queues.size(), csl.no_queue, queue_table(csl, false),
                            csl.out_queues.size());
}

/// Where a part's list is shorter than others, the next part continues.
std::string skips(const CslProgram& csl) {
  std::string text;
  for (std::size_t number = 0; number < csl.parts.back().first; ++number) {
    text +=
        fmt::format("  if (at == {} and action_{} == NOTHING) {{\n    at = {};\n  }}\n", number, number, number + 1);
  }
  return text;
}

std::string action_constants(const CslProgram& csl) {
  std::string text;
  for (int a = 0; a < kCslActions; ++a) {
    const auto action = static_cast<CslAction>(a);
    if (action != CslAction::nothing && !csl.uses(action)) continue;
    text += fmt::format("const {}: u16 = {};\n", action_name(action), a);
  }
  return text;
}

std::string buffer_constants(const CslProgram& csl) {
  std::string text = "const NONE: u16 = 0;\n";
  for (const CslBuffer& b : csl.buffers) {
    text += fmt::format("const {}: u16 = {};\n", buffer_constant(b.buffer), static_cast<int>(b.buffer));
  }
  return text;
}

std::string names_of_numbers(const CslProgram& csl) {
  return "// Actions.\n" + action_constants(csl) + "\n// Buffers.\n" + buffer_constants(csl) + "\n";
}

std::string operation_table(const CslProgram& csl) {
  std::string text;
  for (std::size_t o = 0; o < csl.operations.size(); ++o) {
    text += "  " + csl_row(csl, csl.operations[o]) + (o + 1 < csl.operations.size() ? "," : "");
    text += csl.tabled ? "\n" : fmt::format("  // {}: {}\n", o, describe(csl.operations[o], *csl.wafer));
  }
  return text;
}

std::string steps(const CslProgram& csl) {
  std::string text;
  for (std::size_t number = 0; number < csl.slots; ++number) {
    text += fmt::format("  {}if (at == {} and action_{} != NOTHING) {{\n    start_{}();\n",
                        number == 0 ? "" : "} else ", number, number, number);
  }
  return text + "  } else {\n";
}

/// How many elements a buffer has.
std::string size_of(const CslProgram& csl, const CslBuffer& buffer) {
  return csl.whole ? "count" : std::to_string(buffer.elements);
}

std::string memory(const CslProgram& csl) {
  std::string text;
  for (const CslBuffer& b : csl.buffers) {
    text += fmt::format("var {0} = @zeros([{1}]{2});\nvar {0}_ptr: [*]{2} = &{0};\n", buffer_name(b.buffer),
                        size_of(csl, b), csl.type);
  }
  return text;
}

/// The payloads of control wavelets; they end at the routers and never reach a processor.
std::string control_words(const CslProgram& csl) {
  std::string text;
  const auto add = [&](std::string_view name, std::string_view opcode) {
    text += fmt::format(
        "\nconst {0}_payload = [1]u32 {{ control.encode_single_payload(control.opcode.{1}, true, {{}}, 0) }};\n"
        "const {0}_word = @get_dsd(mem1d_dsd, .{{ .tensor_access = |i|{{1}} -> {0}_payload[i] }});\n",
        name, opcode);
  };
  if (csl.uses(CslAction::advance)) add("advance", "SWITCH_ADV");
  if (csl.uses(CslAction::reset)) add("reset", "SWITCH_RST");
  return text;
}

bool color_used(const CslProgram& csl, int color, bool taken) {
  return std::any_of(csl.operations.begin(), csl.operations.end(), [&](const CslOperation& o) {
    return taken ? takes(o.action) && o.take == color : (sends(o.action) || is_control(o.action)) && o.send == color;
  });
}

/// What the fabric's ends need: bound queues, or colors that start no task of their own.
std::string fabric(const CslProgram& csl) {
  if (csl.wafer->colors.empty()) return "";
  const bool bound = csl.wafer->mesh().queues_are_bound;
  std::string text = bound ? "  // Every queue is bound to its color; otherwise the program deadlocks.\n"
                           : "  // Colors that are read through descriptors must not start tasks.\n";
  for (std::size_t c = 0; c < csl.wafer->colors.size(); ++c) {
    const std::string color = fmt::format("@get_color(color_ids[{}])", c);
    for (const bool taken : {true, false}) {
      if (!color_used(csl, static_cast<int>(c), taken)) continue;
      if (bound) {
        const std::string bind = fmt::format("@initialize_queue(@get_{}put_queue({}[{}]), .{{ .color = {} }});\n",
                                             taken ? "in" : "out", queue_table(csl, taken), c, color);
        const std::string own = fmt::format("if ({}[{}] != {}) {{\n    ", queue_table(csl, taken), c, csl.no_queue);
        text += csl.queue_sets.empty() ? fmt::format("  {}", bind) : fmt::format("  {}{}  }}\n", own, bind);
      } else if (taken) {
        text += fmt::format("  @block({});\n", color);
      }
    }
  }
  return text + "\n";
}

std::string callback(const CslProgram& csl) {
  if (csl.callback.empty()) return "";
  return fmt::format(
      "// Combines two elements; there is no vector instruction for it.\n"
      "fn combine(left: {0}, right: {0}) {0} {{\n  return {1};\n}}\n\n",
      csl.type, csl.callback);
}

/// What is negated before: what the host gave. After: that again, and the result.
std::string negations(const CslProgram& csl) {
  if (csl.negate.empty()) return "";
  const Contract& contract = csl.wafer->contracts.front();
  const std::set<Buffer> after{contract.from, contract.to};
  std::string text =
      "// There is an instruction for the maximum but none for the minimum, which is the negated maximum of negated\n"
      "// values.\n";
  std::string calls;
  for (const CslBuffer& b : csl.buffers) {
    if (!after.contains(b.buffer)) continue;
    text += fmt::format("const whole_{0} = @get_dsd(mem1d_dsd, .{{ .tensor_access = |i|{{{1}}} -> {0}[i] }});\n",
                        buffer_name(b.buffer), size_of(csl, b));
    calls += fmt::format("  {0}(whole_{1}, whole_{1});\n", csl.negate, buffer_name(b.buffer));
  }
  return text + fmt::format(
                    "\nfn negate_before() void {{\n  {0}(whole_{1}, whole_{1});\n}}\n\n"
                    "fn negate_after() void {{\n{2}}}\n\n",
                    csl.negate, buffer_name(contract.from), calls);
}

/// Nothing for a program of one processor: it has no colors, and CSL no empty tables.
std::string queue_tables(const CslProgram& csl) {
  if (csl.wafer->colors.empty()) return "";
  if (!csl.queue_sets.empty()) return "";
  std::string text = "// The queue of each color.\n";
  const auto add = [&](std::string_view name, const std::vector<int>& queues) {
    text += fmt::format("const {} = [{}]u16 {{ {} }};\n", name, queues.size(), fmt::join(queues, ", "));
  };
  add(queue_table(csl, true), csl.in_queues);
  if (csl.in_queues != csl.out_queues) add(queue_table(csl, false), csl.out_queues);
  return text + "\n";
}

}  // namespace

std::string csl_processor(const CslProgram& csl, const EmitOptions& options) {
  const bool controls = csl.uses(CslAction::advance) || csl.uses(CslAction::reset);
  const std::size_t fields = csl_columns(csl).size();
  std::string exports;
  for (const CslBuffer& b : csl.buffers) {
    exports += fmt::format("  @export_symbol({0}_ptr, \"{0}\");\n", buffer_name(b.buffer));
  }
  const std::string cell = "table[operations[slot] * fields + column]";
  return fill(kProcessorTemplate,
              {{"header", csl_header(csl, options, "//")},
               {"slots", std::to_string(csl.slots)},
               {"control_module", controls ? "const control = @import_module(\"<control>\");\n" : ""},
               {"names", names_of_numbers(csl)},
               {"parameters", parameters(csl)},
               {"number", csl.own_numbers == 0 ? "" : fill(kNumber, {{"first", std::to_string(kFirstOwnNumber)}})},
               {"field_value", csl.own_numbers == 0 ? cell : "number(" + cell + ")"},
               {"begin", std::string(csl.loops() ? kBeginLoop : kBegin)},
               {"columns", csl_column_words(csl)},
               {"fields", std::to_string(fields)},
               {"numbers", std::to_string(csl.operations.size() * fields)},
               {"table", operation_table(csl)},
               {"queue_tables", queue_tables(csl)},
               {"memory", memory(csl)},
               {"control_words", control_words(csl)},
               {"task", std::to_string(csl.task)},
               {"callback", callback(csl)},
               {"negations", negations(csl)},
               {"negate_before", csl.negate.empty() ? "" : "  negate_before();\n"},
               {"negate_after", csl.negate.empty() ? "" : "    negate_after();\n"},
               {"starts", csl.tabled ? tabled_starts(csl) : csl_starts(csl)},
               {"steps", csl.tabled ? tabled_steps(csl) : skips(csl) + steps(csl)},
               {"fabric", fabric(csl)},
               {"exports", exports}});
}

}  // namespace muster::wafer

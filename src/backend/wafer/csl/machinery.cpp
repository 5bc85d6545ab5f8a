// The operations of a PE: the same text in a whole program and in a module.
#include "backend/wafer/csl/machinery.h"

#include <algorithm>
#include <set>

#include "backend/wafer/csl/columns.h"
#include "backend/wafer/csl/operations.h"
#include "backend/wafer/csl/starts.h"
#include "backend/wafer/csl/tabled.h"
#include "backend/wafer/csl/text.h"

namespace muster::wafer {

namespace {

constexpr std::string_view kMachinery = R"(<<names>>// Operations, one per line. Columns: <<columns>>.
const fields: u16 = <<fields>>;
const table = [<<numbers>>]u16 {
<<table>>};

<<number>>// A column of the operation in slot `slot` of the list, known at compile time.
fn field(slot: u16, column: u16) u16 {
  return <<field_value>>;
}

<<queue_tables>><<memory>><<control_words>>
<<task>>
var at: u16 = 0;   // slot of the operation that starts next
var run: u16 = 0;  // how often it has started already

<<begin>><<callback>><<negations>><<starts>>// Starts the next operation; if there is none, the collective is done<<then>>.
task step() void {
<<steps>>    at = 0;
<<negate_after>>    <<done>>
  }
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

std::string callback(const CslProgram& csl) {
  if (csl.callback.empty()) return "";
  return fmt::format(
      "// Combines two elements; there is no vector instruction for it.\n"
      "fn combine(left: {0}, right: {0}) {0} {{\n  return {1};\n}}\n\n",
      csl.type, csl.callback);
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

/// What is negated before: what the host gave. After: that again, and the result.
std::string negations(const CslProgram& csl) {
  if (csl.negate.empty()) return "";
  const Contract& contract = csl.wafer->contracts.front();
  const std::set<Buffer> after{contract.from, contract.to};
  const std::string_view all = csl.is_module() ? "all" : "whole";
  std::string text =
      "// There is an instruction for the maximum but none for the minimum, which is the negated maximum of negated\n"
      "// values.\n";
  std::string calls;
  for (const CslBuffer& b : csl.buffers) {
    if (!after.contains(b.buffer)) continue;
    if (!csl.is_module()) {
      text += fmt::format("const whole_{0} = @get_dsd(mem1d_dsd, .{{ .tensor_access = |i|{{{1}}} -> {0}[i] }});\n",
                          buffer_name(b.buffer), csl_size_of(csl, b));
    }
    calls += fmt::format("  {0}({1}_{2}, {1}_{2});\n", csl.negate, all, buffer_name(b.buffer));
  }
  return text + fmt::format(
                    "\nfn negate_before() void {{\n  {0}({3}_{1}, {3}_{1});\n}}\n\n"
                    "fn negate_after() void {{\n{2}}}\n\n",
                    csl.negate, buffer_name(contract.from), calls, all);
}

/// Queues that a user chooses have defaults in the module's parameters.
std::string own_queue_tables(const CslProgram& csl) { return csl.is_module() ? "" : queue_tables(csl); }

bool color_used(const CslProgram& csl, int color, bool taken) {
  return std::any_of(csl.operations.begin(), csl.operations.end(), [&](const CslOperation& o) {
    return taken ? takes(o.action) && o.take == color : (sends(o.action) || is_control(o.action)) && o.send == color;
  });
}

}  // namespace

/// How many elements a buffer has.
std::string csl_size_of(const CslProgram& csl, const CslBuffer& buffer) {
  return csl.whole ? "count" : std::to_string(buffer.elements);
}

/// What the fabric's ends need: bound queues, or colors that start no task of their own.
std::string csl_fabric_ends(const CslProgram& csl) {
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

std::string csl_machinery(const CslProgram& csl, const OwnText& own) {
  const std::size_t fields = csl_columns(csl).size();
  const std::string cell = "table[operations[slot] * fields + column]";
  return fill(kMachinery,
              {{"names", names_of_numbers(csl)},
               {"number", csl.own_numbers == 0 ? "" : fill(kNumber, {{"first", std::to_string(kFirstOwnNumber)}})},
               {"field_value", csl.own_numbers == 0 ? cell : "number(" + cell + ")"},
               {"begin", std::string(csl.loops() ? kBeginLoop : kBegin)},
               {"columns", csl_column_words(csl)},
               {"fields", std::to_string(fields)},
               {"numbers", std::to_string(csl.operations.size() * fields)},
               {"table", operation_table(csl)},
               {"queue_tables", own_queue_tables(csl)},
               {"memory", own.memory},
               {"control_words", control_words(csl)},
               {"task", own.task},
               {"callback", callback(csl)},
               {"negations", negations(csl)},
               {"negate_after", csl.negate.empty() ? "" : "    negate_after();\n"},
               {"starts", csl.tabled ? tabled_starts(csl) : csl_starts(csl)},
               {"steps", csl.tabled ? tabled_steps(csl) : skips(csl) + steps(csl)},
               {"then", own.then},
               {"done", own.done}});
}

}  // namespace muster::wafer

// pe.csl of a program of several lanes: the table of rows, what all lanes share, and a task for each of them.
#include <algorithm>
#include <set>

#include "backend/wafer/csl/lanes.h"
#include "backend/wafer/csl/lanes_starts.h"
#include "backend/wafer/csl/starts.h"
#include "backend/wafer/csl/text.h"
#include "base/index.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

constexpr std::string_view kProcessorTemplate = R"(<<header>>//
// pe.csl: the program of every PE. Its lanes run side by side, each with a task, which starts the lane's next instruction and is
// activated when that is done. The host calls `run` once for all repetitions.

param memcpy_params: comptime_struct;
param steps: u32;                  // repetitions
param rows: [<<cells>>]u16;        // what the lanes of this PE do, lane after lane, row by row
<<color_parameter>>
const sys_mod = @import_module("<memcpy/memcpy>", memcpy_params);
<<control_module>>
// The vectors of this PE.
<<vectors>>
<<buffers>>
<<coefficients>>// A row says what a lane does next: kind of instruction; buffer, first element and step of the destination, of the left and of the
// right operand; length; coefficient; channels that it waits for, and that it tells; turns of the loop that ends here, and rows back
// to its beginning. A step is how far a place moves from turn to turn. Kind 0 ends a lane.
const fields: u16 = <<fields>>;

// Whether this PE has instructions of each kind; those of other kinds are left out.
fn own_kinds() [<<kinds>>]u16 {
  var result = @zeros([<<kinds>>]u16);
  for (@range(u16, <<slots>>)) |slot| {
    result[rows[slot * fields]] = 1;
  }
  return result;
}
const has = own_kinds();

// Lanes: where the rows of each begin, and the task of each.
const first_row = [<<lane_count>>]u16 { <<first_rows>> };
<<tasks>>
var at = @zeros([<<lane_count>>]u16);      // the row that the lane is at
var turn = @zeros([<<lane_count>>]u16);    // of the loop that it is in
var busy = @zeros([<<lane_count>>]u16);    // 1: the row's instruction has started
var parked = @zeros([<<lane_count>>]u16);  // 1: the lane waits for another one
var ended: u16 = 0;           // lanes that have ended this repetition
<<tokens>><<repetitions>>
fn cell(lane: u16, column: u16) u16 {
  return rows[at[lane] * fields + column];
}

// Passes on tokens: channel n goes from one lane to another, bit n of `channels` says whether it gets one.
fn tell(channels: u16) void {
<<tell>>}

// Uses up a token of each channel, if all have one.
fn use(channels: u16) bool {
<<use>>  return true;
}

// The row's instruction is done. Returns whether other lanes were told so, which then go first.
fn move_on(lane: u16) bool {
  const tells: u16 = cell(lane, 13);
  const turns: u16 = cell(lane, 14);
  const back: u16 = cell(lane, 15);
  turn[lane] += 1;
  if (turns == 0) {
    turn[lane] -= 1;
    at[lane] += 1;
  } else if (turn[lane] == turns) {
    turn[lane] = 0;
    at[lane] += 1;
  } else {
    at[lane] -= back;
  }
  tell(tells);
  return tells != 0;
}

<<start>>
// One more lane has ended. When all have, the repetition has.
fn end_lane() void {
  ended += 1;
  if (ended == <<lane_count>>) {
    ended = 0;
<<end>>  }
}

<<lanes>>fn run() void {
<<begin>>  start_repetition();
}

comptime {
<<bindings>>
<<fabric>><<exports>>  @export_symbol(run);
}
)";

std::string_view constant_of(Buffer buffer) {
  static constexpr std::array<std::string_view, kBuffers + 1> kNames{"NONE", "INPUT", "OUTPUT", "SCRATCH", "MODEL"};
  return kNames.at(static_cast<std::size_t>(buffer));
}

std::string vectors(const CslProgram& csl) {
  std::string text;
  for (const CslBuffer& b : csl.buffers) {
    const std::string name(buffer_name(b.buffer));
    text += fmt::format("var {0} = @zeros([{1}]{2});\n", name, b.elements, csl.type);
    if (b.buffer != Buffer::scratch) text += fmt::format("var {0}_ptr: [*]{1} = &{0};\n", name, csl.type);
  }
  for (const CslBuffer& b : csl.buffers) {
    text += fmt::format("const all_{0} = @get_dsd(mem1d_dsd, .{{ .tensor_access = |i|{{1}} -> {0}[i] }});\n",
                        buffer_name(b.buffer));
  }
  return text;
}

std::string buffers(const CslProgram& csl) {
  std::string text;
  for (const CslBuffer& b : csl.buffers) {
    text += fmt::format("const {}: u16 = {};\n", constant_of(b.buffer), static_cast<int>(b.buffer));
  }
  return text;
}

std::string coefficients(const CslProgram& csl) {
  const CslLanes& lanes = *csl.lanes;
  if (lanes.coefficients.empty()) return "";
  std::string text = fmt::format("const coefficients = [{}]f32 {{\n", lanes.coefficients.size());
  for (std::size_t c = 0; c < lanes.coefficients.size(); ++c) {
    text += fmt::format("  {}{}  // {}\n", lanes.coefficients[c], c + 1 < lanes.coefficients.size() ? "," : "",
                        lanes.coefficient_names[c]);
  }
  return text + "};\n\n";
}

std::string tokens(const CslLanes& lanes) {
  if (lanes.channels.empty()) return "";
  return fmt::format("var tokens = @zeros([{}]u16);  // of each channel: passed on, and not used up\n",
                     lanes.channels.size());
}

std::string tell(const CslLanes& lanes) {
  std::string text;
  for (std::size_t c = 0; c < lanes.channels.size(); ++c) {
    text += fmt::format(
        "  if (((channels >> {0}) & 1) == 1) {{\n    tokens[{0}] += 1;\n    if (parked[{1}] == 1) {{\n"
        "      parked[{1}] = 0;\n      @activate(lane_{1}_id);\n    }}\n  }}\n",
        c, lanes.channels[c].to);
  }
  return text;
}

std::string use(const CslLanes& lanes) {
  std::string check;
  std::string take;
  for (std::size_t c = 0; c < lanes.channels.size(); ++c) {
    check += fmt::format("  if (((channels >> {0}) & 1) == 1 and tokens[{0}] == 0) {{\n    return false;\n  }}\n", c);
    take += fmt::format("  if (((channels >> {0}) & 1) == 1) {{\n    tokens[{0}] -= 1;\n  }}\n", c);
  }
  return check + take;
}

/// Sets lanes to their first rows and activates their tasks.
std::string start_repetition(const CslLanes& lanes) {
  std::string text = "fn start_repetition() void {\n";
  for (std::size_t l = 0; l < lanes.lanes.size(); ++l) {
    text += fmt::format("  at[{0}] = first_row[{0}];\n  @activate(lane_{0}_id);\n", l);
  }
  return text + (lanes.lanes.empty() ? "  sys_mod.unblock_cmd_stream();\n}\n" : "}\n");
}

constexpr std::string_view kEndOfOne = "    sys_mod.unblock_cmd_stream();\n";
constexpr std::string_view kEndOfSome = R"(    step += 1;
    if (step < steps) {
      exchanged = 1 - exchanged;
      start_repetition();
    } else {
      sys_mod.unblock_cmd_stream();
    }
)";
constexpr std::string_view kRepetitions = R"(
// Input and output are exchanged from repetition to repetition, so that the last one leaves its result in `output`.
var step: u32 = 0;
var exchanged: u16 = 0;

fn physical(buffer: u16) u16 {
  if (exchanged == 1) {
    if (buffer == INPUT) {
      return OUTPUT;
    } else if (buffer == OUTPUT) {
      return INPUT;
    }
  }
  return buffer;
}
)";

std::string bindings(const CslLanes& lanes) {
  std::string text;
  for (std::size_t l = 0; l < lanes.lanes.size(); ++l)
    text += fmt::format("  @bind_local_task(lane_{0}, lane_{0}_id);\n", l);
  return text;
}

bool has_controls(const CslLanes& lanes) {
  return std::any_of(lanes.kinds.begin(), lanes.kinds.end(), [](const LaneKind& kind) {
    return kind.control == Ending::advance || kind.control == Ending::reset;
  });
}

}  // namespace

std::string lanes_processor(const CslProgram& csl, const EmitOptions& options) {
  const CslLanes& lanes = *csl.lanes;
  std::string exports;
  for (const CslBuffer& b : csl.buffers) {
    if (b.buffer != Buffer::scratch)
      exports += fmt::format("  @export_symbol({0}_ptr, \"{0}\");\n", buffer_name(b.buffer));
  }
  std::string tasks;
  std::vector<std::size_t> first_rows;
  for (std::size_t l = 0; l < lanes.lanes.size(); ++l) {
    tasks += fmt::format("const lane_{}_id: local_task_id = @get_local_task_id({});\n", l, lanes.lanes[l].task);
    first_rows.push_back(lanes.lanes[l].first);
  }
  const std::size_t colors = csl.wafer->colors.size();
  return fill(
      kProcessorTemplate,
      {{"header", csl_header(csl, options, "//")},
       {"slots", std::to_string(lanes.slots())},
       {"cells", std::to_string(lanes.slots() * kLaneFields)},
       {"color_parameter",
        colors == 0 ? ""
                    : fmt::format("param color_ids: [{}]u16;       // hardware color of each color index\n", colors)},
       {"control_module", has_controls(lanes) ? "const control = @import_module(\"<control>\");\n" : ""},
       {"vectors", vectors(csl)},
       {"buffers", buffers(csl)},
       {"coefficients", coefficients(csl)},
       {"fields", std::to_string(kLaneFields)},
       {"kinds", std::to_string(lanes.kinds.size())},
       {"lane_count", std::to_string(lanes.lanes.size())},
       {"first_rows", fmt::format("{}", fmt::join(first_rows, ", "))},
       {"tasks", tasks},
       {"tokens", tokens(lanes)},
       {"repetitions", lanes.repeats ? std::string(kRepetitions) : ""},
       {"tell", tell(lanes)},
       {"use", use(lanes)},
       {"start", start_repetition(lanes)},
       {"end", std::string(lanes.repeats ? kEndOfSome : kEndOfOne)},
       {"begin", lanes.repeats ? "  step = 0;\n  exchanged = @as(u16, (steps - 1) % 2);\n" : ""},
       {"lanes", lane_tasks(csl)},
       {"bindings", bindings(lanes)},
       {"fabric", lane_fabric_ends(csl)},
       {"exports", exports}});
}

}  // namespace muster::wafer

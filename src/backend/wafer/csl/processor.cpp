// pe.csl: the one program of all processors. Its table holds the distinct operations; which of them a processor runs,
// and how often, are parameters, known when it is compiled, so that what a processor does not do costs it nothing.
#include "backend/wafer/csl/machinery.h"
#include "backend/wafer/csl/starts.h"
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
<<machinery>>fn collective() void {
<<negate_before>>  @activate(step_id);
}

comptime {
  @bind_local_task(step, step_id);

<<fabric>><<exports>>  @export_symbol(collective);
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

std::string memory(const CslProgram& csl) {
  std::string text;
  for (const CslBuffer& b : csl.buffers) {
    text += fmt::format("var {0} = @zeros([{1}]{2});\nvar {0}_ptr: [*]{2} = &{0};\n", buffer_name(b.buffer),
                        csl_size_of(csl, b), csl.type);
  }
  return text;
}

}  // namespace

std::string csl_processor(const CslProgram& csl, const EmitOptions& options) {
  const bool controls = csl.uses(CslAction::advance) || csl.uses(CslAction::reset);
  std::string exports;
  for (const CslBuffer& b : csl.buffers) {
    exports += fmt::format("  @export_symbol({0}_ptr, \"{0}\");\n", buffer_name(b.buffer));
  }
  const OwnText own{.memory = memory(csl),
                    .task = fmt::format("const step_id: local_task_id = @get_local_task_id({});\n", csl.task),
                    .then = " and the host may send its next command",
                    .done = "sys_mod.unblock_cmd_stream();"};
  return fill(kProcessorTemplate,
              {{"header", csl_header(csl, options, "//")},
               {"slots", std::to_string(csl.slots)},
               {"control_module", controls ? "const control = @import_module(\"<control>\");\n" : ""},
               {"parameters", parameters(csl)},
               {"machinery", csl_machinery(csl, own)},
               {"negate_before", csl.negate.empty() ? "" : "  negate_before();\n"},
               {"fabric", csl_fabric_ends(csl)},
               {"exports", exports}});
}

}  // namespace muster::wafer

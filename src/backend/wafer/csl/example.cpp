// layout.csl and pe.csl of the example beside a module: a program of its own that computes, calls the collective, and
// computes with the result.
#include "backend/wafer/csl/module.h"
#include "backend/wafer/csl/text.h"
#include "machine/mesh.h"

namespace muster::wafer {

namespace {

constexpr std::string_view kLayout = R"(<<header>>//
// layout.csl: of an example that uses the module <<name>>.csl. Its colors are this file's choice.

<<count>>
param offset_x: i16 = <<offset_x>>;  // position of the collective in the rectangle; the other PEs take no part in it
param offset_y: i16 = <<offset_y>>;

const width: i16 = offset_x + <<width>>;
const height: i16 = offset_y + <<height>>;

const memcpy = @import_module("<memcpy/get_params>", .{ .width = width, .height = height });
const collective = @import_module("<<name>>_params.csl", .{
  .offset_x = offset_x, .offset_y = offset_y<<colors>>
});

layout {
  @set_rectangle(width, height);
<<asserts>>  for (@range(i16, width)) |x| {
    for (@range(i16, height)) |y| {
      @set_tile_code(x, y, "pe.csl", .{
        .memcpy_params = memcpy.get_params(x), .<<name>>_params = collective.get_params(x, y), .count = count
      });
    }
  }

<<exports>>  @export_name("compute", fn()void);
}
)";

constexpr std::string_view kProcessor = R"(<<header>>//
// pe.csl: an example that uses the module <<name>>.csl between two steps of its own: every PE <<before_words>>, the
// collective runs, and every PE adds 1 to its result. Queues and task ids are this file's choice.

param memcpy_params: comptime_struct;
param <<name>>_params: comptime_struct;
param count: u16;  // elements of the vector

const sys_mod = @import_module("<memcpy/memcpy>", memcpy_params);

const done_id: local_task_id = @get_local_task_id(<<done>>);
const collective = @import_module("<<name>>.csl", .{
  .params = <<name>>_params,<<queues>>
  .task_id = @get_local_task_id(<<task>>)
});

<<memory>>
var has_begun = false;

<<functions>>// The first step, and the collective.
fn compute() void {
<<before>>  if (!has_begun) collective.init();
  has_begun = true;
  collective.<<name>>(<<arguments>>done_id);
}

// The second step. The collective is done; the next command of the host may come.
task done() void {
<<after>>  sys_mod.unblock_cmd_stream();
}

comptime {
  @bind_local_task(done, done_id);

<<exports>>  @export_symbol(compute);
}
)";

/// What the example does with a vector: an instruction where there is one, else a function per element.
struct OwnStep {
  std::string function;  ///< its definition, or nothing
  std::string call;
};

OwnStep own_step(const CslProgram& csl, const std::string& name, const std::string& what, std::string_view of) {
  if (csl.type == "i32") {
    return {fmt::format("fn {}(element: i32) i32 {{\n  return {};\n}}\n\n", name, what),
            fmt::format("  @map({0}, whole_{1}, whole_{1});\n", name, of)};
  }
  const std::string letter = csl.type == "f16" ? "h" : "s";
  const bool negates = name == "negated";
  return {"", fmt::format("  @f{0}{1}(whole_{2}, whole_{2}, {3});\n", negates ? "mul" : "add", letter, of,
                          negates ? "-1.0" : "1.0")};
}

std::string memory(const CslProgram& csl) {
  std::string text;
  for (const CslArgument& a : csl_arguments(csl)) {
    text += fmt::format(
        "var {0} = @zeros([count]{1});\nvar {0}_ptr: [*]{1} = &{0};\n"
        "const whole_{0} = @get_dsd(mem1d_dsd, .{{ .tensor_access = |i|{{count}} -> {0}[i] }});\n",
        buffer_name(a.buffer.buffer), csl.type);
  }
  return text;
}

std::string arguments(const CslProgram& csl) {
  std::string text;
  for (const CslArgument& a : csl_arguments(csl)) text += fmt::format("{}_ptr, ", buffer_name(a.buffer.buffer));
  return text + (csl.whole ? "count, " : "");
}

std::string queues(const CslProgram& csl) {
  std::string text;
  for (const CslChoice& choice : csl_queue_choices(csl)) {
    text += fmt::format("\n  .{} = {},", choice.name, choice.value);
  }
  return text;
}

std::string exported(const CslProgram& csl, std::string_view form) {
  std::string text;
  for (const CslArgument& a : csl_arguments(csl)) {
    text += fmt::format(fmt::runtime(form), buffer_name(a.buffer.buffer), csl.type);
  }
  return text;
}

}  // namespace

std::string csl_example(const CslProgram& csl, const EmitOptions& options) {
  const Contract& contract = csl.wafer->contracts.front();
  const bool tokens = contract.collective == Collective::barrier;
  const OwnStep before = own_step(csl, "negated", "-element", buffer_name(contract.from));
  const OwnStep after = own_step(csl, "next", "element + 1", buffer_name(contract.to));
  return fill(kProcessor, {{"header", csl_header(csl, options, "//")},
                           {"name", csl_function_name(csl)},
                           {"before_words", tokens ? "has its token" : "negates its vector"},
                           {"done", std::to_string(next_task(csl, csl.task))},
                           {"queues", queues(csl)},
                           {"task", std::to_string(csl.task)},
                           {"memory", memory(csl)},
                           {"functions", (tokens ? "" : before.function) + after.function},
                           {"before", tokens ? "" : before.call},
                           {"arguments", arguments(csl)},
                           {"after", after.call},
                           {"exports", exported(csl, "  @export_symbol({0}_ptr, \"{0}\");\n")}});
}

std::string csl_example_layout(const CslProgram& csl, const EmitOptions& options) {
  const Mesh& mesh = csl.wafer->mesh();
  const std::vector<int>& ids = csl.wafer->colors;
  const auto& place = options.options.of<MeshOptions>();
  return fill(kLayout,
              {{"header", csl_header(csl, options, "//")},
               {"name", csl_function_name(csl)},
               {"count", csl_count_line(csl)},
               {"offset_x", std::to_string(place.offset_x)},
               {"offset_y", std::to_string(place.offset_y)},
               {"width", std::to_string(mesh.width)},
               {"height", std::to_string(mesh.height)},
               {"colors",
                ids.empty() ? "" : fmt::format(",\n  .color_ids = [{}]u16 {{ {} }}", ids.size(), fmt::join(ids, ", "))},
               {"asserts", csl.packs_two() ? "  @comptime_assert(count % 2 == 0);  // two per wavelet\n" : ""},
               {"exports", exported(csl, "  @export_name(\"{0}\", [*]{1}, true);\n")}});
}

}  // namespace muster::wafer

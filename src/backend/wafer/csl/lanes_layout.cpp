// layout.csl of a program of several lanes: for every processor its routes, and for each of its lanes a list of rows.
#include "backend/wafer/csl/lanes.h"
#include "backend/wafer/csl/maps.h"
#include "backend/wafer/csl/routes.h"
#include "backend/wafer/csl/text.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

constexpr std::string_view kLayoutTemplate = R"(<<header>>//
// layout.csl: the rectangle of PEs and the routes of the colors. All PEs run pe.csl. They differ in the route of each
// color, and in what each of their lanes does.

param steps: u32 = <<steps>>;  // repetitions
param offset_x: i16 = <<offset_x>>;  // position of the grid in the rectangle; PEs outside it stay idle
param offset_y: i16 = <<offset_y>>;

const width: i16 = <<width>>;
const height: i16 = <<height>>;
const pe_count: u32 = <<pe_count>>;

<<colors>>const memcpy = @import_module("<memcpy/get_params>", .{
  .width = offset_x + width,
  .height = offset_y + height
});

<<tables>>layout {
  @set_rectangle(offset_x + width, offset_y + height);

<<expansions>>
  for (@range(i16, offset_x + width)) |x| {
    for (@range(i16, offset_y + height)) |y| {
      if (x < offset_x or y < offset_y) {
        @set_tile_code(x, y, "pe.csl", .{
          .memcpy_params = memcpy.get_params(x), .steps = steps,<<color_ids>>
          .rows = @zeros([slots * fields]u16)
        });
      } else {
        const pe: u32 = @as(u32, y - offset_y) * @as(u32, width) + @as(u32, x - offset_x);
        @set_tile_code(x, y, "pe.csl", .{
          .memcpy_params = memcpy.get_params(x), .steps = steps,<<color_ids>>
          .rows = rows_of(<<lists>>)
        });
<<set_routes>>      }
    }
  }

<<exports>>  @export_name("run", fn()void);
}
)";

/// The lists of a lane, and where each begins.
std::string lists_of(const CslLane& lane, std::size_t number) {
  std::vector<std::size_t> firsts{0};
  std::vector<std::string> lines;
  for (const auto& list : lane.lists) {
    firsts.push_back(firsts.back() + list.size() + 1);
    lines.push_back(fmt::format("  {}{}0", fmt::join(list, ","), list.empty() ? "" : ","));
  }
  return fmt::format("const lists_{0} = [{1}]u16 {{\n{2}\n}};\nconst first_{0} = [{3}]u32 {{ {4} }};\n", number,
                     firsts.back(), fmt::join(lines, ",\n"), firsts.size(), fmt::join(firsts, ", "));
}

std::string table(const CslLanes& lanes) {
  std::string text;
  for (std::size_t r = 0; r < lanes.rows.size(); ++r) {
    text += fmt::format("  {}{}\n", fmt::join(fields_of(lanes.rows[r]), ","), r + 1 < lanes.rows.size() ? "," : "");
  }
  return text;
}

std::string tables(const CslProgram& csl) {
  const CslLanes& lanes = *csl.lanes;
  std::string text = route_values(csl);
  text += fmt::format(
      "// What a lane can do, a row per line; pe.csl says what its numbers are.\nconst fields: u32 = {};\n"
      "const table = [{}]u16 {{\n{}}};\n\n",
      kLaneFields, lanes.rows.size() * kLaneFields, table(lanes));
  text += "// What the lanes of PEs do, a list per line: rows of the table; 0 ends a list. And where each begins.\n";
  for (std::size_t l = 0; l < lanes.lanes.size(); ++l) text += lists_of(lanes.lanes[l], l);
  text += "\n" + csl_maps(csl);
  text += fmt::format(
      "const slots: u32 = {};  // of all lanes\n\n// The rows of a PE, each list at the slots of its lane.\nfn "
      "rows_of(",
      lanes.slots());
  for (std::size_t l = 0; l < lanes.lanes.size(); ++l) text += fmt::format("{}list_{}: u16", l == 0 ? "" : ", ", l);
  text += ") [slots * fields]u16 {\n  var rows = @zeros([slots * fields]u16);\n";
  for (std::size_t l = 0; l < lanes.lanes.size(); ++l) {
    text += fmt::format(
        "  const from_{0}: u32 = first_{0}[list_{0}];\n"
        "  for (@range(u32, first_{0}[list_{0} + 1] - from_{0})) |row| {{\n"
        "    for (@range(u32, fields)) |column| {{\n"
        "      rows[({1} + row) * fields + column] = table[@as(u32, lists_{0}[from_{0} + row]) * fields + column];\n"
        "    }}\n  }}\n",
        l, lanes.lanes[l].first);
  }
  return text + "  return rows;\n}\n\n" + route_function(csl);
}

}  // namespace

std::string lanes_layout(const CslProgram& csl, const EmitOptions& options) {
  const Mesh& mesh = csl.wafer->mesh();
  std::string exports;
  for (const CslBuffer& b : csl.buffers) {
    if (b.buffer == Buffer::scratch) continue;
    exports += fmt::format("  @export_name(\"{}\", [*]{}, true);\n", buffer_name(b.buffer), csl.type);
  }
  std::string lists;
  for (std::size_t l = 0; l < csl.lanes->lanes.size(); ++l) {
    lists += fmt::format("{}list_of_{}[pe]", l == 0 ? "" : ", ", l);
  }
  return fill(kLayoutTemplate, {{"header", csl_header(csl, options, "//")},
                                {"steps", std::to_string(csl.wafer->steps)},
                                {"offset_x", std::to_string(options.options.of<MeshOptions>().offset_x)},
                                {"offset_y", std::to_string(options.options.of<MeshOptions>().offset_y)},
                                {"width", std::to_string(mesh.width)},
                                {"height", std::to_string(mesh.height)},
                                {"pe_count", std::to_string(csl.wafer->class_of.size())},
                                {"colors", csl_color_constants(csl)},
                                {"color_ids", csl.wafer->colors.empty() ? "" : " .color_ids = color_ids,"},
                                {"tables", tables(csl)},
                                {"expansions", csl_expansions(csl, "  ")},
                                {"lists", lists},
                                {"set_routes", set_routes(csl)},
                                {"exports", exports}});
}

}  // namespace muster::wafer

// layout.csl: the rectangle, and for every processor its routes and operations.
#include "backend/wafer/csl/maps.h"
#include "backend/wafer/csl/routes.h"
#include "backend/wafer/csl/text.h"
#include "machine/mesh.h"

namespace muster::wafer {

namespace {

constexpr std::string_view kLayoutTemplate = R"(<<header>>//
// layout.csl: the rectangle of PEs and the routes of the colors. All PEs run pe.csl. They differ in the route of each
// color, in the list of operations, and in how often each operation runs.

<<count>>
param offset_x: i16 = <<offset_x>>;  // position of the collective in the rectangle; PEs outside it stay idle
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
<<asserts>>
<<expansions>>
  for (@range(i16, offset_x + width)) |x| {
    for (@range(i16, offset_y + height)) |y| {
      if (x < offset_x or y < offset_y) {
        @set_tile_code(x, y, "pe.csl", .{
          .memcpy_params = memcpy.get_params(x), .count = count,
          .operations = @zeros([<<slots>>]u16)<<idle>>
        });
      } else {
        const pe: u32 = @as(u32, y - offset_y) * @as(u32, width) + @as(u32, x - offset_x);
<<rows>>        @set_tile_code(x, y, "pe.csl", .{
          .memcpy_params = memcpy.get_params(x), .count = count,
          .operations = <<operations>><<own>>
        });
<<set_routes>>      }
    }
  }

<<exports>>  @export_name("collective", fn()void);
}
)";

}  // namespace

std::string csl_count_line(const CslProgram& csl) {
  const std::string line =
      csl.whole
          ? fmt::format("param count: u16 = {};  // elements of the vector on each PE", csl.elements)
          : fmt::format(
                "const count: u16 = {};  // elements of the vector on each PE; the operations work on parts of it",
                csl.elements);
  return line + (csl.packs_two() ? "\n// " + padding_note(csl) : "");
}

std::string csl_layout(const CslProgram& csl, const EmitOptions& options) {
  const Mesh& mesh = csl.wafer->mesh();
  std::string exports;
  for (const CslBuffer& b : csl.buffers) {
    exports += fmt::format("  @export_name(\"{}\", [*]{}, true);\n", buffer_name(b.buffer), csl.type);
  }
  return fill(kLayoutTemplate,
              {{"header", csl_header(csl, options, "//")},
               {"count", csl_count_line(csl)},
               {"offset_x", std::to_string(options.options.of<MeshOptions>().offset_x)},
               {"offset_y", std::to_string(options.options.of<MeshOptions>().offset_y)},
               {"width", std::to_string(mesh.width)},
               {"height", std::to_string(mesh.height)},
               {"pe_count", std::to_string(csl.wafer->class_of.size())},
               {"colors", csl_color_constants(csl)},
               {"tables", csl_layout_tables(csl)},
               {"asserts", csl.packs_two() ? "  @comptime_assert(count % 2 == 0);  // two per wavelet\n" : ""},
               {"expansions", csl_expansions(csl, "  ")},
               {"slots", std::to_string(csl.slots)},
               {"rows", csl_row_starts(csl)},
               {"operations", csl_list_parameter(csl)},
               {"own", csl_own_parameters(csl, false)},
               {"idle", csl_own_parameters(csl, true)},
               {"set_routes", set_routes(csl)},
               {"exports", exports}});
}

}  // namespace muster::wafer

// NAME_params.csl: what a layout imports to route the colors of a module and to tell each PE its operations.
#include "backend/wafer/csl/maps.h"
#include "backend/wafer/csl/module.h"
#include "backend/wafer/csl/routes.h"
#include "backend/wafer/csl/text.h"
#include "machine/mesh.h"

namespace muster::wafer {

namespace {

constexpr std::string_view kModuleLayout = R"(<<header>>//
// <<name>>_params.csl: the layout's side of the module <<name>>.csl. The layout imports it once and asks it for the parameters of
// every PE of its rectangle, which sets the routes of that PE, too:
//
//   const collective = @import_module("<<name>>_params.csl", .{ <<imports>> });
//   ...
//   @set_tile_code(x, y, "pe.csl", .{ .<<name>>_params = collective.get_params(x, y), ... });

param offset_x: i16 = <<offset_x>>;  // position of the collective in the rectangle; PEs outside it take no part
param offset_y: i16 = <<offset_y>>;
<<queues>>
const width: i16 = <<width>>;
const height: i16 = <<height>>;
const pe_count: u32 = <<pe_count>>;

<<colors>><<tables>><<expansions>>
// Sets the routes of PE (x, y), and returns the parameters with which its program imports <<name>>.csl.
fn get_params(x: i16, y: i16) comptime_struct {
  if (x < offset_x or y < offset_y or x >= offset_x + width or y >= offset_y + height) {
    return .{
      .operations = @zeros([<<slots>>]u16)<<idle>>
    };
  }
  const pe: u32 = @as(u32, y - offset_y) * @as(u32, width) + @as(u32, x - offset_x);
<<rows>><<set_routes>>  return .{
    .operations = <<operations>><<own>>
  };
}
)";

constexpr std::string_view kHardwareQueues =
    R"(// The hardware queue in place of each one that the tables name: there are more colors than queues, so PEs choose them.
param hardware_queues: [<<count>>]u16 = [<<count>>]u16 { <<queues>> };
)";

/// Every line some spaces further out.
std::string outdented(std::string_view text, std::size_t by) {
  std::string lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::size_t spaces = std::min(text.find_first_not_of(' '), by);
    lines += text.substr(0, end).substr(std::min(spaces, end - 1));
    text.remove_prefix(end);
  }
  return lines;
}

std::string queues(const CslProgram& csl) {
  if (csl.queue_sets.empty()) return "";
  const Mesh& mesh = csl.wafer->mesh();
  std::vector<int> numbers(static_cast<std::size_t>(std::max(mesh.input_queues, mesh.output_queues)));
  for (std::size_t q = 0; q < numbers.size(); ++q) numbers[q] = static_cast<int>(q);
  return fill(kHardwareQueues,
              {{"count", std::to_string(numbers.size())}, {"queues", fmt::format("{}", fmt::join(numbers, ", "))}});
}

}  // namespace

std::string csl_module_layout(const CslProgram& csl, const EmitOptions& options) {
  const Mesh& mesh = csl.wafer->mesh();
  const auto& place = options.options.of<MeshOptions>();
  return fill(kModuleLayout, {{"header", csl_header(csl, options, "//")},
                              {"name", csl_function_name(csl)},
                              {"imports", csl.wafer->colors.empty() ? "" : ".color_ids = ..."},
                              {"offset_x", std::to_string(place.offset_x)},
                              {"offset_y", std::to_string(place.offset_y)},
                              {"queues", queues(csl)},
                              {"width", std::to_string(mesh.width)},
                              {"height", std::to_string(mesh.height)},
                              {"pe_count", std::to_string(csl.wafer->class_of.size())},
                              {"colors", csl_color_constants(csl)},
                              {"tables", csl_layout_tables(csl)},
                              {"expansions", csl_expansions(csl, "")},
                              {"slots", std::to_string(csl.slots)},
                              {"idle", outdented(csl_own_parameters(csl, true), 4)},
                              {"rows", outdented(csl_row_starts(csl), 6)},
                              {"set_routes", outdented(set_routes(csl), 6)},
                              {"operations", csl_list_parameter(csl)},
                              {"own", outdented(csl_own_parameters(csl, false), 6)}});
}

}  // namespace muster::wafer

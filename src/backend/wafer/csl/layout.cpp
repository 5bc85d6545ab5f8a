// layout.csl: the rectangle, and for every processor its routes and operations.
#include <algorithm>

#include "backend/wafer/csl/layout_tables.h"
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

<<route_values>><<tables>>// Maps give each PE a number, row by row, compressed as pairs (length, distance). Distance 0: the next PE has the number
// `length`. Otherwise: each of the next `length` PEs has the number of the PE `distance` before it.
const map_first = [<<map_numbers>>]u32 { <<map_first>> };
const items = [<<item_numbers>>]u32 {
<<items>>};

fn expand(map: u16) [pe_count]u16 {
  var result = @zeros([pe_count]u16);
  var filled: u32 = 0;
  var item: u32 = map_first[map];
  while (item < map_first[map + 1]) : (item += 1) {
    const length: u32 = items[2 * item];
    const distance: u32 = items[2 * item + 1];
    if (distance == 0) {
      result[filled] = @as(u16, length);
      filled += 1;
    } else {
      const end: u32 = filled + length;
      while (filled < end) : (filled += 1) {
        result[filled] = result[filled - distance];
      }
    }
  }
  return result;
}

<<number_maps>><<route_function>>layout {
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

std::string color_constants(const CslProgram& csl) {
  if (csl.wafer->colors.empty()) return "";
  std::string text =
      fmt::format("// Hardware color of each color index in the operations.\nconst color_ids = [{}]u16 {{ {} }};\n",
                  csl.wafer->colors.size(), fmt::join(csl.wafer->colors, ", "));
  for (std::size_t c = 0; c < csl.wafer->colors.size(); ++c) {
    text += fmt::format("const color_{0}: color = @get_color(color_ids[{0}]);\n", c);
  }
  return text + "\n";
}

/// The maps in the order in which they are written, each with the name of its number.
struct Maps {
  std::vector<std::pair<std::string, const CslSequence*>> maps;
  explicit Maps(const CslProgram& csl) {
    for (const CslPart& part : csl.parts) {
      maps.emplace_back(PartNames(part).list_of, &part.list_of);
      if (!csl.tabled) maps.emplace_back(PartNames(part).times_of, &part.times_of);
    }
    if (!csl.queue_sets.empty()) maps.emplace_back("queues_of", &csl.queues_of);
    for (std::size_t c = 0; c < csl.route_of.size(); ++c) {
      maps.emplace_back(fmt::format("route_of_{}", c), &csl.route_of[c]);
    }
  }

  /// Where each map begins among the items, and where the last one ends.
  [[nodiscard]] std::vector<std::size_t> firsts() const {
    std::vector<std::size_t> firsts{0};
    for (const auto& [name, sequence] : maps) firsts.push_back(firsts.back() + sequence->items.size());
    return firsts;
  }

  [[nodiscard]] std::string items() const {
    std::string text;
    for (std::size_t m = 0; m < maps.size(); ++m) {
      text += fmt::format("  // {}\n", maps[m].first) + lines(maps[m].second->items, m + 1 == maps.size());
    }
    return text;
  }

  [[nodiscard]] std::string expansions() const {
    std::string text;
    for (std::size_t m = 0; m < maps.size(); ++m) text += fmt::format("  const {} = expand({});\n", maps[m].first, m);
    return text;
  }

 private:
  static std::string lines(const std::vector<CopyItem>& items, bool last) {
    constexpr std::size_t kPerLine = 10;
    std::string text;
    for (std::size_t i = 0; i < items.size(); ++i) {
      text += fmt::format("{}{},{}", i % kPerLine == 0 ? "  " : " ",
                          items[i].distance == 0 ? items[i].change : items[i].length, items[i].distance);
      if (i + 1 < items.size() || !last) text += ",";
      if (i % kPerLine == kPerLine - 1 || i + 1 == items.size()) text += "\n";
    }
    return text;
  }
};

/// "lists[list], lists[list + 1]": a row of a table.
std::string row_of(std::string_view table, std::string_view first, std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t n = begin; n < end; ++n) {
    text += fmt::format("{}{}[{}{}]", n == begin ? "" : ", ", table, first, n == 0 ? "" : fmt::format(" + {}", n));
  }
  return text;
}

/// The rows of a PE in the tables of lists, or of repetitions, one part after the other.
std::string part_rows(const CslProgram& csl, bool lists) {
  std::string text;
  for (const CslPart& part : csl.parts) {
    const PartNames names(part);
    const std::string prefix = part.first == 0 ? "" : "column_";
    text += (text.empty() ? "" : ", ") +
            row_of(lists ? names.lists : names.times, prefix + (lists ? "list" : "often"), 0, part.slots);
  }
  return text;
}

/// A long list, copied part by part; behind it, zeros.
std::string copied_lists(const CslProgram& csl) {
  std::string text =
      fmt::format("        var operations = @zeros([{}]u16);\n        var places: u32 = 0;\n", csl.slots);
  for (const CslPart& part : csl.parts) {
    const PartNames names(part);
    const std::string at = part.first == 0 ? "entry" : "column_entry";
    text += fmt::format(
        "        var {0}: u32 = {1}[{2}[pe]];\n        while ({0} < {1}[{2}[pe] + 1]) : ({0} += 1) {{\n"
        "          operations[places] = {3}[{0}];\n          places += 1;\n        }}\n",
        at, names.first, names.list_of, names.lists);
  }
  return text;
}

/// Where the PE's rows begin.
std::string row_starts(const CslProgram& csl) {
  std::string text = csl.tabled ? copied_lists(csl) : "";
  for (const CslPart& part : csl.parts) {
    if (csl.tabled) break;
    const PartNames names(part);
    const std::string prefix = part.first == 0 ? "" : "column_";
    text += fmt::format(
        "        const {0}list: u32 = @as(u32, {1}[pe]) * {3};\n        const {0}often: u32 = @as(u32, {2}[pe]) * "
        "{3};\n",
        prefix, names.list_of, names.times_of, part.slots);
  }
  if (!csl.queue_sets.empty()) {
    text += fmt::format("        const queues: u32 = @as(u32, queues_of[pe]) * {};\n", csl.queue_sets.front().size());
  }
  if (csl.own_numbers > 0) {
    text +=
        "        var numbers = @zeros([own_numbers]u16);\n"
        "        for (@range(u32, own_numbers)) |n| {\n"
        "          numbers[n] = number_of[n * pe_count + pe];\n"
        "        }\n";
  }
  return text;
}

/// Parameters of a PE besides its list; of an idle one: none of its numbers matters.
std::string own_parameters(const CslProgram& csl, bool idle) {
  std::string text;
  const std::size_t colors = csl.in_queues.size();
  if (!csl.tabled && idle) text += fmt::format(", .times = @zeros([{}]u16)", csl.slots);
  if (!csl.tabled && !idle) {
    text += fmt::format(",\n          .times = [{}]u16 {{ {} }}", csl.slots, part_rows(csl, false));
  }
  if (!csl.wafer->colors.empty()) text += ",\n          .color_ids = color_ids";
  if (csl.own_numbers > 0) {
    text += std::string(",\n          .numbers = ") + (idle ? "@zeros([own_numbers]u16)" : "numbers");
  }
  if (csl.queue_sets.empty()) return text;
  for (const bool in : {true, false}) {
    const std::string zeros = fmt::format("@constants([{}]u16, {})", colors, csl.no_queue);
    const std::string row = fmt::format("[{}]u16 {{ {} }}", colors,
                                        row_of("queue_sets", "queues", in ? 0 : colors, in ? colors : 2 * colors));
    text += fmt::format(",\n          .{} = {}", in ? "in_queue_ids" : "out_queue_ids", idle ? zeros : row);
  }
  return text;
}

std::string count_line(const CslProgram& csl) {
  const std::string line =
      csl.whole
          ? fmt::format("param count: u16 = {};  // elements of the vector on each PE", csl.elements)
          : fmt::format(
                "const count: u16 = {};  // elements of the vector on each PE; the operations work on parts of it",
                csl.elements);
  return line + (csl.packs_two() ? "\n// " + padding_note(csl) : "");
}

}  // namespace

std::string csl_layout(const CslProgram& csl, const EmitOptions& options) {
  const Mesh& mesh = csl.wafer->mesh();
  const Maps maps(csl);
  const std::vector<std::size_t> firsts = maps.firsts();
  std::string exports;
  for (const CslBuffer& b : csl.buffers) {
    exports += fmt::format("  @export_name(\"{}\", [*]{}, true);\n", buffer_name(b.buffer), csl.type);
  }
  return fill(
      kLayoutTemplate,
      {{"header", csl_header(csl, options, "//")},
       {"count", count_line(csl)},
       {"offset_x", std::to_string(options.options.of<MeshOptions>().offset_x)},
       {"offset_y", std::to_string(options.options.of<MeshOptions>().offset_y)},
       {"width", std::to_string(mesh.width)},
       {"height", std::to_string(mesh.height)},
       {"pe_count", std::to_string(csl.wafer->class_of.size())},
       {"colors", color_constants(csl)},
       {"route_values", route_values(csl)},
       {"tables", layout_tables(csl)},
       {"number_maps", layout_number_maps(csl)},
       {"map_numbers", std::to_string(firsts.size())},
       {"map_first", fmt::format("{}", fmt::join(firsts, ", "))},
       {"item_numbers", std::to_string(2 * firsts.back())},
       {"items", maps.items()},
       {"asserts", csl.packs_two() ? "  @comptime_assert(count % 2 == 0);  // two per wavelet\n" : ""},
       {"expansions", maps.expansions() + (csl.own_numbers > 0 ? "  const number_of = expand_numbers();\n" : "")},
       {"slots", std::to_string(csl.slots)},
       {"rows", row_starts(csl)},
       {"operations", csl.tabled ? "operations" : fmt::format("[{}]u16 {{ {} }}", csl.slots, part_rows(csl, true))},
       {"own", own_parameters(csl, false)},
       {"idle", own_parameters(csl, true)},
       {"route_function", route_function(csl)},
       {"set_routes", set_routes(csl)},
       {"exports", exports}});
}

}  // namespace muster::wafer

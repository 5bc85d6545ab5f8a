// Compressed maps from PEs to numbers, and the text that looks up what a PE has.
#include "backend/wafer/csl/maps.h"

#include "backend/wafer/csl/lanes.h"
#include "backend/wafer/csl/layout_tables.h"
#include "backend/wafer/csl/routes.h"
#include "backend/wafer/csl/text.h"

namespace muster::wafer {

namespace {

constexpr std::string_view kMaps =
    R"(// Maps give each PE a number, row by row, compressed as pairs (length, distance). Distance 0: the next PE has the number
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

)";

/// The maps in the order in which they are written, each with the name of its number.
struct Maps {
  std::vector<std::pair<std::string, const CslSequence*>> maps;
  explicit Maps(const CslProgram& csl) {
    for (std::size_t lane = 0; csl.lanes != nullptr && lane < csl.lanes->lanes.size(); ++lane) {
      maps.emplace_back(fmt::format("list_of_{}", lane), &csl.lanes->lanes[lane].list_of);
    }
    for (const CslPart& part : csl.parts) {
      maps.emplace_back(PartNames(part).list_of, &part.list_of);
      if (!csl.tabled) maps.emplace_back(PartNames(part).times_of, &part.times_of);
    }
    if (csl.numbers.sets > 0) maps.emplace_back("number_set_of", &csl.numbers.set_of);
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

  [[nodiscard]] std::string expansions(std::string_view indent) const {
    std::string text;
    for (std::size_t m = 0; m < maps.size(); ++m) {
      text += fmt::format("{}const {} = expand({});\n", indent, maps[m].first, m);
    }
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

/// "lists[list], lists[list + 1]": a row of a table; each number looked up in another one, if that is named.
std::string row_of(std::string_view table, std::string_view first, std::size_t begin, std::size_t end,
                   std::string_view of = "") {
  std::string text;
  for (std::size_t n = begin; n < end; ++n) {
    const std::string cell = fmt::format("{}[{}{}]", table, first, n == 0 ? "" : fmt::format(" + {}", n));
    text += (n == begin ? "" : ", ") + (of.empty() ? cell : fmt::format("{}[{}]", of, cell));
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

/// The names of long lists, by part, with `behind` each.
std::string list_names(const CslProgram& csl, std::string_view behind) {
  std::string text;
  for (const CslPart& part : csl.parts) {
    text += fmt::format("{}{}list{}", text.empty() ? "" : ", ", part.first == 0 ? "" : "column_", behind);
  }
  return text;
}

/// Makes the operations of a PE from long lists, part by part; behind them, zeros.
std::string operations_function(const CslProgram& csl) {
  std::string text =
      fmt::format("fn operations_of({0}) [{1}]u16 {{\n  var operations = @zeros([{1}]u16);\n  var places: u32 = 0;\n",
                  list_names(csl, ": u16"), csl.slots);
  for (const CslPart& part : csl.parts) {
    const PartNames names(part);
    const std::string prefix = part.first == 0 ? "" : "column_";
    text += fmt::format(
        "  var {0}entry: u32 = {1}[{0}list];\n  while ({0}entry < {1}[{0}list + 1]) : ({0}entry += 1) {{\n"
        "    operations[places] = {2}[{0}entry];\n    places += 1;\n  }}\n",
        prefix, names.first, names.lists);
  }
  return text + "  return operations;\n}\n\n";
}

constexpr std::string_view kNumbersFunction = R"(const number_of = expand_numbers();

fn numbers_of(set: u16) [own_numbers]u16 {
  var numbers = @zeros([own_numbers]u16);
  for (@range(u32, own_numbers)) |n| {
    numbers[n] = number_of[n * number_sets + @as(u32, set)];
  }
  return numbers;
}

)";

}  // namespace

std::string csl_color_constants(const CslProgram& csl) {
  if (csl.wafer->colors.empty()) return "";
  const std::string type = fmt::format("[{}]u16", csl.wafer->colors.size());
  std::string text = "// Hardware color of each color index in the operations.\n" +
                     (csl.is_module() ? "param color_ids: " + type : std::string("const color_ids")) +
                     fmt::format(" = {} {{ {} }};\n", type, fmt::join(csl.wafer->colors, ", "));
  for (std::size_t c = 0; c < csl.wafer->colors.size(); ++c) {
    text += fmt::format("const color_{0}: color = @get_color(color_ids[{0}]);\n", c);
  }
  return text + "\n";
}

std::string csl_row_starts(const CslProgram& csl) {
  std::string text;
  if (csl.tabled) {
    text = fmt::format("        const operations = operations_of({});\n", list_names(csl, "_of[pe]"));
  }
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
  if (csl.numbers.sets > 0) return text + "        const numbers = numbers_of(number_set_of[pe]);\n";
  if (csl.own_numbers > 0) {
    text +=
        "        var numbers = @zeros([own_numbers]u16);\n"
        "        for (@range(u32, own_numbers)) |n| {\n"
        "          numbers[n] = number_of[n * pe_count + pe];\n"
        "        }\n";
  }
  return text;
}

std::string csl_own_parameters(const CslProgram& csl, bool idle) {
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
                                        row_of("queue_sets", "queues", in ? 0 : colors, in ? colors : 2 * colors,
                                               csl.is_module() ? "hardware_queues" : ""));
    text += fmt::format(",\n          .{} = {}", in ? "in_queue_ids" : "out_queue_ids", idle ? zeros : row);
  }
  return text;
}

std::string csl_list_parameter(const CslProgram& csl) {
  return csl.tabled ? "operations" : fmt::format("[{}]u16 {{ {} }}", csl.slots, part_rows(csl, true));
}

std::string csl_maps(const CslProgram& csl) {
  const Maps maps(csl);
  const std::vector<std::size_t> firsts = maps.firsts();
  return fill(kMaps, {{"map_numbers", std::to_string(firsts.size())},
                      {"map_first", fmt::format("{}", fmt::join(firsts, ", "))},
                      {"item_numbers", std::to_string(2 * firsts.back())},
                      {"items", maps.items()}});
}

std::string csl_layout_tables(const CslProgram& csl) {
  return route_values(csl) + layout_tables(csl) + csl_maps(csl) + layout_number_maps(csl) +
         std::string(csl.numbers.sets > 0 ? kNumbersFunction : "") + (csl.tabled ? operations_function(csl) : "") +
         route_function(csl);
}

std::string csl_expansions(const CslProgram& csl, std::string_view indent) {
  const bool has_each = csl.own_numbers > 0 && csl.numbers.sets == 0;
  const std::string numbers = has_each ? fmt::format("{}const number_of = expand_numbers();\n", indent) : "";
  return Maps(csl).expansions(indent) + numbers;
}

}  // namespace muster::wafer

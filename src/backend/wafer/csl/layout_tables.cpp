// One row per line, in words where there are few.
#include "backend/wafer/csl/layout_tables.h"

#include <algorithm>

#include "backend/wafer/csl/operations.h"
#include "backend/wafer/csl/text.h"

namespace muster::wafer {

namespace {

constexpr std::string_view kNumberMaps =
    R"(// <<whose>> own numbers, compressed as triples (length, distance, change): each of the next `length` numbers is the one
// `distance` before it plus `change`. Distance 0: one number, `change`. The first numbers of all <<all>> come first.
const own_numbers: u32 = <<count>>;
<<sets>>const number_items = [<<numbers>>]i32 {
<<values>>};

fn expand_numbers() [own_numbers * <<rows>>]u16 {
  var result = @zeros([own_numbers * <<rows>>]u16);
  var filled: u32 = 0;
  var item: u32 = 0;
  while (item < <<items>>) : (item += 1) {
    const distance: u32 = @as(u32, number_items[3 * item + 1]);
    const change: i32 = number_items[3 * item + 2];
    if (distance == 0) {
      result[filled] = @as(u16, change);
      filled += 1;
    } else {
      const end: u32 = filled + @as(u32, number_items[3 * item]);
      while (filled < end) : (filled += 1) {
        result[filled] = @as(u16, @as(i32, result[filled - distance]) + change);
      }
    }
  }
  return result;
}

)";

/// What the processors of a list do, and how many they are.
std::string list_words(const CslProgram& csl, const CslPart& part, std::size_t list) {
  const WaferProgram& program = *csl.wafer;
  const auto has_list = [&](std::int32_t c) {
    return part.list_of.of_class[static_cast<std::size_t>(c)] == static_cast<std::int32_t>(list);
  };
  const auto count = std::count_if(program.class_of.begin(), program.class_of.end(), has_list);
  std::string text;
  for (std::size_t slot = 0; slot < part.slots && csl.at(part, list, slot).action != CslAction::nothing; ++slot) {
    std::int32_t most = 1;
    for (std::size_t c = 0; c < program.classes.size(); ++c) {
      if (!has_list(static_cast<std::int32_t>(c))) continue;
      most = std::max(most, part.times[static_cast<std::size_t>(part.times_of.of_class[c])][slot]);
    }
    text += (slot == 0 ? "" : "; ") + describe(csl.at(part, list, slot), program);
    if (most > 1 && most < kFirstOwnNumber) text += fmt::format(" (up to {} times)", most);
  }
  return fmt::format("list {}, {} PE{}: {}", list, count, count == 1 ? "" : "s", text.empty() ? "only routes" : text);
}

/// More lists than these are not told in words.
constexpr std::size_t kMostTold = 64;

/// Lists of different lengths, and where each begins.
std::string tabled_lists(const CslPart& part) {
  const PartNames names(part);
  std::vector<std::size_t> firsts{0};
  std::vector<std::string> lines;
  for (const auto& list : part.lists) {
    firsts.push_back(firsts.back() + list.size());
    if (!list.empty()) lines.push_back(fmt::format("  {}", fmt::join(list, ",")));
  }
  return fmt::format("const {} = [{}]u16 {{\n{}\n}};\nconst {} = [{}]u32 {{ {} }};\n\n", names.lists, firsts.back(),
                     fmt::join(lines, ",\n"), names.first, firsts.size(), fmt::join(firsts, ", "));
}

std::string list_table(const CslProgram& csl, const CslPart& part) {
  std::string text;
  for (std::size_t list = 0; list < part.lists.size(); ++list) {
    text += fmt::format("  {}{}", fmt::join(part.lists[list], ", "), list + 1 < part.lists.size() ? "," : "");
    text += part.lists.size() <= kMostTold ? fmt::format("  // {}\n", list_words(csl, part, list)) : "\n";
  }
  return text;
}

std::string times_table(const CslPart& part) {
  std::string text;
  for (std::size_t t = 0; t < part.times.size(); ++t) {
    text += fmt::format("  {}{}\n", fmt::join(part.times[t], ", "), t + 1 < part.times.size() ? "," : "");
  }
  return text;
}

std::string queue_rows(const CslProgram& csl) {
  if (csl.queue_sets.empty()) return "";
  std::string text = "// Queue assignments, one per line: the input queue of each color, then its output queue.\n";
  text += fmt::format("const queue_sets = [{}]u16 {{\n", csl.queue_sets.size() * csl.queue_sets.front().size());
  for (std::size_t q = 0; q < csl.queue_sets.size(); ++q) {
    text += fmt::format("  {}{}\n", fmt::join(csl.queue_sets[q], ","), q + 1 < csl.queue_sets.size() ? "," : "");
  }
  return text + "};\n\n";
}

}  // namespace

std::string layout_tables(const CslProgram& csl) {
  if (csl.tabled) {
    std::string text = "// Operation lists, one per line: rows of the table in pe.csl; and where each list begins.\n";
    for (const CslPart& part : csl.parts) {
      if (part.first > 0) text += "// The second part of each PE's list.\n";
      text += tabled_lists(part);
    }
    return text + queue_rows(csl);
  }
  std::string text =
      "// Operation lists, one per line: rows of the table in pe.csl (0: nothing). In the comments, x <- y is a "
      "vector\n"
      "// instruction; \"advancing\": its last wavelet advances the switch of the PE's own router.\n";
  for (const CslPart& part : csl.parts) {
    const PartNames names(part);
    if (part.first > 0) text += "// The second part of each PE's list.\n";
    text += fmt::format("const {} = [{}]u16 {{\n{}}};\n\n", names.lists, part.lists.size() * part.slots,
                        list_table(csl, part));
    text += fmt::format(
        "// How often each operation of a list runs, one choice per line.\nconst {} = [{}]u16 {{\n{}}};\n\n",
        names.times, part.times.size() * part.slots, times_table(part));
  }
  return text + queue_rows(csl);
}

std::string layout_number_maps(const CslProgram& csl) {
  if (csl.own_numbers == 0) return "";
  std::string items;
  for (std::size_t i = 0; i < csl.numbers.items.size(); ++i) {
    const CopyItem& item = csl.numbers.items[i];
    items += fmt::format("{}{},{},{}{}{}", i % 8 == 0 ? "  " : " ", item.length, item.distance, item.change,
                         i + 1 < csl.numbers.items.size() ? "," : "",
                         i % 8 == 7 || i + 1 == csl.numbers.items.size() ? "\n" : "");
  }
  const bool in_sets = csl.numbers.sets > 0;
  return fill(kNumberMaps, {{"whose", in_sets ? "Sets of PEs'" : "The PEs'"},
                            {"all", in_sets ? "sets" : "PEs"},
                            {"sets", in_sets ? fmt::format("const number_sets: u32 = {};\n", csl.numbers.sets) : ""},
                            {"rows", in_sets ? "number_sets" : "pe_count"},
                            {"count", std::to_string(csl.own_numbers)},
                            {"numbers", std::to_string(3 * csl.numbers.items.size())},
                            {"items", std::to_string(csl.numbers.items.size())},
                            {"values", items}});
}

}  // namespace muster::wafer

#include "backend/wafer/csl_reader/builtins.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/one_line.h"

namespace muster::wafer::csl {

namespace {

constexpr std::array<BuiltinEntry, 58> kBuiltins{{
    {"@as", Builtin::as, 2, 2},
    {"@range", Builtin::range, 2, 4},
    {"@zeros", Builtin::zeros, 1, 1},
    {"@constants", Builtin::constants, 2, 2},
    {"@get_color", Builtin::get_color, 1, 1},
    {"@get_input_queue", Builtin::get_input_queue, 1, 1},
    {"@get_output_queue", Builtin::get_output_queue, 1, 1},
    {"@get_local_task_id", Builtin::get_local_task_id, 1, 1},
    {"@get_data_task_id", Builtin::get_data_task_id, 1, 1},
    {"@get_control_task_id", Builtin::get_control_task_id, 1, 1},
    {"@get_ut_id", Builtin::get_ut_id, 1, 1},
    {"@get_int", Builtin::get_int, 1, 1},
    {"@concat_structs", Builtin::concat_structs, 2, 2},
    {"@field", Builtin::field, 2, 2},
    {"@has_field", Builtin::has_field, 2, 2},
    {"@is_arch", Builtin::is_arch, 1, 1},
    {"@is_same_type", Builtin::is_same_type, 2, 2},
    {"@is_comptime", Builtin::is_comptime, 0, 0},
    {"@type_of", Builtin::type_of, 1, 1},
    {"@element_type", Builtin::element_type, 1, 1},
    {"@element_count", Builtin::element_count, 1, 1},
    {"@strcat", Builtin::strcat, 2, 2},
    {"@strlen", Builtin::strlen, 1, 1},
    {"@comptime_assert", Builtin::comptime_assert, 1, 2},
    {"@assert", Builtin::comptime_assert, 1, 2},
    {"@comptime_print", Builtin::comptime_print, 0, 64},
    {"@import_module", Builtin::import_module, 1, 2},
    {"@get_dsd", Builtin::get_dsd, 2, 2},
    {"@increment_dsd_offset", Builtin::increment_dsd_offset, 3, 3},
    {"@set_dsd_length", Builtin::set_dsd_length, 2, 2},
    {"@set_dsd_base_addr", Builtin::set_dsd_base_addr, 2, 2},
    {"@set_dsd_stride", Builtin::set_dsd_stride, 2, 2},
    {"@get_rectangle", Builtin::get_rectangle, 0, 0},
    {"@set_rectangle", Builtin::set_rectangle, 2, 2},
    {"@set_tile_code", Builtin::set_tile_code, 3, 4},
    {"@set_color_config", Builtin::set_color_config, 4, 4},
    {"@export_name", Builtin::export_name, 2, 3},
    {"@set_local_color_config", Builtin::set_local_color_config, 2, 2},
    {"@bind_local_task", Builtin::bind_local_task, 2, 2},
    {"@export_symbol", Builtin::export_symbol, 1, 2},
    {"@initialize_queue", Builtin::initialize_queue, 1, 2},
    {"@activate", Builtin::activate, 1, 1},
    {"@block", Builtin::block, 1, 1},
    {"@unblock", Builtin::unblock, 1, 1},
    {"@fmovs", Builtin::fmovs, 2, 3},
    {"@fmovh", Builtin::fmovh, 2, 3},
    {"@mov32", Builtin::mov32, 2, 3},
    {"@mov16", Builtin::mov16, 2, 3},
    {"@fadds", Builtin::fadds, 3, 4},
    {"@faddh", Builtin::faddh, 3, 4},
    {"@fmaxs", Builtin::fmaxs, 3, 4},
    {"@fmaxh", Builtin::fmaxh, 3, 4},
    {"@fmuls", Builtin::fmuls, 3, 4},
    {"@fmulh", Builtin::fmulh, 3, 4},
    {"@fsubs", Builtin::fsubs, 3, 4},
    {"@fmacs", Builtin::fmacs, 4, 5},
    {"@fnegs", Builtin::fnegs, 2, 3},
    {"@fnegh", Builtin::fnegh, 2, 3},
}};

constexpr BuiltinEntry kMap{"@map", Builtin::map, 3, 4};

/// Builtins that CSL has and a wafer program has no word for, or that need more of the language than the reader has.
constexpr std::array<std::string_view, 43> kUnsupported{"@bind_data_task",
                                                        "@bind_control_task",
                                                        "@allocate_fifo",
                                                        "@load_to_dsr",
                                                        "@get_dsr",
                                                        "@set_config",
                                                        "@get_config",
                                                        "@set_teardown_handler",
                                                        "@rpc",
                                                        "@random16",
                                                        "@ptrcast",
                                                        "@bitcast",
                                                        "@add16",
                                                        "@addc16",
                                                        "@and16",
                                                        "@or16",
                                                        "@xor16",
                                                        "@sub16",
                                                        "@sar16",
                                                        "@sll16",
                                                        "@slr16",
                                                        "@clz",
                                                        "@ctz",
                                                        "@popcnt",
                                                        "@fabsh",
                                                        "@fabss",
                                                        "@faddhs",
                                                        "@fh2s",
                                                        "@fh2xp16",
                                                        "@fmach",
                                                        "@fmachs",
                                                        "@fnormh",
                                                        "@fnorms",
                                                        "@fs2h",
                                                        "@fs2xp16",
                                                        "@fscaleh",
                                                        "@fscales",
                                                        "@fsubh",
                                                        "@xp162fh",
                                                        "@xp162fs",
                                                        "@dfilt",
                                                        "@set_fifo_read_length",
                                                        "@get_filter_id"};

}  // namespace

Builtin find_builtin(std::string_view name, const Location& location) {
  if (name == kMap.name) return Builtin::map;
  for (const BuiltinEntry& entry : kBuiltins) {
    if (entry.name == name) return entry.builtin;
  }
  if (std::find(kUnsupported.begin(), kUnsupported.end(), name) != kUnsupported.end()) {
    fail(location, "{} is not supported: it has no counterpart in a wafer program", name);
  }
  std::vector<std::string> known;
  for (const BuiltinEntry& entry : kBuiltins) known.emplace_back(entry.name);
  const std::string shown = one_line(name, 60);
  fail(location, "unknown builtin '{}'; {}", shown, suggest(shown, known));
}

const BuiltinEntry& entry_of(Builtin builtin) {
  static constexpr auto kEntryOf = [] {  // the first of each
    std::array<std::uint8_t, static_cast<std::size_t>(Builtin::map)> entry_of{};
    for (std::size_t i = kBuiltins.size(); i > 0; --i) {
      entry_of.at(static_cast<std::size_t>(kBuiltins.at(i - 1).builtin)) = static_cast<std::uint8_t>(i - 1);
    }
    return entry_of;
  }();
  return builtin == Builtin::map ? kMap : kBuiltins.at(kEntryOf.at(static_cast<std::size_t>(builtin)));
}

}  // namespace muster::wafer::csl

// The builtins of CSL that the reader knows, by their names.
#pragma once

#include <cstdint>
#include <string_view>

#include "backend/wafer/csl_reader/source.h"

namespace muster::wafer::csl {

enum class Builtin : std::uint8_t {
  // Values, anywhere.
  as,
  range,
  zeros,
  constants,
  get_color,
  get_input_queue,
  get_output_queue,
  get_local_task_id,
  get_data_task_id,
  get_control_task_id,
  get_ut_id,
  get_int,
  concat_structs,
  field,
  has_field,
  is_arch,
  is_same_type,
  is_comptime,
  type_of,
  element_type,
  element_count,
  strcat,
  strlen,
  comptime_assert,
  comptime_print,
  import_module,
  get_dsd,
  increment_dsd_offset,
  set_dsd_length,
  set_dsd_base_addr,
  set_dsd_stride,
  get_rectangle,
  // In a layout block.
  set_rectangle,
  set_tile_code,
  set_color_config,
  export_name,
  // In a processor's comptime block.
  set_local_color_config,
  bind_local_task,
  export_symbol,
  initialize_queue,
  // In both that and tasks.
  activate,
  block,
  unblock,
  // Vector instructions.
  fmovs,
  fmovh,
  mov32,
  mov16,
  fadds,
  faddh,
  fmaxs,
  fmaxh,
  fmuls,
  fmulh,
  fsubs,
  fmacs,
  fnegs,
  fnegh,
  map,
};

struct BuiltinEntry {
  std::string_view name;  ///< with its '@'
  Builtin builtin;
  int least = 0;  ///< arguments
  int most = 0;
};

/// Throws InputError, with the nearest known names, if there is no such builtin or it is one that is not supported.
Builtin find_builtin(std::string_view name, const Location& location);
const BuiltinEntry& entry_of(Builtin builtin);

/// Whether the machine is not asked.
inline bool is_about_values(Builtin builtin) { return builtin <= Builtin::set_dsd_stride; }
inline bool is_vector(Builtin builtin) { return builtin >= Builtin::fmovs; }

}  // namespace muster::wafer::csl

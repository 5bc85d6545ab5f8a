// Which ids local tasks may have. The vendor's documentation ("Task Identifiers and Task Execution"): 0 to 30 on WSE-2, 8
// to 30 on WSE-3; data tasks have the ids of colors on WSE-2 and of input queues on WSE-3, where queues are bound.
#pragma once

#include <algorithm>

#include "machine/machine.h"
#include "machine/mesh.h"

namespace muster::wafer::csl {

inline constexpr int kLastLocalTask = 30;

inline int first_local_task(const Mesh& mesh) { return mesh.queues_are_bound ? mesh.input_queues : 0; }

/// Ids that are taken: 29 runs at teardown and 30 is the timer (the same page); 27, 28 and 30 are the host library's (the
/// vendor's example programs), as are its colors where these are task ids.
inline bool is_system_task(int id, const Mesh& mesh) {
  const auto& colors = mesh.reserved_colors;
  return id >= 27 || (!mesh.queues_are_bound && std::find(colors.begin(), colors.end(), id) != colors.end());
}

}  // namespace muster::wafer::csl

// Colors for the parts of a schedule of phases: parts share them where that needs no more than a switch at the sender.
//
// Parts whose boxes have no processor in common may share a color: what a part sends stays in its box. Others may if, at every router
// that has a route for both, it is the same route in one position. Then a word that passes such a router came from the
// same processor in both, upstream router by upstream router. That processor sends phase after phase and whoever takes it works phase after phase,
// so the queues between hold the words in the order of phases: an earlier phase never waits for a later one.
//
// The routes may take words from different sides at a router whose own processor sends in the earlier part. Its last wavelet there moves the switch on
// (Ending::advance_own), and what a later part sends through waits until then. The last part on the color passes all of these routers, once; a
// RESET behind its data takes them back.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "backend/wafer/program.h"

namespace muster::wafer {

/// Where a part runs, and when.
struct Placement {
  NodeId width = 0;  ///< of its boxes; none: the part is not used
  NodeId height = 0;
  std::vector<NodeId> corners;   ///< sorted
  std::int32_t first_phase = 0;  ///< that uses it
  std::int32_t last_phase = 0;
  bool repeats = false;  ///< it runs in some box several times
};

struct PhaseColors {
  std::vector<std::vector<std::int8_t>>
      of_part;  ///< of each part and each of its colors: the color of the whole program
  int count = 0;
  std::vector<bool> switched;  ///< of each color of the whole program: some router has two positions
};

/// Gives parts colors in the order of their last phases, the last one first, each the lowest ones that it may have. Parts that have to reset a
/// color do so from now on.
PhaseColors share_colors(std::span<WaferProgram> parts, std::span<const Placement> placements, NodeId mesh_width);

/// The last data wavelet that a processor sends on the color moves its own router's switch on. False if it sends none.
bool advance_behind_last(ProcessorClass& c, std::int8_t color);

}  // namespace muster::wafer

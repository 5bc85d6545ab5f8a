// Media that become elliptical (delta = epsilon) in absorbing layers. Where epsilon > delta, acoustic_tti has slow waves that no elastic medium
// has. Some of them travel into a layer while their phase travels out of it, and only a layer with a ratio near 1, which reflects, would hold
// them. An elliptical medium has no such waves. It changes over so many cells that waves hardly notice.
#pragma once

#include "app/seismic/medium.h"
#include "app/seismic/setup.h"

namespace muster::seismic {

/// The medium of a node: the model's, unless the node is in a layer that has a transition.
Medium elliptical_in_layers(const Medium& medium, const Extent& node, const GridOptions& options);

}  // namespace muster::seismic

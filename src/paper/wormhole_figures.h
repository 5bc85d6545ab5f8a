// Figures 6.1 and 6.9 of "Implementation of Allreduce algorithms on the Tenstorrent Wormhole n150", computed: times of its five versions
// over the size of the vector, as the thesis ran them (claims/wormhole.toml says how) and with the NoCs right; from the start of the first
// core (equation 6.1) and from that of each core (6.2).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "machine/machine.h"
#include "result/figure.h"

namespace muster {

/// From 2 KiB to 512 KiB.
std::vector<std::int64_t> wormhole_sizes();

/// On 8x8 tiles of the machine. `progress` is told how much is done, from 0 to 1.
std::vector<FigureAnswer> make_wormhole_times(const Machine& machine, const std::vector<std::int64_t>& kibibytes,
                                              const std::function<void(double)>& progress = {});

}  // namespace muster

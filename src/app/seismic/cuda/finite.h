// Looks for values that are not finite, in the memory of a GPU.
#pragma once

#include <cstdint>

#include "app/seismic/cuda/device.h"
#include "app/seismic/volume.h"

namespace muster::seismic {

/// The number of the first cell of a field, in the order of memory, whose value is not finite; -1: there is none. `field` points to the
/// first cell of the grid; `found` has one value, which is overwritten.
std::int64_t first_not_finite_on_device(const float* field, const Layout& layout,
                                        DeviceArray<unsigned long long>& found);

}  // namespace muster::seismic

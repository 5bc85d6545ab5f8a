// Small machines with reducing switches, for tests.
#pragma once

#include <rapidcheck.h>

#include <vector>

#include "machine/hyperx.h"
#include "machine/machine.h"
#include "machine/test_hyperx.h"

namespace muster::hyperx {

inline Machine machine_of(HyperX network) { return {.name = "switches", .summary = "", .network = std::move(network)}; }

/// The times and rates of PIUMA in another shape.
inline HyperX piuma(std::vector<std::int32_t> shape, std::int32_t sockets, std::int32_t columns, std::int32_t rows) {
  HyperX network = *as<HyperX>(test_hyperx(std::move(shape), sockets, columns, rows));
  network.buffer_packets = 128;
  return network;
}

/// Any number of the range, whatever the size that rapidcheck is at.
inline std::int32_t any(std::int32_t least, std::int32_t most) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(least, most + 1));
}

/// Up to three dimensions; 1 to 4 in each direction.
inline HyperX any_shape() {
  std::vector<std::int32_t> shape(static_cast<std::size_t>(any(0, 3)));
  for (std::int32_t& size : shape) size = any(1, 4);
  return piuma(std::move(shape), any(1, 5), any(1, 4), any(1, 3));
}

}  // namespace muster::hyperx

// Free surfaces and rigid walls: which fields change their sign behind them, and which are 0 in their planes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "app/seismic/equation/description.h"
#include "app/seismic/layers.h"

namespace muster::seismic {

bool mirrors(Boundary side);

/// The sign of a field's mirror image.
int mirror_sign(Kind kind, Boundary side);

/// A plane of nodes in which a field is kept at 0.
struct ZeroPlane {
  int field = 0;
  Axis axis = Axis::x;
  std::int64_t plane = 0;
  const Condensation* rule = nullptr;  ///< of the equation: what is handed on before; null: nothing
};

/// Of these fields, in the order in which they are settled.
std::vector<ZeroPlane> zero_planes(const Description& equation, std::span<const int> fields,
                                   const PerAxis<Sides>& sides, const Extent& extent);

}  // namespace muster::seismic

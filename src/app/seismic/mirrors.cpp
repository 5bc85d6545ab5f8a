#include "app/seismic/mirrors.h"

namespace muster::seismic {

bool mirrors(Boundary side) { return side == Boundary::free_surface || side == Boundary::rigid; }

int mirror_sign(Kind kind, Boundary side) { return (kind == Kind::velocity) == (side == Boundary::rigid) ? -1 : 1; }

std::vector<ZeroPlane> zero_planes(const Description& equation, std::span<const int> fields,
                                   const PerAxis<Sides>& sides, const Extent& extent) {
  std::vector<ZeroPlane> planes;
  for (const Axis axis : kAxes) {
    for (const int number : fields) {
      const Field& field = equation.fields[static_cast<std::size_t>(number)];
      if (field.location.is_half(axis) || !equation.is_read_along(number, axis)) continue;
      const bool is_normal = !equation.free_surface.empty() && equation.free_surface[index_of(axis)].normal == number;
      ZeroPlane plane{.field = number, .axis = axis};
      if (is_normal) plane.rule = &equation.free_surface[index_of(axis)];
      const auto changes_sign = [&](Boundary side) { return mirrors(side) && mirror_sign(field.kind, side) < 0; };
      if (changes_sign(sides[axis].low)) planes.push_back(plane);
      plane.plane = extent[axis] - 1;
      if (changes_sign(sides[axis].high)) planes.push_back(plane);
    }
  }
  return planes;
}

}  // namespace muster::seismic

#include "app/seismic/engine.h"

#include <cmath>

namespace muster::seismic {

template <class Real>
std::optional<NotFinite> Engine<Real>::first_not_finite() {
  const State<Real>& now = state();
  const Extent& extent = now.layout.extent();
  for (std::size_t field = 0; field < now.fields.size(); ++field) {
    for (std::int64_t x = 0; x < extent.x; ++x) {
      for (std::int64_t y = 0; y < extent.y; ++y) {
        for (std::int64_t z = 0; z < extent.z; ++z) {
          const Real value = now.fields[field].at(x, y, z);
          if (std::isfinite(value)) continue;
          return NotFinite{.field = static_cast<int>(field), .cell = {x, y, z}, .value = static_cast<double>(value)};
        }
      }
    }
  }
  return std::nullopt;
}

template class Engine<float>;
template class Engine<double>;

}  // namespace muster::seismic

#include "app/seismic/wavelet.h"

#include <cmath>
#include <numbers>

namespace muster::seismic {

double Ricker::at(double time) const {
  const double phase = std::numbers::pi * frequency * (time - delay);
  return (1 - 2 * phase * phase) * std::exp(-phase * phase);
}

double Ricker::integral(double time) const {
  const double phase = std::numbers::pi * frequency * (time - delay);
  return (time - delay) * std::exp(-phase * phase);
}

}  // namespace muster::seismic

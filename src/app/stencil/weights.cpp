#include "app/stencil/weights.h"

#include <numeric>

namespace muster::stencil {

std::vector<double> weights(int order, seismic::Weights kind) {
  const std::vector<double> ahead = seismic::central_weights(order, kind);
  std::vector<double> all(ahead.rbegin(), ahead.rend());
  all.push_back(-2 * std::accumulate(ahead.begin(), ahead.end(), 0.0));
  all.insert(all.end(), ahead.begin(), ahead.end());
  return all;
}

}  // namespace muster::stencil

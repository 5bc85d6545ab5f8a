// Round numbers along an axis.
#pragma once

#include <string>
#include <vector>

namespace muster::seismic {

struct Ticks {
  double step = 1;  ///< 1, 2 or 5 times a power of ten
  std::vector<double> values;

  [[nodiscard]] std::string text(double value) const;
};

/// The multiples of the least step between `low` and `high` (either way round) that gives at most `most` of them.
Ticks round_ticks(double low, double high, int most);

/// The power of ten by which values of this size are divided to be read with ease: 0 for 0.001 to 99999.
int common_exponent(double largest);

}  // namespace muster::seismic

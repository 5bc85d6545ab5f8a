// Which values the colours of a picture span.
#pragma once

#include <functional>
#include <span>

#include "app/seismic/picture/colours.h"

namespace muster::seismic {

struct ValueRange {
  double low = 0;
  double high = 1;
  ColourScale scale = ColourScale::sequential;

  [[nodiscard]] Colour colour(double value) const { return colour_at(scale, (value - low) / (high - low)); }
};

/// Values of both signs are spanned symmetrically, up to the percentile `clip` of the sizes of those that are not quiet; others from the percentile
/// 100 - clip to clip. Of many values, only some are looked at.
ValueRange range_of(std::span<const double> values, double clip);
ValueRange range_of(std::span<const float> values, double clip);

}  // namespace muster::seismic

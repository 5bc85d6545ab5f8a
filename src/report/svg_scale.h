// From the values of an axis to positions on paper, and where its ticks are.
#pragma once

#include <string>
#include <vector>

#include "result/figure.h"

namespace muster {

class SvgScale {
 public:
  /// An axis that shows all of [least, most] between the positions `from` and `to`. On a logarithmic axis both are above 0.
  SvgScale(const PlotAxis& axis, double least, double most, double from, double to);

  [[nodiscard]] double position(double value) const;

  struct Tick {
    double position = 0;
    std::string label;  ///< empty: a small tick
  };
  enum class Along { width, height };
  /// At powers, or at round numbers; labels of that size that would touch each other are left out, but not the first
  /// and, unless it would touch that, the last.
  [[nodiscard]] std::vector<Tick> ticks(double size, Along along) const;

 private:
  [[nodiscard]] double scaled(double value) const;  ///< value or its logarithm
  [[nodiscard]] std::vector<double> marks() const;

  PlotAxis axis_;
  double least_, most_;
  double from_, to_;
};

/// "1,000", "0.25", "64 B", "4 KiB".
std::string tick_text(double value, PlotAxis::Unit unit);

}  // namespace muster

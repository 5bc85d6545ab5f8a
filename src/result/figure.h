// A figure as data: panels with axes, and curves or a map in each. How it looks is decided in report/.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "result/sweep.h"

namespace muster {

struct PlotAxis {
  enum class Scale { linear, binary, decimal };  ///< linear, or logarithmic with ticks at powers of 2 or 10
  enum class Unit { number, bytes };             ///< how ticks are written: "1,000" or "1 KiB"
  std::string title;
  Scale scale = Scale::linear;
  Unit unit = Unit::number;
  double most = 0;  ///< curves are cut off beyond; 0: all of them is shown
};

/// One line of a panel. Curves of one name have one color, in all panels of a figure.
struct Curve {
  enum class Basis { simulated, predicted, bound };  ///< with marks; dashed; dotted and gray
  std::string name;
  Basis basis = Basis::simulated;
  std::vector<std::pair<double, double>> points;  ///< by growing x
};

/// Values over a grid of points, which may be divided into named regions.
struct HeatMap {
  std::vector<double> xs;              ///< growing
  std::vector<double> ys;              ///< growing
  std::vector<double> values;          ///< of (x, y) at y * xs.size() + x: ratios, drawn from 1 on
  std::vector<std::size_t> region_of;  ///< the same points; empty: no regions
  std::vector<std::string> regions;
};

struct Panel {
  std::string title;
  PlotAxis x, y;
  std::vector<Curve> curves;
  std::optional<HeatMap> map;
};

struct Figure {
  std::string name;       ///< of its files: "figure-11"
  std::string title;      ///< one line
  std::string note;       ///< what to know of it: who says what
  std::string map_title;  ///< what the values of its maps are
  std::string bound_title = "lower bound";
  std::vector<std::string> names;  ///< of the curves, in the order of the legend: a name's position gives its color
  std::vector<Panel> panels;
};

/// A figure and the sweeps that it was made from, one per panel; none, if it was not made from sweeps.
struct FigureAnswer {
  Figure figure;
  std::vector<SweepAnswer> sweeps;
};

}  // namespace muster

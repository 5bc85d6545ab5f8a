// The figures of "Near-Optimal Wafer-Scale Reduce" (HPDC'24), computed: each is a few sweeps and how they are shown.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "machine/machine.h"
#include "plan/plan.h"
#include "result/figure.h"

namespace muster {

/// An algorithm and the name of its curve.
struct Drawn {
  std::string algorithm;
  std::string name;
  bool simulated = true;  ///< where its panel is
};

/// One panel: which sizes and algorithms, and what is shown of them.
struct PanelSpec {
  enum class Show {
    over_counts,     ///< times over the length of the vector, on one shape
    over_shapes,     ///< times over the number of PEs, for one length
    ratio_to_bound,  ///< the predicted time of one algorithm over the paper's bound, as a map
    best_speedup     ///< the best prediction over that of the first algorithm, as a map with its regions
  };
  std::string title;
  Show show = Show::over_counts;
  Collective collective = Collective::reduce;
  std::vector<Drawn> drawn;
  std::vector<std::pair<std::int32_t, std::int32_t>> shapes;
  std::vector<std::int64_t> counts;
  Cycles most;                      ///< of the picture: what takes longer runs out of it; 0: all is shown
  std::int64_t transit_budget = 0;  ///< what needs more is not simulated (plan.h); 0: predictions only
};

struct FigureSpec {
  int number = 0;
  std::string title;
  std::string note;
  std::string map_title;
  std::vector<PanelSpec> panels;
};

/// Every figure that can be drawn, by its number in the paper.
const std::vector<FigureSpec>& figure_specs();

/// Computes a figure on a mesh. `progress` is told how much is done, from 0 to 1.
FigureAnswer make_figure(const FigureSpec& spec, const Machine& machine,
                         const std::function<void(double)>& progress = {});

}  // namespace muster

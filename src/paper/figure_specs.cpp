// The table of figures. The paper's measured curves are simulated here; its predicted ones are predicted.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "paper/figures.h"

namespace muster {

namespace {

using Show = PanelSpec::Show;
using Shapes = std::vector<std::pair<std::int32_t, std::int32_t>>;

constexpr std::int64_t kMostWords = 4096;  // 16 KiB; the next power of two does not fit a PE twice
constexpr std::int64_t kOneKilobyte = 256;
constexpr std::int32_t kFullRow = 512;
constexpr std::int64_t kTransits = 1'000'000;

/// `steps` numbers per doubling, from least to most, rounded, each once.
std::vector<std::int64_t> geometric(std::int64_t least, std::int64_t most, int steps) {
  std::vector<std::int64_t> all;
  for (int i = 0;; ++i) {
    const auto value = std::llround(static_cast<double>(least) * std::exp2(static_cast<double>(i) / steps));
    if (value > most) return all;
    if (all.empty() || all.back() != value) all.push_back(value);
  }
}

std::vector<std::int64_t> lengths() { return geometric(1, kMostWords, 1); }

Shapes rows(int steps) {
  Shapes shapes;
  for (const std::int64_t pes : geometric(4, kFullRow, steps)) shapes.emplace_back(static_cast<std::int32_t>(pes), 1);
  return shapes;
}

Shapes squares(int steps) {
  Shapes shapes;
  for (const auto& [side, height] : rows(steps)) shapes.emplace_back(side, side);
  return shapes;
}

/// The paper's patterns and our tree, by the registry's names with something before and after each.
std::vector<Drawn> patterns(const std::string& before, const std::string& after) {
  std::vector<Drawn> drawn;
  for (const char* const name : {"star", "chain", "tree", "two-phase", "auto-gen", "best-tree"}) {
    drawn.push_back({.algorithm = fmt::format("{}{}{}", before, name, after), .name = name});
  }
  return drawn;
}

/// The patterns that the paper calls fixed; chain, which the vendor uses, first.
std::vector<Drawn> fixed_patterns(const std::string& before, const std::string& after) {
  std::vector<Drawn> drawn;
  for (const char* const name : {"chain", "star", "tree", "two-phase"}) {
    drawn.push_back({.algorithm = fmt::format("{}{}{}", before, name, after), .name = name});
  }
  return drawn;
}

std::vector<Drawn> with(std::vector<Drawn> drawn, Drawn added) {
  drawn.push_back(std::move(added));
  return drawn;
}

FigureSpec figure_1() {
  FigureSpec spec{
      .number = 1,
      .title = "Reduce on a row: predicted time over the paper's lower bound",
      .note =
          "Predicted by each algorithm's own formula. The bound is that of Lemma 5.5, which holds in the paper's model "
          "but not for the simulated pipeline: best-tree, whose prediction is exact there, may be below 1.",
      .map_title = "predicted time / bound",
      .panels = {}};
  for (const Drawn& pattern : patterns("", "")) {
    spec.panels.push_back({.title = pattern.name,
                           .show = Show::ratio_to_bound,
                           .collective = Collective::reduce,
                           .drawn = {pattern},
                           .shapes = rows(1),
                           .counts = lengths()});
  }
  return spec;
}

FigureSpec figure_8() {
  return {.number = 8,
          .title = "AllReduce on a row: best fixed algorithm, and its speedup over chain + flood",
          .note =
              "Predicted by the paper's formulas. Regions: which of chain, star, tree and two-phase (each followed by "
              "a flood) or "
              "ring is best; the ring by Lemma 6.1, up to twice as fast as its program with one datapath.",
          .map_title = "speedup over chain + flood",
          .panels = {{.title = "AllReduce, 1D",
                      .show = Show::best_speedup,
                      .collective = Collective::allreduce,
                      .drawn = with(fixed_patterns("", "-flood"), {.algorithm = "ring", .name = "ring"}),
                      .shapes = rows(4),
                      .counts = geometric(1, kMostWords, 4)}}};
}

FigureSpec figure_10() {
  return {.number = 10,
          .title = "AllReduce on a square: best fixed algorithm, and its speedup over X-Y chain + flood",
          .note =
              "Predicted. Regions: which of X-Y chain, star, tree and two-phase or snake, each followed by a flood, is "
              "best.",
          .map_title = "speedup over X-Y chain + flood",
          .panels = {{.title = "AllReduce, 2D",
                      .show = Show::best_speedup,
                      .collective = Collective::allreduce,
                      .drawn = with(fixed_patterns("xy-", "-flood"), {.algorithm = "snake-flood", .name = "snake"}),
                      .shapes = squares(4),
                      .counts = geometric(1, kMostWords, 4)}}};
}

/// Broadcast, reduce and allreduce on rows, over one or the other size.
std::vector<PanelSpec> row_panels(Show show, const Shapes& shapes, const std::vector<std::int64_t>& counts,
                                  Cycles most) {
  const Drawn flood{.algorithm = "flood", .name = "flood"};
  const Drawn ring{.algorithm = "ring", .name = "ring", .simulated = false};  // as in the paper; it takes long
  return {{.title = "(a) Broadcast",
           .show = show,
           .collective = Collective::broadcast,
           .drawn = {flood},
           .shapes = shapes,
           .counts = counts,
           .most = most,
           .transit_budget = kTransits},
          {.title = "(b) Reduce",
           .show = show,
           .collective = Collective::reduce,
           .drawn = patterns("", ""),
           .shapes = shapes,
           .counts = counts,
           .most = most,
           .transit_budget = kTransits},
          {.title = "(c) AllReduce: Reduce + flood, and ring",
           .show = show,
           .collective = Collective::allreduce,
           .drawn = with(patterns("", "-flood"), ring),
           .shapes = shapes,
           .counts = counts,
           .most = most,
           .transit_budget = kTransits}};
}

FigureSpec figure_11() {
  return {.number = 11,
          .title = "512x1 PEs, growing vectors",
          .note =
              "Simulated, all but ring; predicted by the paper's formulas (ring: Lemma 6.1) and best-tree's own. Lower "
              "bound: the "
              "largest that is proven.",
          .map_title = "",
          .panels = row_panels(Show::over_counts, {{kFullRow, 1}}, lengths(), Cycles(20'000))};
}

FigureSpec figure_12() {
  return {.number = 12,
          .title = "1 KiB vectors, growing rows",
          .note =
              "Simulated, all but ring; predicted by the paper's formulas (ring: Lemma 6.1) and best-tree's own. Lower "
              "bound: the "
              "largest that is proven.",
          .map_title = "",
          .panels = row_panels(Show::over_shapes, rows(1), {kOneKilobyte}, Cycles(5000))};
}

FigureSpec figure_13() {
  const Shapes full{{kFullRow, kFullRow}};
  const auto reduce = with(patterns("xy-", ""), {.algorithm = "snake", .name = "snake"});
  const auto allreduce = with(patterns("xy-", "-flood"), {.algorithm = "snake-flood", .name = "snake"});
  return {.number = 13,
          .title = "Square grids: X-Y Reduce and snake",
          .note =
              "Simulated on the ideal machine in c, where messages pass at most 100,000 routers; predicted by each "
              "algorithm's formula. Lower bound: the largest that is proven.",
          .map_title = "",
          .panels = {{.title = "(a) Reduce, 512x512 PEs",
                      .show = Show::over_counts,
                      .collective = Collective::reduce,
                      .drawn = reduce,
                      .shapes = full,
                      .counts = lengths(),
                      .most = Cycles(40'000)},
                     {.title = "(b) AllReduce (+ flood), 512x512 PEs",
                      .show = Show::over_counts,
                      .collective = Collective::allreduce,
                      .drawn = allreduce,
                      .shapes = full,
                      .counts = lengths(),
                      .most = Cycles(40'000)},
                     {.title = "(c) Reduce, 1 KiB",
                      .show = Show::over_shapes,
                      .collective = Collective::reduce,
                      .drawn = reduce,
                      .shapes = squares(1),
                      .counts = {kOneKilobyte},
                      .most = Cycles(20'000),
                      .transit_budget = 100'000}}};
}

}  // namespace

const std::vector<FigureSpec>& figure_specs() {
  static const std::vector<FigureSpec> all{figure_1(), figure_8(), figure_10(), figure_11(), figure_12(), figure_13()};
  return all;
}

}  // namespace muster

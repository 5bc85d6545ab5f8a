// From a figure's table to its panels: sweeps, then lines or maps from what they found.
#include "paper/figures.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "machine/shapes.h"
#include "study/sweep.h"

namespace muster {

namespace {

using Show = PanelSpec::Show;

constexpr const char* kPaperBound = "Lemma 5.5";
constexpr double kBytesPerWord = 4;

bool is_map(Show show) { return show == Show::ratio_to_bound || show == Show::best_speedup; }

SweepRequest sweep_of(const PanelSpec& panel, const Machine& machine) {
  SweepRequest request;
  for (const auto& [width, height] : panel.shapes) {
    const Machine shaped = with_grid(machine, width, height);
    for (const std::int64_t count : panel.counts) {
      request.jobs.push_back({.machine = shaped, .collective = panel.collective, .count = count});
      if (panel.transit_budget > 0) request.jobs.back().transit_budget = panel.transit_budget;
    }
  }
  for (const Drawn& drawn : panel.drawn) {
    request.algorithms.push_back(drawn.algorithm);
    if (!drawn.simulated) request.unsimulated.push_back(drawn.algorithm);
  }
  request.simulate = panel.transit_budget > 0;
  request.longest = panel.most * 2;  // longer times are outside the picture
  return request;
}

/// Where a size stands on the axis: bytes of the vector, or PEs (of a square: of one side).
double x_of(const SweepSize& size, bool over_counts) {
  return over_counts ? kBytesPerWord * static_cast<double>(size.question.count)
                     : static_cast<double>(size.question.shape.sizes.front());
}

const CandidateAnswer* candidate_of(const SweepSize& size, const std::string& algorithm) {
  for (const CandidateAnswer& candidate : size.candidates) {
    if (candidate.algorithm == algorithm) return &candidate;
  }
  return nullptr;
}

double cycles_of(const std::optional<Cycles>& cycles) { return static_cast<double>(cycles.value().value()); }

std::vector<Curve> curves_of(const PanelSpec& panel, const SweepAnswer& answer) {
  const bool over_counts = panel.show == Show::over_counts;
  std::vector<Curve> curves;
  Curve bound{.name = "", .basis = Curve::Basis::bound, .points = {}};
  for (const SweepSize& size : answer.sizes) {
    if (size.bound) bound.points.emplace_back(x_of(size, over_counts), cycles_of(size.bound->cycles));
  }
  if (!bound.points.empty()) curves.push_back(std::move(bound));
  for (const Drawn& drawn : panel.drawn) {
    Curve predicted{.name = drawn.name, .basis = Curve::Basis::predicted, .points = {}};
    Curve simulated{.name = drawn.name, .basis = Curve::Basis::simulated, .points = {}};
    for (const SweepSize& size : answer.sizes) {
      const CandidateAnswer* const found = candidate_of(size, drawn.algorithm);
      if (found == nullptr) continue;
      const double x = x_of(size, over_counts);
      predicted.points.emplace_back(x, cycles_of(found->predicted_cycles));
      if (found->simulated_cycles) simulated.points.emplace_back(x, cycles_of(found->simulated_cycles));
    }
    curves.push_back(std::move(predicted));
    if (!simulated.points.empty()) curves.push_back(std::move(simulated));
  }
  return curves;
}

/// The best prediction of a size; the first of equals.
std::size_t best_of(const PanelSpec& panel, const SweepSize& size) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < panel.drawn.size(); ++i) {
    const CandidateAnswer* const candidate = candidate_of(size, panel.drawn[i].algorithm);
    const CandidateAnswer* const other = candidate_of(size, panel.drawn[best].algorithm);
    if (other == nullptr || (candidate != nullptr && candidate->predicted_cycles < other->predicted_cycles)) best = i;
  }
  return best;
}

HeatMap map_of(const PanelSpec& panel, const SweepAnswer& answer) {
  HeatMap map;
  for (const std::int64_t count : panel.counts) map.xs.push_back(kBytesPerWord * static_cast<double>(count));
  for (const auto& [width, height] : panel.shapes) map.ys.push_back(width);
  const bool ratio = panel.show == Show::ratio_to_bound;
  for (const SweepSize& size : answer.sizes) {
    const std::size_t best = best_of(panel, size);
    const double first = cycles_of(candidate_of(size, panel.drawn.front().algorithm)->predicted_cycles);
    if (ratio) {
      map.values.push_back(first / cycles_of(size.bound->cycles));
      continue;
    }
    map.values.push_back(first / cycles_of(candidate_of(size, panel.drawn[best].algorithm)->predicted_cycles));
    map.region_of.push_back(best);
  }
  if (!ratio) {
    for (const Drawn& drawn : panel.drawn) map.regions.push_back(drawn.name);
  }
  return map;
}

/// Figure 1 compares with the paper's own bound, whatever larger one is known.
void take_paper_bound(const PanelSpec& panel, SweepAnswer& answer) {
  if (panel.show != Show::ratio_to_bound) return;
  for (SweepSize& size : answer.sizes) {
    const auto named = [](const BoundAnswer& bound) { return bound.name.find(kPaperBound) != std::string::npos; };
    const auto found = std::find_if(size.bounds.begin(), size.bounds.end(), named);
    MUSTER_ASSERT(found != size.bounds.end(), "the paper's bound is not known for {} words", size.question.count);
    size.bound = *found;
  }
}

Panel panel_of(const PanelSpec& spec, const SweepAnswer& answer) {
  const bool over_counts = spec.show != Show::over_shapes;
  const bool rows = spec.shapes.front().second == 1;
  const PlotAxis length{.title = "vector length", .scale = PlotAxis::Scale::binary, .unit = PlotAxis::Unit::bytes};
  const PlotAxis pes{.title = rows ? "PEs in the row" : "side of the square in PEs",
                     .scale = PlotAxis::Scale::binary,
                     .unit = PlotAxis::Unit::number};
  const PlotAxis cycles{.title = "cycles",
                        .scale = PlotAxis::Scale::decimal,
                        .unit = PlotAxis::Unit::number,
                        .most = static_cast<double>(spec.most.value())};
  Panel panel{.title = spec.title, .x = over_counts ? length : pes, .y = cycles, .curves = {}, .map = std::nullopt};
  if (is_map(spec.show)) {
    panel.y = pes;
    panel.map = map_of(spec, answer);
  } else {
    panel.curves = curves_of(spec, answer);
  }
  return panel;
}

/// All names of curves, in one order for all figures: a pattern has the same color everywhere.
std::vector<std::string> all_names() {
  return {"star", "chain", "tree", "two-phase", "auto-gen", "best-tree", "ring", "snake", "flood"};
}

}  // namespace

FigureAnswer make_figure(const FigureSpec& spec, const Machine& machine, const std::function<void(double)>& progress) {
  FigureAnswer answer;
  answer.figure = {.name = fmt::format("figure-{}", spec.number),
                   .title = fmt::format("Figure {}. {}", spec.number, spec.title),
                   .note = spec.note,
                   .map_title = spec.map_title,
                   .names = all_names(),
                   .panels = {}};
  const auto panels = static_cast<double>(spec.panels.size());
  for (const PanelSpec& panel : spec.panels) {
    SweepRequest request = sweep_of(panel, machine);
    request.by_paper = true;
    const auto done = static_cast<double>(answer.sweeps.size());
    if (progress) request.progress = [&](double fraction) { progress((done + fraction) / panels); };
    SweepAnswer found = sweep(request);
    take_paper_bound(panel, found);
    answer.figure.panels.push_back(panel_of(panel, found));
    answer.sweeps.push_back(std::move(found));
  }
  return answer;
}

}  // namespace muster

// Curves from the predicted times of algorithms.
#include "paper/piuma_figures.h"

#include <functional>

#include "collective/algorithm.h"
#include "machine/shapes.h"
#include "result/time_base.h"
#include "schedule/arithmetic.h"

namespace muster {
namespace {

constexpr std::int64_t kMostNodes = 16'384;
constexpr std::int64_t kWordsOf128Kilobytes = 32'000;
constexpr std::int64_t kMostWords = 268'435'456;  ///< 1 GiB
constexpr std::int64_t kNodesOfSizes = 16;

Seconds time_of(const Machine& machine, const std::string& name, std::int64_t words) {
  const Algorithm& algorithm = find_algorithm(Collective::allreduce, family_name(machine), name);
  const Request request{.machine = machine, .collective = Collective::allreduce, .count = words};
  const Ticks time = algorithm.cost(request, complete_parameters(algorithm, request, {}));
  return to_seconds(time, kPicoseconds);
}

double gigabits_per_second(std::int64_t words, Seconds time) {
  return static_cast<double>(words) * sizeof(Word) * 8 / time.value() / 1e9;
}

Curve curve_of(const std::string& name, const std::vector<std::int64_t>& xs,
               const std::function<std::pair<double, double>(std::int64_t)>& point) {
  Curve curve{.name = name, .basis = Curve::Basis::predicted, .points = {}};
  for (const std::int64_t x : xs) curve.points.push_back(point(x));
  return curve;
}

std::vector<std::int64_t> growing(std::int64_t first, std::int64_t last, std::int64_t factor) {
  std::vector<std::int64_t> all;
  for (std::int64_t x = first; x <= last; x *= factor) all.push_back(x);
  return all;
}

/// A curve, and the algorithm that it shows.
struct Compared {
  const char* curve;
  const char* algorithm;
};

const PlotAxis kNodesAxis{.title = "nodes", .scale = PlotAxis::Scale::binary};

Panel latency_panel(const Machine& machine) {
  Panel panel{.title = "(a) latency of one element",
              .x = kNodesAxis,
              .y = {.title = "us", .scale = PlotAxis::Scale::decimal},
              .curves = {},
              .map = {}};
  for (const Compared& compared : {Compared{"host-based", "recursive-doubling"}, {"in-network", "in-network"}}) {
    panel.curves.push_back(curve_of(compared.curve, growing(1, kMostNodes, 2), [&](std::int64_t nodes) {
      return std::pair{static_cast<double>(nodes),
                       time_of(with_nodes(machine, nodes), compared.algorithm, 1).value() * 1e6};
    }));
  }
  return panel;
}

Panel sizes_panel(const Machine& machine) {
  Panel panel{.title = "(b) bandwidth on 16 nodes",
              .x = {.title = "vector", .scale = PlotAxis::Scale::binary, .unit = PlotAxis::Unit::bytes},
              .y = {.title = "Gb/s per core"},
              .curves = {},
              .map = {}};
  const Machine sixteen = with_nodes(machine, kNodesOfSizes);
  for (const Compared& compared : {Compared{"host-based", "rabenseifner"}, {"in-network", "in-network"}}) {
    panel.curves.push_back(curve_of(compared.curve, growing(64, kMostWords, 4), [&](std::int64_t words) {
      return std::pair{static_cast<double>(words) * sizeof(Word),
                       gigabits_per_second(words, time_of(sixteen, compared.algorithm, words))};
    }));
  }
  return panel;
}

Panel nodes_panel(const Machine& machine) {
  Panel panel{
      .title = "(c) bandwidth for 128 KB", .x = kNodesAxis, .y = {.title = "Gb/s per core"}, .curves = {}, .map = {}};
  for (const Compared& compared : {Compared{"host-based", "rabenseifner"}, {"in-network", "in-network"}}) {
    panel.curves.push_back(curve_of(compared.curve, growing(1, kMostNodes, 2), [&](std::int64_t nodes) {
      const Seconds time = time_of(with_nodes(machine, nodes), compared.algorithm, kWordsOf128Kilobytes);
      return std::pair{static_cast<double>(nodes), gigabits_per_second(kWordsOf128Kilobytes, time)};
    }));
  }
  return panel;
}

}  // namespace

FigureAnswer make_piuma_performance(const Machine& machine) {
  FigureAnswer answer;
  answer.figure = {
      .name = "piuma-figure-4",
      .title = "PIUMA, Figure 4. AllReduce in the network and on hosts",
      .note =
          "Predicted; exact in the network. The cost of a host-based round is assumed ([host] of the machine file).",
      .map_title = "",
      .names = {"host-based", "in-network"},
      .panels = {latency_panel(machine), sizes_panel(machine), nodes_panel(machine)}};
  return answer;
}

FigureAnswer make_piuma_training(const std::vector<BatchPoint>& points) {
  const auto curve = [&](const std::string& name, double BatchPoint::*value) {
    Curve drawn{.name = name, .basis = Curve::Basis::simulated, .points = {}};
    for (const BatchPoint& point : points) drawn.points.emplace_back(point.batch, point.*value);
    return drawn;
  };
  const PlotAxis batches{.title = "images per node", .scale = PlotAxis::Scale::binary};
  FigureAnswer answer;
  answer.figure = {.name = "piuma-figure-5",
                   .title = "PIUMA, Figure 5. Training VGG16 on 16 nodes with A100-like compute",
                   .note = "Compute is assumed to reach 28% of peak; host-based AllReduce does not overlap with it.",
                   .map_title = "",
                   .names = {"host-based", "in-network", "in-network, overlapped"},
                   .panels = {}};
  answer.figure.panels.push_back(
      {.title = "(a) time in AllReduce",
       .x = batches,
       .y = {.title = "%"},
       .curves = {curve("host-based", &BatchPoint::host_wait), curve("in-network", &BatchPoint::network_wait)},
       .map = {}});
  answer.figure.panels.push_back(
      {.title = "(b) speed-up over host-based",
       .x = batches,
       .y = {.title = "times as fast"},
       .curves = {curve("in-network", &BatchPoint::speedup), curve("in-network, overlapped", &BatchPoint::overlapped)},
       .map = {}});
  return answer;
}

}  // namespace muster

#include "app/seismic/roofline.h"

#include <algorithm>

#include "app/seismic/cost.h"
#include "app/seismic/cpu/peaks.h"
#include "app/seismic/propagators.h"
#include "app/seismic/stopwatch.h"

namespace muster::seismic {
namespace {

constexpr int kOrder = 8;
constexpr std::int64_t kStreamed = std::int64_t{24} << 20U;  ///< values of each of two arrays
constexpr std::int64_t kLeastBytes = 300'000'000;            ///< of a propagator's arrays: many caches
constexpr std::int64_t kLeastCells = 96;                     ///< along an axis: with fewer, halos would count
constexpr std::int64_t kMoreCells = 16;
constexpr int kTrials = 5;

GridOptions grid_of(const Description& equation) {
  constexpr Sides kZero{.low = Boundary::zero, .high = Boundary::zero};
  GridOptions grid{.spacing = {20, 20, 20}, .order = kOrder, .time_step = 1e-3, .sides = {kZero, kZero, kZero}};
  std::int64_t cells = kLeastCells;
  do {
    grid.extent = {cells, cells, cells};
    cells += kMoreCells;
  } while (state_bytes(equation, grid, whole_of(grid), sizeof(float)) < kLeastBytes);
  return grid;
}

double cells_per_second(std::string_view name, const GridOptions& grid, int threads) {
  const std::unique_ptr<Model> model = constant_model({.vp = 3000, .vs = 1700, .rho = 2});
  Simulation<float> simulation =
      make_simulation<float>(name, grid, *model, {.kind = Target::Kind::cpu, .threads = threads});
  simulation.step();
  double least = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const Stopwatch watch(threads);
    simulation.step();
    const double seconds = watch.seconds();
    least = trial == 0 ? seconds : std::min(least, seconds);
  }
  return static_cast<double>(cells_of(grid.extent)) / least;
}

}  // namespace

Peaks measure_peaks(int threads) {
  Array<float> values(kStreamed);
  const Array<float> others(kStreamed);
  return {.bandwidth = BytesPerSecond(measure_bandwidth(threads, values.values(), others.values())),
          .operations = measure_operations(threads)};
}

RooflineAnswer measure_roofline(int threads, const std::function<void(double)>& progress) {
  RooflineAnswer answer{.threads = threads, .order = kOrder, .precision = "f32"};
  const Peaks of_one = measure_peaks(1);
  const Peaks of_all = measure_peaks(threads);
  answer.bandwidth_of_one = of_one.bandwidth;
  answer.bandwidth = of_all.bandwidth;
  answer.operations_of_one = of_one.operations;
  answer.operations = of_all.operations;
  const std::vector<std::string> names = propagator_names();
  for (const std::string& name : names) {
    if (progress) progress(static_cast<double>(answer.propagators.size() + 1) / static_cast<double>(names.size() + 1));
    const GridOptions grid = grid_of(describe_propagator(name));
    const Cost cost = cost_of(name, kOrder, sizeof(float));
    const double by_memory = answer.bandwidth.value() / cost.bytes;
    const double by_arithmetic = answer.operations / cost.operations;
    answer.propagators.push_back({.name = name,
                                  .grid = {grid.extent.x, grid.extent.y, grid.extent.z},
                                  .operations = cost.operations,
                                  .bytes = cost.bytes,
                                  .cells_per_second = cells_per_second(name, grid, threads),
                                  .bound = std::min(by_memory, by_arithmetic),
                                  .is_bound_by_memory = by_memory <= by_arithmetic});
  }
  return answer;
}

}  // namespace muster::seismic

// Claims about shots of wave propagation: what a shot is, and how long its kernels take on this machine, on one thread.
#include <algorithm>

#include "app/seismic/cost.h"
#include "app/seismic/propagators.h"
#include "app/seismic/roofline.h"
#include "app/seismic/shot.h"
#include "app/seismic/stopwatch.h"
#include "base/error.h"
#include "paper/kinds.h"
#include "paper/simulations.h"

namespace muster {
namespace {

using seismic::Boundary;
using seismic::Shot;

/// A shot that is timed; claims that are checked together time equal ones once.
struct TimedShot {
  Shot shot;
  std::string key;
  Simulations* simulations = nullptr;  ///< null: nothing is shared
};

TimedShot shot_with(const Claim& claim, const std::string& text, const std::map<std::string, std::string>& keys) {
  TimedShot timed{.shot = seismic::read_shot(text, claim.shot + ".toml", keys),
                  .key = claim.shot,
                  .simulations = claim.simulations};
  for (const auto& [name, value] : keys) timed.key += fmt::format("|{}={}", name, value);
  return timed;
}

std::int64_t receivers_of(const Shot& shot) {
  std::int64_t count = 0;
  for (const seismic::ReceiverSet& set : shot.receivers) count += static_cast<std::int64_t>(set.positions.size());
  return count;
}

/// With what its layers take, in the mean over all cells.
seismic::Cost cost_of(const Shot& shot) { return seismic::cost_with_layers(shot.propagator, shot.grid, sizeof(float)); }

struct ShotValue {
  std::string name;
  double (*of)(const Shot&);
};

const std::vector<ShotValue>& table() {
  static const std::vector<ShotValue> values{
      {"bytes per cell", [](const Shot& shot) { return cost_of(shot).bytes; }},
      {"cells", [](const Shot& shot) { return static_cast<double>(cells_of(shot.grid.extent)); }},
      {"cfl", [](const Shot& shot) { return shot.cfl; }},
      {"layer cells", [](const Shot& shot) { return static_cast<double>(shot.grid.layers.cells); }},
      {"cells in layers, %", [](const Shot& shot) { return 100 * seismic::layer_share(shot.grid); }},
      {"operations per cell", [](const Shot& shot) { return cost_of(shot).operations; }},
      {"points per wavelength",
       [](const Shot& shot) { return points_per_wavelength(shot, shot.sources.front().wavelet.frequency); }},
      {"radius", [](const Shot& shot) { return shot.grid.order / 2.0; }},
      {"receivers", [](const Shot& shot) { return static_cast<double>(receivers_of(shot)); }},
      {"steps", [](const Shot& shot) { return static_cast<double>(shot.steps); }},
  };
  return values;
}

constexpr double kTrialSeconds = 0.4;

/// Of a step of the kernels: the median of so many as take a trial's time, or of all of the shot's.
double seconds_per_step(const TimedShot& timed, int threads = 1) {
  const auto measure = [&] {
    const Shot& shot = timed.shot;
    const seismic::Target target{.kind = seismic::Target::Kind::cpu, .threads = threads};
    seismic::Simulation<float> simulation =
        seismic::make_simulation<float>(shot.propagator, shot.grid, *shot.model, target);
    simulation.step();  // touches all memory
    return seismic::median_seconds([&] { simulation.step(); }, kTrialSeconds, shot.steps);
  };
  if (timed.simulations == nullptr) return measure();
  return timed.simulations->shots.of(fmt::format("{}|{}", timed.key, threads), measure);
}

Measured value(const Claim& claim, const Shot& shot) {
  const auto found = std::ranges::find(table(), claim.value, &ShotValue::name);
  const double number = found->of(shot);
  return {number, {}, number_text(number)};
}

Measured time(const TimedShot& timed) {
  const double step = seconds_per_step(timed);
  const std::int64_t steps = timed.shot.steps;
  const double all = step * static_cast<double>(steps);
  return {all, {}, fmt::format("{:.2f} s ({} steps of {:.1f} ms, one thread here)", all, steps, step * 1e3)};
}

double seconds_per_cell(const TimedShot& timed, int threads = 1) {
  return seconds_per_step(timed, threads) / static_cast<double>(cells_of(timed.shot.grid.extent));
}

Measured ratio(const TimedShot& shot, const TimedShot& other) {
  const double of_this = seconds_per_cell(shot);
  const double of_other = seconds_per_cell(other);
  return {of_this / of_other,
          {},
          fmt::format("{:.2f}x ({:.2f} / {:.2f} ns per cell and step, one thread here)", of_this / of_other,
                      of_this * 1e9, of_other * 1e9)};
}

/// The operations per byte of a shot's kernels over those at which this machine's memory and arithmetic are equally busy.
Measured intensity(const TimedShot& timed) {
  const seismic::Cost cost = cost_of(timed.shot);
  const seismic::Peaks peaks = seismic::measure_peaks(1);
  const double balance = peaks.operations / peaks.bandwidth.value();
  const double percent = 100 * cost.intensity() / balance;
  const double bound = std::max(cost.bytes / peaks.bandwidth.value(), cost.operations / peaks.operations);
  return {percent,
          {},
          fmt::format("{:.0f}% ({:.3g} operations and {:.3g} bytes per cell; kernels reach {:.0f}% of the bound, one "
                      "thread here)",
                      percent, cost.operations, cost.bytes, 100 * bound / seconds_per_cell(timed))};
}

/// Cells per second of two threads over those of one, which may have another grid.
Measured speedup(const TimedShot& shot, const TimedShot& other) {
  const double of_two = seconds_per_cell(shot, 2);
  const double of_one = seconds_per_cell(other);
  return {of_one / of_two,
          {},
          fmt::format("{:.2f}x ({:.0f} / {:.0f} million cells per second, two threads / one here)", of_one / of_two,
                      1e-6 / of_two, 1e-6 / of_one)};
}

/// Of the time of a step: what the inner cells would not take by themselves, on a grid without layers.
Measured layer_share(const TimedShot& timed) {
  TimedShot bare = timed;
  bare.key += "|bare";
  for (const seismic::Axis axis : seismic::kAxes) bare.shot.grid.sides[axis] = {Boundary::zero, Boundary::zero};
  const double inner = seconds_per_cell(bare) * (1 - seismic::layer_share(timed.shot.grid));
  const double percent = 100 * (1 - inner / seconds_per_cell(timed));
  return {percent, {}, fmt::format("{:.0f}% of the time, one thread here", percent)};
}

}  // namespace

const std::vector<std::string>& shot_values() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const ShotValue& row : table()) list.push_back(row.name);
    return list;
  }();
  return names;
}

Measured of_shot(const Claim& claim, const std::string& text) {
  const TimedShot shot = shot_with(claim, text, claim.keys);
  if (claim.kind == "shot_value") return value(claim, shot.shot);
  if (claim.kind == "shot_time") return time(shot);
  if (claim.kind == "layer_share") return layer_share(shot);
  if (claim.kind == "shot_intensity") return intensity(shot);
  const TimedShot other = shot_with(claim, text, claim.other_keys);
  return claim.kind == "shot_speedup" ? speedup(shot, other) : ratio(shot, other);
}

}  // namespace muster

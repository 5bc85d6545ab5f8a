// The grid of a shot file: propagator, cells, spacing, differences, and the time step.
#include <array>
#include <charconv>

#include "app/seismic/differences.h"
#include "app/seismic/propagator_names.h"
#include "app/seismic/shot_file/reader.h"
#include "app/seismic/stability.h"

namespace muster::seismic {
namespace {

const std::array<std::string, 2> kPrecisions{"f32", "f64"};

Extent read_extent(const TomlTable& root) {
  const std::string text = root.string("grid");
  std::array<std::int64_t, 3> cells{};
  const char* at = text.data();
  const char* end = text.data() + text.size();
  bool is_good = true;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto [next, error] = std::from_chars(at, end, cells[i]);
    is_good &= error == std::errc{} && cells[i] >= 1 && cells[i] <= kMostCells;
    at = next;
    if (i < 2) is_good &= at != end && *at++ == 'x';
    if (!is_good) break;
  }
  if (!is_good || at != end) {
    root.refuse("grid", fmt::format("'{}' is not a grid of 1 to {} cells along x, y and z; use e.g. '240x240x240'",
                                    text, kMostCells));
  }
  return {cells[0], cells[1], cells[2]};
}

PerAxis<double> read_spacing(const TomlTable& root) {
  PerAxis<double> spacing;
  if (root.is_list("spacing")) {
    spacing = read_lengths(root, "spacing", Sign::none);
  } else {
    const double all = root.metres("spacing").value();
    spacing = {all, all, all};
  }
  for (const Axis axis : kAxes) {
    if (spacing[axis] > 0) continue;
    root.refuse("spacing", fmt::format("{} m along {} is not a positive length; use e.g. '20 m'", spacing[axis],
                                       "xyz"[index_of(axis)]));
  }
  return spacing;
}

void check_stability(const TomlTable& root, std::string_view key, const Shot& shot) {
  if (shot.cfl <= 0) root.refuse(key, fmt::format("{} is not positive", root.described(key)));
  if (shot.cfl > 1) {
    root.refuse(key, fmt::format("{} is {:.3g} times the largest stable time step, {:.4g} ms; use less",
                                 root.described(key), shot.cfl, shot.longest_step * 1e3));
  }
}

/// Of a time step and a cfl, one may replace the other.
void choose_time_step(const TomlTable& root, const std::map<std::string, std::string>& overrides) {
  if (overrides.contains("time_step") == overrides.contains("cfl")) {
    root.refuse("cfl", "is given beside time_step; give one of them");
  }
  if (overrides.contains("cfl")) {
    (void)root.seconds("time_step");  // has been read, and does not count
  } else {
    (void)root.number("cfl");
  }
}

}  // namespace

void read_grid(const TomlTable& root, Shot& shot) {
  shot.propagator = root.choice("propagator", propagator_names());
  shot.is_double = root.has("precision") && root.choice("precision", kPrecisions) == "f64";
  shot.grid.extent = read_extent(root);
  shot.grid.spacing = read_spacing(root);
  static const std::array<std::string, 2> kWeights{"taylor", "dispersion"};
  if (root.has("weights") && root.choice("weights", kWeights) == "dispersion") shot.grid.weights = Weights::dispersion;
  if (!root.has("order")) return;
  shot.grid.order = static_cast<int>(root.integer("order", {kLeastOrder, kMostOrder}));
  if (shot.grid.order % 2 != 0) root.refuse("order", fmt::format("{} is odd; use 2, 4, ..., 16", shot.grid.order));
}

void read_time(const TomlTable& root, const std::map<std::string, std::string>& overrides, Shot& shot) {
  shot.steps = root.integer("steps", {1, kMostSteps});
  const Description equation = describe_propagator(shot.propagator);
  const double fastest = shot.velocities.fastest;
  shot.longest_step =
      stable_limit(equation, shot.grid) / (fastest * contrast_factor(*shot.model, shot.grid, equation, fastest));
  if (root.has("time_step") && root.has("cfl")) choose_time_step(root, overrides);
  if (root.has("time_step") && !overrides.contains("cfl")) {
    shot.grid.time_step = root.seconds("time_step").value();
    shot.cfl = shot.grid.time_step / shot.longest_step;
    check_stability(root, "time_step", shot);
  } else {
    shot.cfl = root.number("cfl");
    shot.grid.time_step = shot.cfl * shot.longest_step;
    check_stability(root, "cfl", shot);
  }
}

}  // namespace muster::seismic

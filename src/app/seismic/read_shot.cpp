// Reading shots. What can be said before the work begins is said here.
#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>

#include "app/seismic/differences.h"
#include "app/seismic/propagators.h"
#include "app/seismic/shot.h"
#include "base/error.h"
#include "base/toml_reader.h"

namespace muster::seismic {
namespace {

constexpr std::int64_t kMostCells = 100'000;  // along an axis
constexpr double kLeastPointsPerWavelength = 2.5;

const std::array<std::string, 6> kBoundaries{"cpml", "damping", "free-surface", "periodic", "rigid", "zero"};
const std::array<std::string, 2> kPrecisions{"f32", "f64"};

class Reader {
 public:
  Reader(std::string_view text, const std::string& file, const std::map<std::string, std::string>& overrides)
      : document_(text, file, overrides, "--set"), root_(document_.root()) {
    shot_.name = std::filesystem::path(file).stem().string();
  }

  Shot read() && {
    read_grid();
    read_model();
    read_boundaries();
    read_time();
    for (const TomlTable& table : root_.tables("source")) read_source(table);
    document_.finish();
    return std::move(shot_);
  }

 private:
  void read_grid() {
    shot_.propagator = root_.choice("propagator", propagator_names());
    shot_.is_double = root_.has("precision") && root_.choice("precision", kPrecisions) == "f64";
    shot_.grid.extent = extent();
    const double spacing = positive_metres("spacing");
    shot_.grid.spacing = {spacing, spacing, spacing};
    if (root_.has("order")) {
      shot_.grid.order = static_cast<int>(root_.integer("order", {kLeastOrder, kMostOrder}));
      if (shot_.grid.order % 2 != 0)
        root_.refuse("order", fmt::format("{} is odd; use 2, 4, ..., 16", shot_.grid.order));
    }
  }

  double positive_metres(std::string_view key) {
    const double value = root_.metres(key).value();
    if (value <= 0)
      root_.refuse(key, fmt::format("{} is not a positive length; use e.g. '20 m'", root_.described(key)));
    return value;
  }

  Extent extent() {
    const std::string text = root_.string("grid");
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
      root_.refuse("grid", fmt::format("'{}' is not a grid of 1 to {} cells along x, y and z; use e.g. '240x240x240'",
                                       text, kMostCells));
    }
    return {cells[0], cells[1], cells[2]};
  }

  void read_model() {
    for (const TomlTable& table : root_.tables("layer")) {
      ModelLayer layer;
      layer.top = table.has("top") ? table.metres("top").value() : 0;
      layer.medium.vp = table.velocity("vp").value();
      if (layer.medium.vp <= 0) table.refuse("vp", "is not positive");
      if (table.has("vs")) layer.medium.vs = table.velocity("vs").value();
      if (table.has("density")) layer.medium.rho = table.density("density").value();
      if (layer.medium.rho <= 0) table.refuse("density", "is not positive");
      // Positive definite stiffness: lambda + 2/3 mu > 0.
      if (3 * layer.medium.vp * layer.medium.vp <= 4 * layer.medium.vs * layer.medium.vs) {
        table.refuse("vs",
                     fmt::format("{} is too fast for vp = {}: the stiffness is not positive definite; use less than "
                                 "0.866 vp",
                                 table.described("vs"), table.described("vp")));
      }
      const bool is_first = shot_.layers.empty();
      if (is_first ? layer.top != 0 : layer.top <= shot_.layers.back().top) {
        table.refuse("top", is_first ? "the first layer begins at '0 m'" : "layers are listed from the top down");
      }
      shot_.layers.push_back(layer);
    }
    if (shot_.layers.empty()) root_.refuse("layer", "there is none; a model has at least one [[layer]]");
  }

  void read_boundaries() {
    const TomlTable table = root_.table("boundaries");
    const auto boundary = [&](std::string_view key, Boundary otherwise) {
      if (!table.has(key)) return otherwise;
      const std::string name = table.choice(key, kBoundaries);
      return static_cast<Boundary>(std::ranges::find(kBoundaries, name) - kBoundaries.begin());
    };
    const Boundary all = boundary("all", Boundary::cpml);
    constexpr std::array<std::string_view, 3> kLow{"low_x", "low_y", "low_z"};
    constexpr std::array<std::string_view, 3> kHigh{"high_x", "high_y", "high_z"};
    for (const Axis axis : kAxes) {
      const std::size_t i = index_of(axis);
      Sides& sides = shot_.grid.sides[axis];
      sides = {.low = boundary(kLow[i], all), .high = boundary(kHigh[i], all)};
      if ((sides.low == Boundary::periodic) != (sides.high == Boundary::periodic)) {
        table.refuse(kLow[i], fmt::format("is periodic on one side only; {} must be, too", kHigh[i]));
      }
    }
    const bool is_elastic = describe_propagator(shot_.propagator).field("sxy") >= 0;
    for (const Axis axis : kAxes) {
      const auto mirrors = [](Boundary side) { return side == Boundary::free_surface || side == Boundary::rigid; };
      if (!is_elastic || (!mirrors(shot_.grid.sides[axis].low) && !mirrors(shot_.grid.sides[axis].high))) continue;
      root_.refuse(
          "propagator",
          fmt::format("{} has no free surface and no rigid side yet; use an acoustic one, or cpml", shot_.propagator));
    }
    if (table.has("cells")) shot_.grid.layers.cells = table.integer("cells", {1, kMostCells});
    check_layers(table);
  }

  void check_layers(const TomlTable& table) {
    const std::int64_t cells = shot_.grid.layers.cells;
    const std::int64_t radius = shot_.grid.order / 2;
    const auto absorbs = [](Boundary side) { return side == Boundary::cpml || side == Boundary::damping; };
    for (const Axis axis : kAxes) {
      const Sides& sides = shot_.grid.sides[axis];
      const std::int64_t extent = shot_.grid.extent[axis];
      if (extent <= radius) {
        root_.refuse("grid", fmt::format("{} cells along {} are less than a stencil of order {} needs; use at least {}",
                                         extent, "xyz"[index_of(axis)], shot_.grid.order, radius + 1));
      }
      if (!absorbs(sides.low) && !absorbs(sides.high)) continue;
      if (cells < radius) {
        table.refuse("cells", fmt::format("{} is less than the stencil's radius; use at least {}", cells, radius));
      }
      const int layers = static_cast<int>(absorbs(sides.low)) + static_cast<int>(absorbs(sides.high));
      if (layers * (cells + radius) >= extent) {
        root_.refuse("grid", fmt::format("{} cells along {} are no more than its layers, {} each; use a larger grid or "
                                         "fewer boundaries.cells",
                                         extent, "xyz"[index_of(axis)], cells + radius));
      }
    }
  }

  void read_time() {
    shot_.steps = root_.integer("steps", {1, kMostSteps});
    const Description equation = describe_propagator(shot_.propagator);
    const double limit =
        (equation.has_second() ? central_limit(central_weights(shot_.grid.order), shot_.grid.spacing)
                               : staggered_limit(staggered_weights(shot_.grid.order), shot_.grid.spacing)) /
        fastest(shot_);
    if (root_.has("time_step")) {
      shot_.grid.time_step = root_.seconds("time_step").value();
      shot_.cfl = shot_.grid.time_step / limit;
      check_stability("time_step", limit);
    } else {
      shot_.cfl = root_.number("cfl");
      shot_.grid.time_step = shot_.cfl * limit;
      check_stability("cfl", limit);
    }
  }

  void check_stability(std::string_view key, double limit) {
    if (shot_.cfl <= 0) root_.refuse(key, fmt::format("{} is not positive", root_.described(key)));
    if (shot_.cfl > 1) {
      root_.refuse(key, fmt::format("{} is {:.3g} times the largest stable time step, {:.4g} ms; use less",
                                    root_.described(key), shot_.cfl, limit * 1e3));
    }
  }

  PerAxis<double> position(const TomlTable& table) {
    const std::vector<std::string> texts = table.strings("position");
    if (texts.size() != 3) table.refuse("position", "has x, y and z; use e.g. [\"2.4 km\", \"2.4 km\", \"20 m\"]");
    PerAxis<double> position;
    for (const Axis axis : kAxes) {
      const Outcome<Metres> value = parse_metres(texts[index_of(axis)]);
      if (!value) table.refuse("position", value.reason());
      position[axis] = value.value().value();
      check_inside(table, axis, position[axis]);
    }
    return position;
  }

  void check_inside(const TomlTable& table, Axis axis, double metres) {
    const double last = static_cast<double>(shot_.grid.extent[axis] - 1) * shot_.grid.spacing[axis];
    if (metres > last) {
      table.refuse("position", fmt::format("{} = {} m is outside the grid, which ends at {} m", "xyz"[index_of(axis)],
                                           metres, last));
    }
  }

  void read_source(const TomlTable& table) {
    Source source;
    source.position = position(table);
    source.wavelet.frequency = table.hertz("frequency").value();
    if (source.wavelet.frequency <= 0) table.refuse("frequency", "is not positive");
    source.wavelet.delay = table.has("delay") ? table.seconds("delay").value() : 1.5 / source.wavelet.frequency;
    check_wavelength(table, source.wavelet);
    shot_.grid.layers.frequency = source.wavelet.frequency;
    shot_.grid.layers.velocity = fastest(shot_);
    shot_.sources.push_back(source);
  }

  void check_wavelength(const TomlTable& table, const Ricker& wavelet) {
    const double points = slowest(shot_) / (wavelet.frequency * shot_.grid.spacing.x);
    if (points >= kLeastPointsPerWavelength) return;
    table.refuse("frequency",
                 fmt::format("{} has {:.2f} cells per wavelength in the slowest medium ({} m/s); use at "
                             "least {}: a finer grid or a lower frequency",
                             table.described("frequency"), points, slowest(shot_), kLeastPointsPerWavelength));
  }

  TomlDocument document_;
  TomlTable root_;
  Shot shot_;
};

}  // namespace

Shot read_shot(std::string_view text, const std::string& file, const std::map<std::string, std::string>& overrides) {
  return Reader(text, file, overrides).read();
}

}  // namespace muster::seismic

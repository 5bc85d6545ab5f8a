// The GPU's kernels: are they right, and how fast? tools/cuda_figures builds and runs this; it needs nothing but nvcc and a GPU.
//
//   cuda_figures check     all equations against the reference, bit for bit, on random grids, orders and boundaries; and whether a model that
//                          is larger than the GPU's memory is refused
//   cuda_figures figures [PROPAGATOR [CELLS]]   Gcell/s of every propagator, or one, or on a grid of CELLS along each axis; the same kernels
//                          are compared with the reference on a small grid in the same run
//   cuda_figures shots     several simulations at the same time, on small grids
#include <barrier>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "app/seismic/cuda/cuda_engine.h"
#include "app/seismic/cuda/device.h"
#include "app/seismic/cuda/kernels.h"
#include "app/seismic/cuda/target.h"
#include "app/seismic/equation/equations.h"
#include "app/seismic/host_engine.h"
#include "app/seismic/random_model.h"
#include "app/seismic/reference.h"
#include "app/seismic/setup.h"
#include "app/seismic/simulation.h"
#include "app/seismic/stability.h"
#include "base/error.h"
#include "base/random.h"

namespace muster::seismic {
namespace {

struct Case {
  GridOptions grid;
  std::uint64_t seed = 0;
};

/// A grid of 20 m and waves of 10 Hz, with a time step that is stable in every model here.
Case case_of(const Description& equation, const Extent& extent, const Sides& sides, int order) {
  Case test;
  test.grid = {.extent = extent,
               .spacing = {20, 20, 20},
               .order = order,
               .time_step = 0,
               .sides = {sides, sides, sides},
               .layers = {}};
  test.grid.time_step = 0.6 * stable_limit(equation, test.grid) / 3600;  // 3000 m/s and epsilon of 0.2
  test.grid.layers.velocity = 3000;
  test.grid.layers.frequency = 10;
  return test;
}

void fill_with_noise(State<float>& state, std::uint64_t seed) {
  const Extent& extent = state.layout.extent();
  Random random(seed);
  for (Volume<float>& field : state.fields) {
    for (std::int64_t x = 0; x < extent.x; ++x) {
      for (std::int64_t y = 0; y < extent.y; ++y) {
        for (std::int64_t z = 0; z < extent.z; ++z) field.at(x, y, z) = static_cast<float>(random.unit() - 0.5);
      }
    }
  }
}

/// The first value of which the bits differ, as text; empty: none.
std::string difference(const Description& equation, const State<float>& expected, const State<float>& found) {
  const Extent& extent = expected.layout.extent();
  for (std::size_t f = 0; f < expected.fields.size(); ++f) {
    for (std::int64_t x = 0; x < extent.x; ++x) {
      for (std::int64_t y = 0; y < extent.y; ++y) {
        for (std::int64_t z = 0; z < extent.z; ++z) {
          const float a = expected.fields[f].at(x, y, z);
          const float b = found.fields[f].at(x, y, z);
          if (std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b)) continue;
          char text[200];
          std::snprintf(text, sizeof text, "%s at %d,%d,%d: %.9g and %.9g", equation.fields[f].name.data(),
                        static_cast<int>(x), static_cast<int>(y), static_cast<int>(z), static_cast<double>(a),
                        static_cast<double>(b));
          return text;
        }
      }
    }
  }
  return {};
}

template <class Equation>
std::unique_ptr<Engine<float>> on_device(const Case& test, const Model& model) {
  const Description equation = describe<Equation>();
  return std::make_unique<CudaEngine>(equation, test.grid.sides,
                                      make_state<float>(equation, test.grid, whole_of(test.grid), model),
                                      make_cuda_kernels_of<Equation>());
}

/// Two points of the first field, which share nodes.
Points points_of(const Extent& extent) {
  const Extent middle{extent.x / 2, extent.y / 2, extent.z / 2};
  Points points{.field = 0, .points = {{}, {}}};
  for (std::int64_t i = -1; i <= 1; ++i) {
    const Extent cell{middle.x + i, middle.y, middle.z + i};
    points.points[0].push_back({.cell = cell, .weight = 0.3 + 0.1 * static_cast<double>(i)});
    points.points[1].push_back({.cell = {middle.x, middle.y, middle.z + i}, .weight = 0.7});
  }
  return points;
}

/// Whether both find the same values that are not finite: none, then those of an infinite source, which is the first of all points.
std::string difference_of_infinities(Engine<float>& expected, Engine<float>& found) {
  if (expected.first_not_finite() || found.first_not_finite()) return "a value is not finite";
  for (Engine<float>* engine : {&expected, &found}) engine->inject(0, std::vector<double>{INFINITY, 0});
  const std::optional<NotFinite> first = expected.first_not_finite();
  const std::optional<NotFinite> second = found.first_not_finite();
  const bool is_same = first && second && first->field == second->field && first->cell == second->cell;
  return is_same ? "" : "not the same value is infinite first";
}

/// Runs a case on the device and by the reference; what differs, as text.
template <class Equation>
std::string compare(const Case& test, int steps) {
  const Description equation = describe<Equation>();
  const RandomModel model(test.seed);
  const Part part = whole_of(test.grid);
  HostEngine<float> expected(equation, make_state<float>(equation, test.grid, part, model), part,
                             std::make_unique<ReferenceKernels<Equation, float>>());
  const std::unique_ptr<Engine<float>> found = on_device<Equation>(test, model);
  std::vector<std::vector<double>> gathered;
  for (Engine<float>* engine : {static_cast<Engine<float>*>(&expected), found.get()}) {
    fill_with_noise(engine->state(), test.seed);
    engine->upload();
    const std::size_t points = engine->add(points_of(test.grid.extent));
    std::vector<double> values(2);
    for (int step = 0; step < steps; ++step) {
      for (std::size_t phase = 0; phase < equation.phases.size(); ++phase) engine->run(phase);
      engine->inject(points, std::vector<double>{0.25 + step, -0.125});
    }
    engine->gather(points, values);
    gathered.push_back(values);
  }
  if (gathered[0] != gathered[1]) return "gathered values differ";
  const std::string differs = difference(equation, expected.state(), found->state());
  return differs.empty() ? difference_of_infinities(expected, *found) : differs;
}

std::uint64_t below(Random& random, std::uint64_t limit) { return random.bits() % limit; }

Boundary any_boundary(Random& random) {
  constexpr std::array kAll{Boundary::cpml,         Boundary::cpml,  Boundary::damping,
                            Boundary::free_surface, Boundary::rigid, Boundary::zero};
  return kAll[below(random, kAll.size())];
}

Case any_case(const Description& equation, std::uint64_t seed) {
  Random random(seed);
  const int order = below(random, 3) > 0 ? 8 : static_cast<int>(2 * (1 + below(random, 8)));
  const auto cells = static_cast<std::int64_t>(1 + below(random, 9));
  const auto extent = [&] { return static_cast<std::int64_t>(2 * (cells + order / 2) + 1 + below(random, 70)); };
  Case test = case_of(equation, {extent() / 2 + order, extent(), extent()}, {}, order);
  const std::int64_t least = 2 * (cells + order / 2) + 1;
  if (test.grid.extent.x < least) test.grid.extent.x = least;
  test.grid.layers.cells = cells;
  test.grid.layers.ratio = equation.is_anisotropic && below(random, 2) == 0 ? 0.3 : 0;
  for (const Axis axis : kAxes) {
    const bool is_periodic = below(random, 5) == 0;
    test.grid.sides[axis] =
        is_periodic ? Sides{Boundary::periodic, Boundary::periodic} : Sides{any_boundary(random), any_boundary(random)};
  }
  test.seed = seed;
  return test;
}

int check_all() {
  int wrong = 0;
  for_each_equation([&]<class Equation>() {
    const Description equation = describe<Equation>();
    const int cases = equation.has_second() ? 60 : 25;
    int same = 0;
    for (int seed = 1; seed <= cases; ++seed) {
      const Case test = any_case(equation, static_cast<std::uint64_t>(seed));
      const std::string differs = compare<Equation>(test, 5);
      if (differs.empty()) {
        ++same;
        continue;
      }
      const Extent& extent = test.grid.extent;
      std::printf("%s, seed %d, order %d, %dx%dx%d, layers of %d: %s\n", equation.name.data(), seed, test.grid.order,
                  static_cast<int>(extent.x), static_cast<int>(extent.y), static_cast<int>(extent.z),
                  static_cast<int>(test.grid.layers.cells), differs.c_str());
    }
    std::printf("%-20s %d of %d random cases have the bits of the reference\n", equation.name.data(), same, cases);
    std::fflush(stdout);
    wrong += cases - same;
  });
  return wrong == 0 ? 0 : 1;
}

/// A grid whose first field alone would fill the free memory: refused with both numbers, before anything is allocated.
bool refuses_too_large_models(const DeviceInfo& device) {
  const auto cells = static_cast<std::int64_t>(std::cbrt(static_cast<double>(device.free_bytes) / sizeof(float))) + 1;
  const Case test = case_of(describe<AcousticIsoCd>(), {cells, cells, cells}, {Boundary::cpml, Boundary::cpml}, 8);
  try {
    (void)make_cuda_engine(AcousticIsoCd::kName, test.grid, *constant_model({.vp = 3000}));
  } catch (const InputError& error) {
    std::printf("%d³ cells are refused: %s\n", static_cast<int>(cells), error.what());
    return std::string_view(error.what()).find("GiB free") != std::string_view::npos;
  }
  std::printf("%d³ cells are not refused\n", static_cast<int>(cells));
  return false;
}

struct Figure {
  std::int64_t cells = 0;  ///< along each axis
  int steps = 0;
};

/// Gcell/s over all steps, fastest of three runs.
template <class Equation>
double speed(Engine<float>& engine, const Figure& figure) {
  const std::size_t phases = describe<Equation>().phases.size();
  const auto steps = [&](int count) {
    for (int step = 0; step < count; ++step) {
      for (std::size_t phase = 0; phase < phases; ++phase) engine.run(phase);
    }
    engine.wait();
  };
  steps(3);
  double best = 0;
  for (int run = 0; run < 3; ++run) {
    const auto start = std::chrono::steady_clock::now();
    steps(figure.steps);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const auto updates = static_cast<double>(figure.cells * figure.cells * figure.cells) * figure.steps;
    best = std::max(best, updates / seconds * 1e-9);
  }
  return best;
}

/// One line of the table.
template <class Equation>
bool measure(const Figure& figure, std::string_view name, const Sides& sides) {
  const Description equation = describe<Equation>();
  Case small = case_of(equation, {70, 75, 81}, sides, 8);
  small.seed = 1;
  const std::string differs = compare<Equation>(small, 5);
  const std::int64_t n = figure.cells;
  const Case large = case_of(equation, {n, n, n}, sides, 8);
  const std::unique_ptr<Model> model =
      constant_model({.vp = 3000, .vs = 1500, .rho = 2, .epsilon = 0.2, .delta = 0.1, .theta = 0.5, .phi = 0.3});
  const std::unique_ptr<Engine<float>> engine = on_device<Equation>(large, *model);
  engine->state().fields.front().at(n / 2, n / 2, n / 2) = 1;
  engine->upload();
  std::printf("| `%s` | %d³ | %.*s | %.1f | %s |\n", equation.name.data(), static_cast<int>(n),
              static_cast<int>(name.size()), name.data(), speed<Equation>(*engine, figure),
              differs.empty() ? "the same bits" : differs.c_str());
  std::fflush(stdout);
  return differs.empty();
}

Figure figure_of(const Description& equation) {
  if (equation.has_second()) return {.cells = 960, .steps = 40};
  if (equation.parameters.size() > 20) return {.cells = 320, .steps = 10};
  return {.cells = 512, .steps = 10};
}

/// Of one propagator, or of all; with `cells` along each axis, or 0.
int print_figures(std::string_view only, std::int64_t cells) {
  constexpr Sides kDamping{Boundary::damping, Boundary::damping};
  constexpr Sides kCpml{Boundary::cpml, Boundary::cpml};
  bool is_right = true;
  std::printf("| propagator | grid | sides | Gcell/s | against the reference, 70x75x81 |\n|---|---|---|---|---|\n");
  for_each_equation([&]<class Equation>() {
    if (!only.empty() && only != Equation::kName) return;
    Figure figure = figure_of(describe<Equation>());
    if (cells > 0) figure.cells = cells;
    is_right &= measure<Equation>(figure, "damping, 27 cells", kDamping);
    is_right &= measure<Equation>(figure, "CPML, 27 cells", kCpml);
  });
  return is_right ? 0 : 1;
}

/// Gcell/s of several simulations at the same time, each with a thread of its own, a source and a receiver that is read in every step.
template <class Equation>
double speed_in_flight(std::size_t count, std::int64_t cells, int steps) {
  constexpr Sides kCpml{Boundary::cpml, Boundary::cpml};
  const Case test = case_of(describe<Equation>(), {cells, cells, cells}, kCpml, 8);
  const std::unique_ptr<Model> model =
      constant_model({.vp = 3000, .vs = 1500, .rho = 2, .epsilon = 0.2, .delta = 0.1, .theta = 0.5, .phi = 0.3});
  std::barrier ready(static_cast<std::ptrdiff_t>(count + 1));
  const auto simulate = [&] {
    const std::unique_ptr<Engine<float>> engine = on_device<Equation>(test, *model);
    const std::size_t points = engine->add(points_of(test.grid.extent));
    const std::size_t phases = describe<Equation>().phases.size();
    std::vector<double> values(2);
    const auto step = [&] {
      for (std::size_t phase = 0; phase < phases; ++phase) engine->run(phase);
      engine->inject(points, std::vector<double>{1, 1});
      engine->gather(points, values);
    };
    step();
    ready.arrive_and_wait();
    for (int i = 0; i < steps; ++i) step();
    ready.arrive_and_wait();
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < count; ++i) threads.emplace_back(simulate);
  ready.arrive_and_wait();
  const auto start = std::chrono::steady_clock::now();
  ready.arrive_and_wait();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  for (std::thread& thread : threads) thread.join();
  return static_cast<double>(count) * static_cast<double>(cells * cells * cells) * steps / seconds * 1e-9;
}

int print_shots() {
  std::printf("| propagator | grid | shots in flight | Gcell/s |\n|---|---|---|---|\n");
  for (const std::int64_t cells : {64, 128, 256}) {
    for (const std::size_t count : {1U, 2U, 4U, 8U}) {
      std::printf("| `acoustic_iso_cd` | %d³ | %d | %.1f |\n", static_cast<int>(cells), static_cast<int>(count),
                  speed_in_flight<AcousticIsoCd>(count, cells, 400));
      std::fflush(stdout);
    }
  }
  return 0;
}

int run(int count, char** arguments) {
  DeviceInfo device;
  std::string reason;
  if (!find_device(device, reason)) {
    std::fprintf(stderr, "%s\n", reason.c_str());
    return 2;
  }
  const std::string what = count > 1 ? arguments[1] : "";
  if (what == "device") return std::printf("%s\n", device.name.c_str()) > 0 ? 0 : 1;
  if (what == "check") return refuses_too_large_models(device) ? check_all() : 1;
  if (what == "figures") return print_figures(count > 2 ? arguments[2] : "", count > 3 ? std::atoi(arguments[3]) : 0);
  if (what == "shots") return print_shots();
  std::fprintf(stderr, "use cuda_figures check, figures, shots or device\n");
  return 2;
}

}  // namespace
}  // namespace muster::seismic

int main(int count, char** arguments) { return muster::seismic::run(count, arguments); }

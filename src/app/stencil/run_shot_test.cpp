// Shots on a simulated wafer against the seismic solver: to the bit in a wafer's arithmetic, and to rounding in the usual one.
#include "app/stencil/run_shot.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <set>
#include <utility>

#include "app/seismic/injections.h"
#include "app/seismic/recorder.h"
#include "app/seismic/seismic_test_support.h"
#include "app/stencil/wafer_shot.h"
#include "base/rejection_test_support.h"
#include "plan/plan_test_support.h"
#include "schedule/interpret.h"
#include "schedule/phase.h"

namespace muster::stencil {
namespace {

using seismic::Extent;
using seismic::Shot;

/// What a run of the solver leaves.
template <class Real>
struct Solved {
  std::vector<Real> wavefield;
  std::vector<seismic::Gather> gathers;
  double largest_norm = 0;  ///< of the field after any step
};

template <class Real>
std::vector<Real> values_of(const seismic::State<Real>& state) {
  std::vector<Real> values;
  const Extent& extent = state.layout.extent();
  for (std::int64_t x = 0; x < extent.x; ++x) {
    for (std::int64_t y = 0; y < extent.y; ++y) {
      for (std::int64_t z = 0; z < extent.z; ++z) values.push_back(state.fields.front().at(x, y, z));
    }
  }
  return values;
}

template <class Real>
double norm_of(const std::vector<Real>& values) {
  double squares = 0;
  for (const Real value : values) squares += static_cast<double>(value) * static_cast<double>(value);
  return std::sqrt(squares);
}

template <class Real>
Solved<Real> solve(Shot shot, seismic::Arithmetic arithmetic, std::int64_t number = 1) {
  shot.grid.arithmetic = arithmetic;
  auto simulation = seismic::make_simulation<Real>(shot.propagator, shot.grid, *shot.model, seismic::cpu(1));
  seismic::Recorder recorder(shot, simulation, number);
  for (const seismic::Source& source : shot.sources) {
    for (auto& injection : seismic::injections_of(source, shot, simulation.equation(), number)) {
      simulation.add(std::move(injection));
    }
  }
  recorder.record(simulation);
  Solved<Real> solved;
  for (std::int64_t step = 0; step < shot.steps; ++step) {
    simulation.step();
    recorder.record(simulation);
    solved.wavefield = values_of(simulation.state());
    solved.largest_norm = std::max(solved.largest_norm, norm_of(solved.wavefield));
  }
  solved.gathers = recorder.gathers();
  return solved;
}

std::int64_t between(Random& random, std::int64_t least, std::int64_t most) {
  return least + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(most - least + 1)));
}

/// A place in the grid, or on a node of it: "40 m, 60 m, 20 m".
std::string position(Random& random, const Extent& extent, bool is_on_node) {
  std::string text;
  for (const seismic::Axis axis : seismic::kAxes) {
    const double last = static_cast<double>(extent[axis] - 1);
    const double cell = is_on_node ? static_cast<double>(between(random, 0, extent[axis] - 1)) : last * random.unit();
    text += fmt::format("{}{} m", text.empty() ? "" : ", ", cell * 20);
  }
  return text;
}

/// "a, b" as "\"a\", \"b\"".
std::string quoted(std::string list) {
  for (std::size_t at = list.find(", "); at != std::string::npos; at = list.find(", ", at + 4)) {
    list.replace(at, 2, "\", \"");
  }
  return "\"" + list + "\"";
}

/// Sides with layers, one along z and others where the grid has room for them.
std::string boundaries(Random& random, const Extent& extent, std::int64_t radius) {
  std::string text = fmt::format("[boundaries]\nall = \"zero\"\ncells = {}\n", radius);
  for (const seismic::Axis axis : seismic::kAxes) {
    const bool is_left_out = axis != seismic::Axis::z && random.below(2) == 0;
    if (extent[axis] <= 2 * radius || is_left_out) continue;
    const char* const side = random.below(2) == 0 ? "low" : "high";
    text += fmt::format("{}_{} = \"damping\"\n", side, "xyz"[seismic::index_of(axis)]);
  }
  return text;
}

/// Four shots that follow each other are of all kinds: with one velocity or two, with layers or without.
std::string random_shot(std::uint64_t seed) {
  Random random(seed);
  const std::int64_t radius = between(random, 1, 4);
  const bool are_on_nodes = random.below(2) == 0;  // others need more memory: so they make fewer steps
  const Extent extent{between(random, std::max<std::int64_t>(6, radius + 1), 14),
                      between(random, std::max<std::int64_t>(6, radius + 1), 14),
                      between(random, std::max<std::int64_t>(6, 2 * radius + 1), 30)};
  std::string text = fmt::format(
      "propagator = \"acoustic_iso_cd\"\ngrid = \"{}x{}x{}\"\nspacing = \"20 m\"\norder = {}\nsteps = {}\ncfl = {}\n"
      "[[layer]]\nvp = \"{} m/s\"\n",
      extent.x, extent.y, extent.z, 2 * radius, between(random, 50, are_on_nodes ? 200 : 100),
      0.5 + 0.5 * random.unit(), 1500 + 100 * random.below(10));
  if (seed % 2 == 0) text += fmt::format("[[layer]]\ntop = \"{} m\"\nvp = \"3 km/s\"\n", 20 * between(random, 1, 5));
  text += seed % 4 < 2 ? boundaries(random, extent, radius) : std::string("[boundaries]\nall = \"zero\"\n");
  for (std::int64_t i = between(random, 1, 3); i > 0; --i) {
    text += fmt::format("[[source]]\nposition = [{}]\nfrequency = \"{} Hz\"\ndelay = \"10 ms\"\n",
                        quoted(position(random, extent, are_on_nodes)), between(random, 5, 20));
  }
  for (std::int64_t i = between(random, 1, 4); i > 0; --i) {
    text += fmt::format("[[receivers]]\npositions = [\"{}\"]\nevery = {}\n", position(random, extent, are_on_nodes),
                        between(random, 1, 4));
  }
  return text;
}

std::int64_t different_bits(const std::vector<float>& a, const std::vector<float>& b) {
  std::int64_t count = std::abs(std::ssize(a) - std::ssize(b));
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    count += std::bit_cast<std::uint32_t>(a[i]) != std::bit_cast<std::uint32_t>(b[i]);
  }
  return count;
}

void expect_the_bits_of_the_solver(const std::string& text, const ShotOptions& options) {
  SCOPED_TRACE(text);
  const Shot shot = seismic::read_shot(text, "shot.toml");
  const ShotOnWafer found = run_shot(shot, shipped_machine("wse2-paper"), options);
  const Solved<float> expected = solve<float>(shot, seismic::Arithmetic::wafer, options.number);
  EXPECT_GT(norm_of(expected.wavefield), 0) << "nothing moves";
  EXPECT_EQ(different_bits(found.wavefield, expected.wavefield), 0);
  ASSERT_EQ(found.gathers.size(), expected.gathers.size());
  for (std::size_t i = 0; i < found.gathers.size(); ++i) {
    EXPECT_EQ(found.gathers[i].samples, expected.gathers[i].samples);
    EXPECT_EQ(found.gathers[i].values, expected.gathers[i].values);
    EXPECT_EQ(found.gathers[i].receivers, expected.gathers[i].receivers);
  }
  EXPECT_GT(found.result.cycles.value().value(), 0);
  // A step rounds a few dozen sums of the size of the field, and leapfrog adds their errors up over the steps.
  const Solved<double> exact = solve<double>(shot, seismic::Arithmetic::fused, options.number);
  std::vector<double> difference;
  for (std::size_t i = 0; i < exact.wavefield.size(); ++i) {
    difference.push_back(exact.wavefield[i] - static_cast<double>(found.wavefield[i]));
  }
  EXPECT_LT(norm_of(difference), 4 * static_cast<double>(shot.steps) * 0x1p-24 * exact.largest_norm);
}

/// Whether cells have a velocity and damping each.
std::pair<bool, bool> kind_of(const std::string& text) {
  const TimeStep step = make_wafer_shot(seismic::read_shot(text, "shot.toml"), Bytes(48 * 1024)).step;
  return {step.has_velocity, step.has_damping};
}

TEST(RunShot, GivesTheBitsOfTheSolverOnRandomShots) {
  const int shots = seismic::kIsSanitized ? 2 : 8;
  std::set<std::pair<bool, bool>> kinds;
  for (int seed = 1; seed <= shots; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const std::string text = random_shot(static_cast<std::uint64_t>(seed));
    expect_the_bits_of_the_solver(text, {.block = between(random, 0, 1) * between(random, 4, 12), .threads = 1});
    kinds.insert(kind_of(text));
  }
  EXPECT_EQ(kinds.size(), seismic::kIsSanitized ? 2U : 4U);
}

/// Of a medium with several velocities and layers on all sides that have room.
constexpr const char* kSmallShot = R"(
propagator = "acoustic_iso_cd"
grid = "8x7x9"
spacing = "20 m"
order = 2
steps = 12
cfl = 0.8
[[layer]]
vp = "1500 m/s"
[[layer]]
top = "80 m"
vp = "2500 m/s"
[boundaries]
all = "damping"
cells = 2
[[source]]
position = ["70 m", "63 m", "80 m"]
frequency = "20 Hz"
delay = "5 ms"
[[receivers]]
first = ["20 m", "40 m", "40 m"]
last = ["110 m", "45 m", "90 m"]
count = 4
every = 3
[shots]
count = 2
source_increment = ["-10 m", "5 m", "0 m"]
receiver_increment = ["10 m", "0 m", "0 m"]
)";

TEST(RunShot, MakesTheShotsOfAFileOneByOne) {
  expect_the_bits_of_the_solver(kSmallShot, {.number = 1, .block = 4});
  expect_the_bits_of_the_solver(kSmallShot, {.number = 2, .block = 5});
}

TEST(RunShot, ComputesWhatTheReferenceInterpreterDoesWithTheSameData) {
  const Shot shot = seismic::read_shot(kSmallShot, "shot.toml");
  const WaferShot on_wafer = make_wafer_shot(shot, Bytes(48 * 1024));
  const Schedule schedule = make_time_steps(on_wafer.step, on_wafer.steps);
  const Outputs outputs = interpret(schedule, Arithmetic{}, 1, initial_data_of(on_wafer));
  const ShotOnWafer found = run_shot(shot, shipped_machine("wse2"));
  EXPECT_EQ(different_bits(found.wavefield, wavefield_of(on_wafer, outputs)), 0);
  const auto gathers = gathers_of(on_wafer, outputs);
  ASSERT_EQ(gathers.size(), found.gathers.size());
  EXPECT_EQ(gathers.front().values, found.gathers.front().values);
}

Shot small_shot(const std::map<std::string, std::string>& settings) {
  return seismic::read_shot(kSmallShot, "shot.toml", settings);
}

TEST(RunShot, RefusesWhatAWaferDoesNotDo) {
  const Machine machine = shipped_machine("wse2");
  const auto refusal_of = [&](const std::map<std::string, std::string>& settings) {
    return rejection([&] { (void)run_shot(small_shot(settings), machine); });
  };
  EXPECT_EQ(refusal_of({{"precision", "f64"}}),
            "--arithmetic wafer computes in f32 only; use precision = \"f32\", or --arithmetic fused");
  const std::string too_long = refusal_of({{"grid", "8x7x6000"}});
  EXPECT_NE(too_long.find("does not fit into the 49152 bytes of a PE; at most "), std::string::npos) << too_long;
  EXPECT_NE(refusal_of({{"steps", "100000"}}), "");
}

}  // namespace
}  // namespace muster::stencil

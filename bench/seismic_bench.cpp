// How fast the CPU's kernels are: acoustic_iso_cd as a ratio to a straightforward port of Minimod's loop, and every propagator as a share of
// what memory and arithmetic allow. Arguments name some propagators: only those. All are measured in turns, and the answers are checked first.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <thread>
#include <vector>

#include "app/seismic/cost.h"
#include "app/seismic/cpu/peaks.h"
#include "app/seismic/denormals.h"
#include "app/seismic/seismic_test_support.h"
#include "app/seismic/stopwatch.h"
#include "minimod_port.h"

namespace muster::seismic {
namespace {

constexpr std::int64_t kCells = 240;   ///< along each axis of the large grid
constexpr std::int64_t kOthers = 128;  ///< of the other propagators
constexpr std::int64_t kLayer = 27;
constexpr int kTurns = 12;
constexpr double kRatio = 0.2;  ///< of multiaxial layers

TestCase case_of(std::string_view propagator, std::int64_t cells, Boundary boundary) {
  TestCase test = test_case(propagator, {cells, cells, cells}, {boundary, boundary});
  test.grid.layers.cells = kLayer;
  if (describe_propagator(propagator).is_anisotropic && boundary == Boundary::cpml) test.grid.layers.ratio = kRatio;
  return test;
}

double seconds_of(const std::function<void()>& run, int threads) {
  const Stopwatch watch(threads);
  run();
  return watch.seconds();
}

struct Times {
  double least = 0;
  double middle = 0;
};

/// Of each, measured in turns.
std::vector<Times> measure(const std::vector<std::function<void()>>& runs, int threads) {
  std::vector<std::vector<double>> seconds(runs.size());
  for (int turn = 0; turn < kTurns; ++turn) {
    for (std::size_t i = 0; i < runs.size(); ++i) seconds[i].push_back(seconds_of(runs[i], threads));
  }
  std::vector<Times> times;
  for (std::vector<double>& each : seconds) {
    std::ranges::sort(each);
    times.push_back({.least = each.front(), .middle = each[each.size() / 2]});
  }
  return times;
}

bool has_bits_of_the_reference(std::string_view propagator, Boundary boundary) {
  TestCase test = test_case(propagator, {30, 27, 53}, {boundary, boundary});
  test.grid.layers.cells = 5;
  if (describe_propagator(propagator).is_anisotropic) test.grid.layers.ratio = kRatio;
  const RandomModel model(1);
  Simulation<float> expected = simulation_of<float>(test, kReference, &model);
  Simulation<float> found = simulation_of<float>(test, cpu(2), &model);
  for (Simulation<float>* simulation : {&expected, &found}) {
    fill_with_noise(*simulation, 1);
    for (int step = 0; step < 3; ++step) simulation->step();
  }
  for (std::size_t f = 0; f < expected.state().fields.size(); ++f) {
    const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
    if (!std::ranges::equal(expected.state().fields[f].values(), found.state().fields[f].values(), {}, bits, bits)) {
      return false;
    }
  }
  return true;
}

bool check_bits() {
  bool is_good = true;
  for (const std::string& name : propagator_names()) {
    for (const Boundary boundary : {Boundary::cpml, Boundary::damping}) {
      if (has_bits_of_the_reference(name, boundary)) continue;
      fmt::print("{}: WRONG, not the bits of the reference\n", name);
      is_good = false;
    }
  }
  if (is_good) fmt::print("all propagators give the bits of the reference\n");
  return is_good;
}

/// velocity * time step / spacing of a test case.
float courant_of(const TestCase& test) {
  const double limit = stable_limit(describe_propagator(test.propagator), test.grid);
  return static_cast<float>(test.cfl * limit / test.grid.spacing.x);
}

/// Calls visit(x, y, z) for all cells of the large grid.
template <class Visit>
void for_each_cell(const Visit& visit) {
  for (std::int64_t x = 0; x < kCells; ++x) {
    for (std::int64_t y = 0; y < kCells; ++y) {
      for (std::int64_t z = 0; z < kCells; ++z) visit(x, y, z);
    }
  }
}

/// Both propagate a ball in the middle; after so few steps, it has not reached the layers.
bool check_port(MinimodPort& port, Simulation<float>& ours, std::string_view name) {
  Volume<float>& p = ours.state().fields.front();
  for_each_cell([&](std::int64_t x, std::int64_t y, std::int64_t z) {
    const auto squared = [](std::int64_t i) { return static_cast<double>((i - kCells / 2) * (i - kCells / 2)); };
    const double distance = squared(x) + squared(y) + squared(z);
    p.at(x, y, z) = distance < 400 ? static_cast<float>(std::exp(-distance / 30)) : 0;
    port.at(x, y, z) = p.at(x, y, z);
  });
  constexpr int kSteps = 10;
  for (int step = 0; step < kSteps; ++step) {
    const FlushDenormals flush;
    ours.step();
    port.step(1, MinimodPort::Loops::plain);
  }
  double difference = 0;
  double norm = 0;
  const Volume<float>& now = ours.state().fields.front();
  for_each_cell([&](std::int64_t x, std::int64_t y, std::int64_t z) {
    const double value = now.at(x, y, z);
    difference += (value - port.at(x, y, z)) * (value - port.at(x, y, z));
    norm += value * value;
  });
  const double relative = std::sqrt(difference / norm);
  const bool is_good = relative < 1e-5;
  fmt::print("{}: differs from the port by {:.1e} after {} steps{}\n", name, relative, kSteps,
             is_good ? "" : ": WRONG");
  return is_good;
}

struct Machine {
  double bandwidth = 0;
  double operations = 0;
};

Machine measure_machine(int threads) {
  constexpr std::int64_t kStreamed = std::int64_t{24} << 20U;
  Array<float> values(kStreamed);
  const Array<float> others(kStreamed);
  const Machine machine{.bandwidth = measure_bandwidth(threads, values.values(), others.values()),
                        .operations = measure_operations(threads)};
  fmt::print("\n{} thread{}: memory {:.1f} GB/s, arithmetic {:.0f} GFLOP/s\n", threads, threads == 1 ? "" : "s",
             machine.bandwidth * 1e-9, machine.operations * 1e-9);
  return machine;
}

/// What one propagator reaches of what the machine allows.
void print_share(const TestCase& test, const Times& times, const Machine& machine) {
  const Cost cost = cost_with_layers(test.propagator, test.grid, sizeof(float));
  const double by_memory = machine.bandwidth / cost.bytes;
  const double by_arithmetic = machine.operations / cost.operations;
  const double speed = static_cast<double>(cells_of(test.grid.extent)) / times.least;
  fmt::print("{:.4f} Gcell/s, {:.1f} B and {:.0f} operations per cell, {:.0f}% of the {} bound", speed * 1e-9,
             cost.bytes, cost.operations, 100 * speed / std::min(by_memory, by_arithmetic),
             by_memory < by_arithmetic ? "memory" : "arithmetic");
}

bool compare_with_port(int threads, const Machine& machine) {
  constexpr std::array kBoundaries{Boundary::damping, Boundary::cpml};
  constexpr std::array<std::string_view, 2> kNames{"damping", "cpml"};
  constexpr std::array<double, 2> kGoals{4, 3};
  std::vector<TestCase> tests;
  for (const Boundary boundary : kBoundaries) tests.push_back(case_of("acoustic_iso_cd", kCells, boundary));
  MinimodPort port(kCells, kLayer, courant_of(tests.front()));
  std::vector<Simulation<float>> ours;
  bool is_good = true;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    ours.push_back(simulation_of<float>(tests[i], cpu(threads)));
    MinimodPort fresh(kCells, kLayer, courant_of(tests[i]));
    is_good &= check_port(fresh, ours.back(), kNames[i]);
    fill_with_noise(ours.back(), 1);
  }
  Random random(1);
  for_each_cell([&](std::int64_t x, std::int64_t y, std::int64_t z) {
    port.at(x, y, z) = static_cast<float>(random.unit() - 0.5);
  });
  const std::vector<Times> times = measure(
      {[&] { port.step(threads, MinimodPort::Loops::plain); }, [&] { port.step(threads, MinimodPort::Loops::marked); },
       [&] { ours[0].step(); }, [&] { ours[1].step(); }},
      threads);
  const double cells = std::pow(kCells, 3);
  fmt::print("port of Minimod: {:.3f} Gcell/s, marked for vectors {:.3f}\n", cells / times[0].least * 1e-9,
             cells / times[1].least * 1e-9);
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const Times& of_ours = times[i + 2];
    fmt::print("acoustic_iso_cd, {}: {:.2f} times the port (by medians {:.2f}), goal {}; {:.2f} times the marked one; ",
               kNames[i], times[0].least / of_ours.least, times[0].middle / of_ours.middle, kGoals[i],
               times[1].least / of_ours.least);
    print_share(tests[i], of_ours, machine);
    fmt::print("\n");
  }
  return is_good;
}

void measure_others(const std::vector<std::string>& names, int threads, const Machine& machine) {
  for (const std::string& name : names) {
    for (const Boundary boundary : {Boundary::zero, Boundary::cpml}) {
      const TestCase test = case_of(name, kOthers, boundary);
      Simulation<float> simulation = simulation_of<float>(test, cpu(threads));
      fill_with_noise(simulation, 1);
      const std::vector<Times> times = measure({[&] { simulation.step(); }}, threads);
      fmt::print("{}, {}: ", name, boundary == Boundary::zero ? "no layers" : "layers");
      print_share(test, times.front(), machine);
      fmt::print(", goal 40%\n");
    }
  }
}

/// `names`: the propagators; of all, acoustic_iso_cd is compared with the port too.
int run(std::vector<std::string> names) {
  const bool is_all = names.empty();
  if (is_all) names = propagator_names();
  bool is_good = check_bits();
  const int most = std::min(2, static_cast<int>(std::max(1U, std::thread::hardware_concurrency())));
  double of_one = 0;
  for (int threads = 1; threads <= most; ++threads) {
    const Machine machine = measure_machine(threads);
    if (threads == 1) of_one = machine.bandwidth;
    if (machine.bandwidth < of_one) {
      fmt::print("less than with one thread: the machine is busy, and nothing can be said about {} threads\n", threads);
      continue;
    }
    if (is_all || names.front() == "acoustic_iso_cd") is_good &= compare_with_port(threads, machine);
    measure_others(names, threads, machine);
  }
  return is_good ? 0 : 1;
}

}  // namespace
}  // namespace muster::seismic

int main(int argc, char** argv) { return muster::seismic::run({argv + 1, argv + argc}); }
